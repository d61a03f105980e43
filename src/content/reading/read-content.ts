// Bytes of one page -> the outputs that were asked for. Pure: one parsed tree, no network, clock, disk or setting.
import type { AnyNode, ChildNode, Document } from "domhandler";
import { hiddenMark } from "../../base/index.ts";
import { findParts, isAmong, maxNodes, type PageParts, parseHtml, type Tree, textSample } from "../../html/index.ts";
import {
  findHidden,
  findInjections,
  type HidingMeans,
  hiddenTextsOf,
  type PageVerdict,
  removeInvisibleCharacters,
  takeOut,
  verdictOfPage,
  verdictOfStatus,
  wordsBeside,
} from "../../safety/index.ts";
import { decode } from "../bytes/decode.ts";
import { binaryReason, kindOf } from "../bytes/kind.ts";
import { readOutlinks } from "../links/outlinks.ts";
import { PageUrls } from "../links/page-urls.ts";
import type { MainModel } from "../main/stored-model.ts";
import { toMarkdown } from "../markdown/markdown.ts";
import { languageSample } from "../metadata/language.ts";
import { addDetectedLanguage, readMetadata } from "../metadata/metadata.ts";
import type { ShownPage } from "../outputs/content-format.ts";
import { markAsFile, readFileParts, withoutPlaces } from "../outputs/file-parts.ts";
import { toHtml } from "../outputs/html.ts";
import { makeFromSelection, makeFromTree } from "../outputs/make-outputs.ts";
import { maxSearchLinks, readSearchText } from "../outputs/search-text.ts";
import { addDataText } from "../script-data/add-data-text.ts";
import { type Selection, selectContent, showsNothing } from "../selection/select.ts";
import { addInjections, type ContentRequest, type ContentResult, type PageContent } from "./content-request.ts";
import type { PageSource, ReadPage } from "./page-reader.ts";
import { readText } from "./read-text.ts";

export interface ContentTools<Input, Finding> {
  model: MainModel;
  /** Runs for requests with a `readerInput`. */
  readPage?: ReadPage<Input, Finding>;
}

/** Reads one page. Never throws for what a page contains. */
export function readContent<Input = never, Finding = unknown>(
  request: ContentRequest<Input>,
  tools: ContentTools<Input, Finding>,
): ContentResult<Finding> {
  const reason = binaryReason(request.bytes, request.contentType);
  if (reason !== null) return { unsupported: true, reason };
  const { text, charset } = decode(request.bytes, request.contentType);
  const kind = kindOf(text, request.contentType);
  return kind === "html"
    ? readHtml(request, text, charset, tools)
    : readText(request, text, kind, charset, tools.readPage);
}

function readHtml<Input, Finding>(
  request: ContentRequest<Input>,
  text: string,
  charset: string,
  tools: ContentTools<Input, Finding>,
): PageContent<Finding> {
  const { formats } = request;
  // Browsers pass over NULs in a page. A single byte is found at once, a character of a long text is not.
  const tree = parseHtml(request.bytes.includes(0) ? text.replaceAll("\0", "") : text);
  if (request.file) markAsFile(tree.root);
  const smuggled: string[] = [];
  const source = { text, bytes: request.bytes, charset };
  const invisible = removeInvisibleCharacters(tree.root, source, smuggled);
  const { parts, textFrom, lacksText } = wholeParts(tree, request);
  const urls = new PageUrls(request.url, parts.baseHref);
  const result: PageContent<Finding> = {
    metadata: readMetadata(parts, urls, request.url),
    verdict: verdictOf(request, tree, parts),
    warnings: treeWarnings(tree),
    charset,
    ...(textFrom === null ? {} : { textFrom }),
    ...(lacksText ? { lacksText } : {}),
  };
  if (lacksText && request.refusesShell === true) return result;
  const { hidden, folded, length } = hiddenOf(tree.root, parts, {
    isRendered: request.isRendered === true,
    byAttributes: tree.canHide || textFrom !== null,
  });
  const shown = request.file ? withoutPlaces(text) : request.isRendered ? withoutMarks(text) : text;
  const warn = (sentence: string) => result.warnings.push(sentence);
  makeFromTree(result, formats, { root: tree.root, text: shown, parts, urls, hidden }, warn);
  if (formats.outlinks) result.outlinks = readOutlinks(parts, urls, hidden);
  takeOut(hidden);
  const hiddenText = invisible + length;
  if (hiddenText > 0) result.metadata.hiddenText = hiddenText;
  const words = { roots: parts.body ? [parts.body] : tree.root.children, ...wordsBeside(parts), smuggled };
  addInjections(result, findInjections({ hidden: hiddenTextsOf(hidden), ...words }));
  if (tools.readPage && request.readerInput !== undefined) {
    const anchors = parts.anchors.filter((anchor) => !isAmong(anchor, hidden));
    const seen = hidden.size === 0 ? parts : { ...parts, anchors };
    const page: PageSource = { root: tree.root, parts: seen, urls, url: request.url, kind: "html", text };
    result.found = tools.readPage(page, request.readerInput);
  }
  let whole: ShownPage | null = null;
  const show = () => {
    whole ??= { urls, ...selectContent(tree.root, parts, { ...request, onlyMainContent: false }, tools.model) };
    return whole;
  };
  makeFromSelection(result, formats, show, warn);
  const isShown = formats.markdown || formats.html;
  const forSearch = request.forSearch === true && result.verdict.state === "content";
  if (!isShown && !forSearch) {
    addDetectedLanguage(result.metadata, () => sampleOf(tree.root.children));
    return result;
  }

  const isUsual = request.onlyMainContent && request.includeTags.length + request.excludeTags.length === 0;
  const selection = isShown ? selectContent(tree.root, parts, request, tools.model, folded) : null;
  const { nodes, dropped } = selection ?? { nodes: tree.root.children, dropped: undefined };
  addDetectedLanguage(result.metadata, () => sampleOf(nodes, dropped));
  if (forSearch) {
    const main = (isUsual && selection) || selectContent(tree.root, parts, wholeMain, tools.model, folded);
    const { links } = result.outlinks ?? readOutlinks(parts, urls, hidden);
    result.searchText = { links: links.slice(0, maxSearchLinks), ...readSearchText(main.nodes, main.dropped) };
  }
  if (selection) writeSelection(result, selection, request, { urls, hasTex: parts.hasTex });
  return result;
}

/** A page that shows nothing is read with what it hides. */
function hiddenOf(root: Document, parts: PageParts, means: HidingMeans) {
  const { nodes, length, folded } = findHidden(root, parts, means);
  if (nodes.size > 0 && showsNothing(root, parts, nodes)) return { hidden: new Set<AnyNode>(), folded, length: 0 };
  return { hidden: nodes, folded, length };
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

/** The words of a file say nothing about the server that sent it. */
function verdictOf({ url, response, file }: ContentRequest<unknown>, { root }: Tree, parts: PageParts): PageVerdict {
  if (!response || file) return verdictOfStatus(response?.status ?? 200);
  return verdictOfPage(root, parts, url, response);
}

/** Enough text to tell its language, of what can be seen. */
function sampleOf(nodes: readonly ChildNode[], dropped?: ReadonlySet<AnyNode>): string {
  return textSample(nodes, languageSample, dropped);
}

/** The part of a page that is searched. */
const wholeMain = { onlyMainContent: true, includeTags: [], excludeTags: [] };

function writeSelection(
  result: PageContent,
  { nodes, dropped, quality, hiddenText, verdicts }: Selection,
  { formats, removeBase64Images, explain, includeTags, file }: ContentRequest<unknown>,
  { urls, hasTex }: { urls: PageUrls; hasTex: boolean },
): void {
  if (quality) result.metadata.quality = quality;
  if (hiddenText > 0) result.metadata.hiddenText = (result.metadata.hiddenText ?? 0) + hiddenText;
  if (explain && verdicts) result.verdicts = verdicts();
  if (formats.markdown) {
    const options = { urls, dropped, removeBase64Images, hasTex, keepsMergedCells: file !== undefined };
    result.markdown = toMarkdown(nodes, options);
    if (file) Object.assign(result, readFileParts(nodes, result.markdown, file, options));
  }
  if (nodes.length === 0 && includeTags.length > 0) result.warnings.push("Nothing on the page matches includeTags");
  else if (result.markdown === "") result.warnings.push("The page has no text");
  if (!formats.html) return;
  result.html = toHtml(nodes, dropped, urls, file !== undefined);
  // What is already explained is not said twice.
  const isExplained = result.warnings.length > 0 || result.verdict.state !== "content";
  if (result.html === "" && !isExplained) result.empty = { ...result.empty, html: "The page is empty." };
}

function treeWarnings(tree: Tree): string[] {
  const warnings: string[] = [];
  if (tree.isCut) warnings.push(`The page has more than ${maxNodes} nodes; the rest was left out`);
  if (tree.isFlattened) warnings.push("Some elements of the page are nested too deeply, so they were flattened");
  return warnings;
}
