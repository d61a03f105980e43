// Bytes of one page -> the outputs that were asked for. Pure: one parsed tree, no network, clock, disk or setting.
import type { Document } from "domhandler";
import { Addresses } from "./addresses.ts";
import { decode } from "./decode.ts";
import { addEmbeddedText, embeddedMark } from "./embedded-text.ts";
import { toHtml } from "./html.ts";
import { binaryReason, type ContentKind, kindOf } from "./kind.ts";
import type { BlockVerdict } from "./learned-main.ts";
import { readImages, readLinks } from "./links.ts";
import { toMarkdown } from "./markdown.ts";
import { type PageMetadata, readMetadata } from "./metadata.ts";
import { attribute } from "./nodes.ts";
import { readOther } from "./other-kinds.ts";
import { type Outlinks, readOutlinks } from "./outlinks.ts";
import { findParts } from "./page-parts.ts";
import { maxNodes, parseHtml, type Tree } from "./parse.ts";
import { selectContent } from "./select.ts";
import { findAll } from "./selectors.ts";

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
  metadata: PageMetadata;
  /** Only when explained, and only where the model chose the main part. */
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

/** Reads one page. Never throws for what a page contains. */
export function readContent(request: ContentRequest): ContentResult {
  const reason = binaryReason(request.bytes, request.contentType);
  if (reason !== null) return { unsupported: true, reason };
  const { text, charset } = decode(request.bytes, request.contentType);
  const kind = kindOf(text, request.contentType);
  return kind === "html" ? readHtml(request, text, charset) : readText(request, text, kind, charset);
}

function readHtml(request: ContentRequest, text: string, charset: string): PageContent {
  const { formats } = request;
  const tree = parseHtml(text);
  const parts = findParts(tree.root);
  const addresses = new Addresses(request.url, parts.baseHref);
  const result: PageContent = { metadata: readMetadata(parts, addresses), warnings: treeWarnings(tree), charset };
  if (formats.rawHtml) result.rawHtml = text;
  if (formats.links) result.links = readLinks(parts, addresses);
  if (formats.images) result.images = readImages(parts, addresses);
  if (formats.outlinks) result.outlinks = readOutlinks(parts, addresses);
  if (formats.attributes.length > 0) result.attributes = readAttributes(tree.root, formats.attributes);
  if (!formats.markdown && !formats.html) return result;

  if (text.includes(embeddedMark)) addEmbeddedText(tree.root, parts.body);
  const { nodes, dropped, quality, hiddenText, verdicts } = selectContent(tree.root, parts, request);
  if (quality) result.metadata.quality = quality;
  if (hiddenText > 0) result.metadata.hiddenText = hiddenText;
  if (request.explain && verdicts) result.blocks = verdicts();
  const { removeBase64Images } = request;
  if (formats.markdown)
    result.markdown = toMarkdown(nodes, { addresses, dropped, removeBase64Images, hasTex: parts.hasTex });
  if (result.markdown === "") result.warnings.push("The page has no text");
  if (formats.html) result.html = toHtml(nodes, dropped, addresses);
  return result;
}

function readText(request: ContentRequest, text: string, kind: ContentKind, charset: string): PageContent {
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
