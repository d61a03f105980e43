// How the content of an HTML page is made: the stages that each page goes through, in their order. Each one takes the page as the
// stages before it have left it, and fills in its part of the result.
import type { AnyNode, ChildNode } from "domhandler";
import { type LanguageTable, languageSample } from "../../detection/index.ts";
import {
  findParts,
  hiddenMark,
  isAmong,
  maxNodes,
  type PageParts,
  parseHtml,
  type Tree,
  textSample,
} from "../../html/index.ts";
import {
  findHidden,
  findInjections,
  hiddenTextsOf,
  type PageVerdict,
  removeInvisibleCharacters,
  takeOut,
  verdictOfPage,
  verdictOfStatus,
  wordsBeside,
} from "../../safety/index.ts";
import { readOutlinks } from "../links/outlinks.ts";
import { PageUrls } from "../links/page-urls.ts";
import { findRepeatedOnHost } from "../main/repeated-on-host.ts";
import type { MainModel } from "../main/stored-model.ts";
import { escapeText } from "../markdown/escape.ts";
import { toMarkdown } from "../markdown/markdown.ts";
import { addDetectedLanguage, readMetadata } from "../metadata/metadata.ts";
import type { ShownPage } from "../outputs/content-format.ts";
import { markAsFile, readFileParts, withoutPlaces } from "../outputs/file-parts.ts";
import { toHtml } from "../outputs/html.ts";
import { makeFromSelection, makeFromTree } from "../outputs/make-outputs.ts";
import { maxSearchLinks, readSearchText } from "../outputs/search-text.ts";
import { addDataText } from "../script-data/add-data-text.ts";
import { type Selection, selectContent, showsNothing } from "../selection/select.ts";
import { addInjections, type ContentRequest, type PageContent } from "./content-request.ts";
import type { PageSource, ReadPage } from "./page-reader.ts";

export interface ContentTools<Input, Finding> {
  model: MainModel;
  languages: LanguageTable;
  /** Runs for requests with a `readerInput`. */
  readPage?: ReadPage<Input, Finding>;
}

/** A page on its way through the stages. */
interface HtmlReading {
  request: ContentRequest<unknown>;
  tools: ContentTools<unknown, unknown>;
  text: string;
  tree: ReturnType<typeof parseHtml>;
  parts: PageParts;
  urls: PageUrls;
  /** The data of its scripts that the text was taken from; null when the page has its text. */
  textFrom: string | null;
  /** Characters that are not seen. */
  invisible: number;
  /** Words made of such characters. */
  smuggled: string[];
  /** Taken out of the tree by `removeHiddenText`. */
  hidden: ReadonlySet<AnyNode>;
  folded: ReadonlySet<AnyNode>;
  hiddenLength: number;
  /** Null where neither markdown nor html is wanted. */
  selection: Selection | null;
  result: PageContent;
}

type HtmlStage = (page: HtmlReading) => void;

/** After `parsePage`, which makes what they work on. */
const htmlStages: readonly HtmlStage[] = [
  findHiddenText,
  makeOutputsOfTree,
  removeHiddenText,
  checkInjection,
  readData,
  makeOutputsOfShown,
  selectMainContent,
  detectPageLanguage,
  keepSearchText,
  writeOutputs,
];

export function readHtmlPage<Input, Finding>(
  request: ContentRequest<Input>,
  text: string,
  charset: string,
  tools: ContentTools<Input, Finding>,
): PageContent<Finding> {
  const page = parsePage(request, text, charset, tools as ContentTools<unknown, unknown>);
  // The caller renders an empty app shell instead.
  const isRefused = page.result.lacksText === true && request.refusesShell === true;
  if (!isRefused) for (const stage of htmlStages) stage(page);
  return page.result as PageContent<Finding>;
}

function parsePage(
  request: ContentRequest<unknown>,
  text: string,
  charset: string,
  tools: ContentTools<unknown, unknown>,
): HtmlReading {
  // Browsers pass over NULs in a page. A single byte is found at once, a character of a long text is not.
  const tree = parseHtml(request.bytes.includes(0) ? text.replaceAll("\0", "") : text);
  if (request.file) markAsFile(tree.root);
  const smuggled: string[] = [];
  const invisible = removeInvisibleCharacters(tree.root, text, smuggled);
  const { parts, textFrom, lacksText } = wholeParts(tree, request);
  const urls = new PageUrls(request.url, parts.baseHref);
  const result: PageContent = {
    metadata: readMetadata(tree.root, parts, urls, { url: request.url, linkHeader: linkHeaderOf(request) }),
    verdict: judgePage(request, tree, parts),
    warnings: treeWarnings(tree),
    charset,
    ...(textFrom === null ? {} : { textFrom }),
    ...(lacksText ? { lacksText } : {}),
  };
  const none: ReadonlySet<AnyNode> = new Set();
  const unhidden = { hidden: none, folded: none, hiddenLength: 0, selection: null };
  return { request, tools, text, tree, parts, urls, textFrom, invisible, smuggled, ...unhidden, result };
}

/** The words of a file say nothing about the server that sent it. */
function linkHeaderOf({ response }: ContentRequest<unknown>): string {
  return [response?.headers.link ?? []].flat().join(", ");
}

function judgePage({ url, response, file }: ContentRequest<unknown>, { root }: Tree, parts: PageParts): PageVerdict {
  if (!response || file) return verdictOfStatus(response?.status ?? 200);
  return verdictOfPage(root, parts, url, response);
}

/** A page that shows nothing is read with what it hides. */
function findHiddenText(page: HtmlReading) {
  const { tree, parts, request, textFrom } = page;
  const isRendered = request.isRendered === true;
  const found = findHidden(tree.root, parts, { isRendered, byAttributes: tree.canHide || textFrom !== null });
  page.folded = found.folded;
  if (found.nodes.size > 0 && showsNothing(tree.root, parts, found.nodes)) return;
  page.hidden = found.nodes;
  page.hiddenLength = found.length;
}

function makeOutputsOfTree({ request, tree, text, parts, urls, hidden, result }: HtmlReading) {
  const { formats, file, isRendered } = request;
  const shown = file ? withoutPlaces(text) : isRendered ? withoutMarks(text) : text;
  const warn = (sentence: string) => result.warnings.push(sentence);
  makeFromTree(result, formats, { root: tree.root, text: shown, parts, urls, hidden }, warn);
  if (formats.outlinks) result.outlinks = readOutlinks(parts, urls, hidden);
}

function removeHiddenText({ hidden, invisible, hiddenLength, result }: HtmlReading) {
  takeOut(hidden);
  const hiddenText = invisible + hiddenLength;
  if (hiddenText > 0) result.metadata.hiddenText = hiddenText;
}

function checkInjection({ tree, parts, hidden, smuggled, result }: HtmlReading) {
  const words = { roots: parts.body ? [parts.body] : tree.root.children, ...wordsBeside(parts), smuggled };
  addInjections(result, findInjections({ hidden: hiddenTextsOf(hidden), ...words }));
}

function readData({ request, tools, tree, parts, urls, text, hidden, result }: HtmlReading) {
  if (!tools.readPage || request.readerInput === undefined) return;
  const anchors = parts.anchors.filter((anchor) => !isAmong(anchor, hidden));
  const seen = hidden.size === 0 ? parts : { ...parts, anchors };
  const page: PageSource = { root: tree.root, parts: seen, urls, url: request.url, kind: "html", text };
  result.found = tools.readPage(page, request.readerInput);
}

function makeOutputsOfShown({ request, tools, tree, parts, urls, result }: HtmlReading) {
  let whole: ShownPage | null = null;
  const show = () => {
    whole ??= { urls, ...selectContent(tree.root, parts, { ...request, onlyMainContent: false }, tools.model) };
    return whole;
  };
  makeFromSelection(result, request.formats, show, (sentence) => result.warnings.push(sentence));
}

function selectMainContent(page: HtmlReading) {
  const { request, tools, tree, parts, folded } = page;
  if (!request.formats.markdown && !request.formats.html) return;
  page.selection = selectContent(tree.root, parts, request, tools.model, folded);
  if (request.repeated) leaveOutRepeated(page.selection, request.repeated, page.result);
}

/** On pages of products, what a shop says of all its goods is wanted too. */
function leaveOutRepeated({ nodes, dropped, quality }: Selection, repeated: ReadonlySet<number>, result: PageContent) {
  if (!quality || quality.pageType === "product") return;
  const found = findRepeatedOnHost(nodes, dropped, repeated);
  result.textNumbers = found.numbers;
  if (repeated.size === 0) return;
  for (const node of found.nodes) dropped.add(node);
  quality.repeatedTexts = found.texts;
}

/** Of the text that is returned, or of the whole page where no text is. */
function detectPageLanguage({ tree, tools, selection, result }: HtmlReading) {
  const nodes: readonly ChildNode[] = selection?.nodes ?? tree.root.children;
  // Enough text to tell its language, of what can be seen.
  addDetectedLanguage(result.metadata, textSample(nodes, languageSample, selection?.dropped), tools.languages);
}

/** The part of a page that is searched. */
const wholeMain = { onlyMainContent: true, includeTags: [], excludeTags: [] };

function keepSearchText({ request, tools, tree, parts, urls, hidden, folded, selection, result }: HtmlReading) {
  if (request.forSearch !== true || result.verdict.state !== "content") return;
  const isUsual = request.onlyMainContent && request.includeTags.length + request.excludeTags.length === 0;
  const main = (isUsual && selection) || selectContent(tree.root, parts, wholeMain, tools.model, folded);
  const { links } = result.outlinks ?? readOutlinks(parts, urls, hidden);
  result.searchText = { links: links.slice(0, maxSearchLinks), ...readSearchText(main.nodes, main.dropped) };
}

function writeOutputs({ selection, request, urls, parts, result }: HtmlReading) {
  if (selection === null) return;
  const { nodes, dropped, quality, hiddenText, verdicts } = selection;
  const { formats, removeBase64Images, explain, includeTags, file } = request;
  if (quality) result.metadata.quality = quality;
  if (hiddenText > 0) result.metadata.hiddenText = (result.metadata.hiddenText ?? 0) + hiddenText;
  if (explain && verdicts) result.verdicts = verdicts();
  if (formats.markdown) {
    const { hasTex } = parts;
    const options = { urls, dropped, removeBase64Images, hasTex, keepsMergedCells: file !== undefined };
    result.markdown = toMarkdown(nodes, options);
    if (file) Object.assign(result, readFileParts(nodes, result.markdown, file, options));
  }
  if (nodes.length === 0 && includeTags.length > 0) result.warnings.push("Nothing on the page matches includeTags");
  else if (result.markdown === "" && !(canDescribe(request) && describe(result)))
    result.warnings.push("The page has no text");
  if (!formats.html) return;
  result.html = toHtml(nodes, dropped, urls, file !== undefined);
  // What is already explained is not said twice.
  const isExplained = result.warnings.length > 0 || result.verdict.state !== "content";
  if (result.html === "" && !isExplained) result.empty = { ...result.empty, html: "The page is empty." };
}

/** Shorter ones name a site and say nothing of the page. */
const tellingDescription = 120;

/** Where scripts would write the text, the page's own description is what can be said of it; some hold the first post of a thread. */
function describe(result: PageContent): boolean {
  const { title, description } = result.metadata;
  const isPage = result.verdict.state === "content" || result.verdict.state === "empty_shell";
  if (!isPage || description.length < tellingDescription) return false;
  const heading = title === "" ? "" : `# ${escapeText(title, false, false)}\n\n`;
  result.markdown = `${heading}${escapeText(description, true, false)}`;
  result.textFrom = "description";
  result.warnings.push("The page shows no text without its scripts; markdown is its title and description");
  return true;
}

function canDescribe({ file, includeTags, excludeTags }: ContentRequest<unknown>): boolean {
  return file === undefined && includeTags.length + excludeTags.length === 0;
}

const marks = new RegExp(` ${hiddenMark}="[a-z]*"`, "g");

/** The page as it was before the browser noted on it what is not seen. */
function withoutMarks(html: string): string {
  return html.replace(marks, "");
}

/** Of the page with the text that its data hold, where it would have none without its scripts. */
function wholeParts({ root }: Tree, request: ContentRequest<unknown>) {
  const parts = findParts(root);
  const { url, isShell = false, file } = request;
  if (file) return { parts, textFrom: null, lacksText: false };
  const lacksMore = isShell && wantsMoreThanText(request);
  if (lacksMore && request.refusesShell) return { parts, textFrom: null, lacksText: true };
  const { from: textFrom, lacksText } = addDataText(root, parts, url, isShell);
  if (textFrom === null) return { parts, textFrom, lacksText };
  return { parts: findParts(root), textFrom, lacksText: lacksMore };
}

/** A page's data holds its main text, but neither the links around it nor the elements that will hold it. */
function wantsMoreThanText({
  formats,
  onlyMainContent,
  includeTags,
  excludeTags,
  readerInput,
}: ContentRequest<unknown>): boolean {
  const { markdown: _, ...others } = formats;
  const isNamed = includeTags.length + excludeTags.length > 0;
  return !onlyMainContent || isNamed || readerInput !== undefined || Object.values(others).some(Boolean);
}

function treeWarnings(tree: Tree): string[] {
  const warnings: string[] = [];
  if (tree.isCut) warnings.push(`The page has more than ${maxNodes} nodes; the rest was left out`);
  if (tree.isFlattened) warnings.push("Some elements of the page are nested too deeply, so they were flattened");
  return warnings;
}
