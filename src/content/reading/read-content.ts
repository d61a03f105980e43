// Bytes of one page -> the outputs that were asked for. Pure: one parsed tree, no network, clock, disk or setting.
import type { AnyNode, ChildNode, Document } from "domhandler";
import { decode } from "../bytes/decode.ts";
import { binaryReason, type ContentKind, kindOf } from "../bytes/kind.ts";
import { Addresses } from "../links/addresses.ts";
import { readImages, readLinks } from "../links/links.ts";
import { type Outlinks, readOutlinks } from "../links/outlinks.ts";
import type { BlockVerdict } from "../main/block-verdicts.ts";
import { addEmbeddedText } from "../main/embedded-text.ts";
import { toMarkdown } from "../markdown/markdown.ts";
import { languageSample } from "../metadata/language.ts";
import { addDetectedLanguage, type PageMetadata, readMetadata } from "../metadata/metadata.ts";
import { toHtml } from "../outputs/html.ts";
import { readOther } from "../outputs/other-kinds.ts";
import { maxSearchLinks, readSearchText, type SearchText } from "../outputs/search-text.ts";
import { type Selection, selectContent } from "../selection/select.ts";
import { attribute, textSample } from "../tree/nodes.ts";
import { findParts, type PageParts } from "../tree/page-parts.ts";
import { maxNodes, parseHtml, type Tree } from "../tree/parse.ts";
import { findAll } from "../tree/selectors.ts";

export interface AttributeQuery {
  selector: string;
  attribute: string;
}

export interface AttributeValues extends AttributeQuery {
  values: string[];
}

export interface ContentFormats {
  markdown: boolean;
  html: boolean;
  rawHtml: boolean;
  links: boolean;
  images: boolean;
  /** Where the page leads, with the words of its links: for finding further pages, never shown to callers as it is. */
  outlinks: boolean;
  /** Empty: the output `attributes` is absent. */
  attributes: AttributeQuery[];
}

/** What a reader of another room sees of a page: the one tree, and what was found while walking it. */
export interface PageSource {
  root: Document;
  parts: PageParts;
  addresses: Addresses;
  url: string;
  kind: ContentKind;
  /** The page's source. */
  text: string;
}

/** Reads something of its own from a page. Must not change the tree. */
export type ReadPage = (source: PageSource, input: unknown) => unknown;

export interface ContentRequest {
  bytes: Uint8Array;
  /** The header as it came, with its parameters. */
  contentType: string | null;
  /** Where the page was found in the end; relative addresses start here. */
  url: string;
  formats: ContentFormats;
  onlyMainContent: boolean;
  includeTags: string[];
  excludeTags: string[];
  removeBase64Images: boolean;
  /** A module (its file's URL) of another room that exports `readPage: ReadPage`; its answer comes back as `found`. */
  reader?: { module: string; input: unknown };
  /** Also what the search index keeps of the page, whatever part of it the caller wants. */
  forSearch?: boolean;
  /** True: the answer says of each block why it is in the main part or not. */
  explain?: boolean;
}

export interface PageContent {
  markdown?: string;
  html?: string;
  rawHtml?: string;
  links?: string[];
  images?: string[];
  outlinks?: Outlinks;
  attributes?: AttributeValues[];
  /** What the request's reader gave. */
  found?: unknown;
  searchText?: SearchText;
  metadata: PageMetadata;
  /** Only when explained, and only where the main part was looked for. */
  blocks?: BlockVerdict[];
  /** Sentences for the caller: the tree was cut, nothing was found … */
  warnings: string[];
  /** WHATWG name of the encoding the bytes were read with. */
  charset: string;
}

/** Bytes that are no text: a picture, an archive, a program, whatever they were declared as. */
export interface UnsupportedContent {
  unsupported: true;
  /** A sentence for the caller. */
  reason: string;
}

export type ContentResult = PageContent | UnsupportedContent;

/** Reads one page. Never throws for what a page contains. `readPage` is that of the request's reader. */
export function readContent(request: ContentRequest, readPage?: ReadPage): ContentResult {
  const reason = binaryReason(request.bytes, request.contentType);
  if (reason !== null) return { unsupported: true, reason };
  const { text, charset } = decode(request.bytes, request.contentType);
  const kind = kindOf(text, request.contentType);
  return kind === "html"
    ? readHtml(request, text, charset, readPage)
    : readText(request, text, kind, charset, readPage);
}

function readHtml(request: ContentRequest, text: string, charset: string, readPage?: ReadPage): PageContent {
  const { formats } = request;
  const tree = parseHtml(text);
  const parts = findParts(tree.root);
  const addresses = new Addresses(request.url, parts.baseHref);
  const result: PageContent = {
    metadata: readMetadata(parts, addresses, request.url),
    warnings: treeWarnings(tree),
    charset,
  };
  if (formats.rawHtml) result.rawHtml = text;
  if (formats.links) result.links = readLinks(parts, addresses);
  if (formats.images) result.images = readImages(parts, addresses);
  if (formats.outlinks) result.outlinks = readOutlinks(parts, addresses);
  if (formats.attributes.length > 0) result.attributes = readAttributes(tree.root, formats.attributes);
  if (readPage) {
    const source: PageSource = { root: tree.root, parts, addresses, url: request.url, kind: "html", text };
    result.found = readPage(source, request.reader?.input);
  }
  const isShown = formats.markdown || formats.html;
  if (!isShown && !request.forSearch) {
    addDetectedLanguage(result.metadata, () => sampleOf(tree.root.children));
    return result;
  }

  if (parts.hasEmbeddedData) addEmbeddedText(tree.root, parts.body);
  const isUsual = request.onlyMainContent && request.includeTags.length + request.excludeTags.length === 0;
  const selection = isShown ? selectContent(tree.root, parts, request) : null;
  const { nodes, dropped } = selection ?? { nodes: tree.root.children, dropped: undefined };
  addDetectedLanguage(result.metadata, () => sampleOf(nodes, dropped));
  if (request.forSearch) {
    const main = (isUsual && selection) || selectContent(tree.root, parts, wholeMain);
    const { links } = result.outlinks ?? readOutlinks(parts, addresses);
    result.searchText = { ...readSearchText(main.nodes, main.dropped), links: links.slice(0, maxSearchLinks) };
  }
  if (selection) writeSelection(result, selection, request, { addresses, hasTex: parts.hasTex });
  return result;
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
  { formats, removeBase64Images, explain, includeTags }: ContentRequest,
  { addresses, hasTex }: { addresses: Addresses; hasTex: boolean },
): void {
  if (quality) result.metadata.quality = quality;
  if (hiddenText > 0) result.metadata.hiddenText = hiddenText;
  if (explain && verdicts) result.blocks = verdicts();
  if (formats.markdown) result.markdown = toMarkdown(nodes, { addresses, dropped, removeBase64Images, hasTex });
  if (nodes.length === 0 && includeTags.length > 0) result.warnings.push("Nothing on the page matches includeTags");
  else if (result.markdown === "") result.warnings.push("The page has no text");
  if (formats.html) result.html = toHtml(nodes, dropped, addresses);
}

function readText(
  request: ContentRequest,
  text: string,
  kind: ContentKind,
  charset: string,
  readPage?: ReadPage,
): PageContent {
  const { formats } = request;
  const other = readOther(text, kind, request.contentType);
  const result: PageContent = { metadata: { title: other.title, description: "" }, warnings: [], charset };
  if (formats.markdown) result.markdown = other.markdown;
  if (formats.html) result.html = `<pre>${text.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</pre>`;
  if (formats.rawHtml) result.rawHtml = text;
  if (formats.links) result.links = other.links;
  if (formats.images) result.images = [];
  if (formats.outlinks) {
    const links = other.links.map((url) => ({ url, text: "" }));
    result.outlinks = { links, canonical: null, alternates: [], feeds: [] };
  }
  if (formats.attributes.length > 0) result.attributes = formats.attributes.map((query) => ({ ...query, values: [] }));
  if (readPage) {
    const { root } = parseHtml("");
    const addresses = new Addresses(request.url, null);
    const source: PageSource = { root, parts: findParts(root), addresses, url: request.url, kind, text };
    result.found = readPage(source, request.reader?.input);
  }
  if (request.forSearch) {
    const links = other.links.slice(0, maxSearchLinks).map((url) => ({ url, text: "" }));
    result.searchText = { text: other.markdown, headings: [], links };
  }
  if (kind === "text") addDetectedLanguage(result.metadata, () => text);
  if (text.trim() === "") result.warnings.push("The page has no text");
  return result;
}

function readAttributes(root: Document, queries: readonly AttributeQuery[]): AttributeValues[] {
  return queries.map(({ selector, attribute: name }) => ({
    selector,
    attribute: name,
    values: findAll(selector, root)
      .map((element) => attribute(element, name.toLowerCase()))
      .filter((value) => value !== undefined),
  }));
}

function treeWarnings(tree: Tree): string[] {
  const warnings: string[] = [];
  if (tree.isCut) warnings.push(`The page has more than ${maxNodes} nodes; the rest was left out`);
  if (tree.isFlattened)
    warnings.push("Elements of the page are nested too deeply; the deepest were put beside each other");
  return warnings;
}
