// A page in Jina Reader's forms: its content with links and images as asked for, summaries of both, and the text form.
import type { Document } from "../../contract/index.ts";
import { countTokens, plainTextOf } from "../frame/texts.ts";
import type { Mode, ReaderOptions } from "./options.ts";

/** Neither text nor URL holds a bracket, so that no attempt reads past the next one. */
const image = /!\[([^[\]\n]*)\]\(([^\s)[\]]*)(?:[ \t]"[^"\n[\]]*")?\)/g;
/** An image that is the text of a link. */
const linkedImage = /\[(!\[[^[\]\n]*\]\([^\s)[\]]*(?:[ \t]"[^"\n[\]]*")?\))\]\([^\s)[\]]*(?:[ \t]"[^"\n[\]]*")?\)/g;
const link = /(?<!!)\[([^[\]\n]*)\]\(([^\s)[\]]*)(?:[ \t]"[^"\n[\]]*")?\)/g;

type Pairs = [string, string][];
type Summary = Record<string, string> | Pairs;

export interface JinaPage {
  title: string;
  description: string;
  /** As it was asked for. */
  url: string;
  content?: string;
  html?: string;
  text?: string;
  screenshotUrl?: string;
  pageshotUrl?: string;
  publishedTime?: string;
  warning?: string;
  links?: Summary;
  images?: Summary;
  numPages?: number;
  metadata: object;
  external: object;
  usage: { tokens: number };
}

export function toJinaPage(url: string, document: Document, options: ReaderOptions): JinaPage {
  const { markdown = "", metadata, screenshot, warning } = document;
  const { title = "", description = "", language, publishedTime, numPages, statusCode = 200 } = metadata;
  const has = (mode: Mode) => options.modes.includes(mode);
  const hasContent = has("content") || has("markdown");
  const content = hasContent ? cutAt(withLinksAndImages(markdown, options), options.maxTokens) : "";
  const text = has("text") ? cutAt(plainTextOf(markdown), options.maxTokens) : "";
  const html = has("html") ? cutAt(htmlOf(document), options.maxTokens) : "";
  const shown = hasContent ? content : has("text") ? text : html;
  const told = [
    statusCode >= 400 ? `Target URL returned error ${statusCode}: ${statusText(statusCode)}` : "",
    warning ?? "",
  ];
  const warnings = told.filter((each) => each !== "").join("\n");
  return {
    title,
    description,
    url,
    ...(hasContent ? { content } : {}),
    ...(has("html") ? { html } : {}),
    ...(has("text") ? { text } : {}),
    ...(has("screenshot") && screenshot ? { screenshotUrl: screenshot } : {}),
    ...(has("pageshot") && screenshot ? { pageshotUrl: screenshot } : {}),
    ...(publishedTime === undefined ? {} : { publishedTime }),
    ...(warnings === "" ? {} : { warning: warnings }),
    ...(options.links === "none" ? {} : { links: summaryOf(linksOf(document), options.links) }),
    ...(options.images === "none" ? {} : { images: summaryOf(imagesOf(markdown), options.images) }),
    ...(numPages === undefined ? {} : { numPages }),
    metadata: language === undefined ? {} : { lang: language },
    external: {},
    usage: { tokens: countTokens(shown) },
  };
}

/** As it was sent, or what selectors leave of it. */
export function htmlOf({ rawHtml, html }: Document): string {
  return rawHtml ?? html ?? "";
}

const statusTexts: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  429: "Too Many Requests",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

function statusText(status: number): string {
  return statusTexts[status] ?? (status < 500 ? "Client Error" : "Server Error");
}

function cutAt(text: string, maxTokens: number | undefined): string {
  if (maxTokens === undefined || text.length <= maxTokens * 4) return text;
  // Not between the halves of a surrogate pair.
  return text.slice(0, maxTokens * 4).replace(/[\ud800-\udbff]$/, "");
}

function withLinksAndImages(markdown: string, { retainImages, retainLinks }: ReaderOptions): string {
  // An image is no text of a link: it stays or goes as images do.
  const unlinked = retainLinks === "all" ? markdown : markdown.replace(linkedImage, "$1");
  let count = 0;
  const named = (alt: string) => {
    count += 1;
    return alt === "" ? `(Image ${count})` : `(Image ${count}: ${alt})`;
  };
  const withImages =
    retainImages === "all"
      ? unlinked
      : unlinked.replace(image, (_, alt: string) => (retainImages === "none" ? "" : named(alt)));
  if (retainLinks === "all") return withImages;
  return withImages.replace(link, (_, text: string) => (retainLinks === "none" ? "" : text));
}

function linksOf({ markdown = "", links = [] }: Document): Pairs {
  const named = [...markdown.replace(image, "$1").matchAll(link)].map(([, text = "", url = ""]): [string, string] => [
    text.trim() || url,
    url,
  ]);
  const known = new Set(named.map(([, url]) => url));
  return [...named, ...links.filter((url) => !known.has(url)).map((url): [string, string] => [url, url])];
}

function imagesOf(markdown: string): Pairs {
  return [...markdown.matchAll(image)].map(([, alt = "", url = ""], index) => [
    alt === "" ? `Image ${index + 1}` : `Image ${index + 1}: ${alt}`,
    url,
  ]);
}

/** By their texts, each once; or every one of them. */
function summaryOf(pairs: Pairs, how: "named" | "all"): Summary {
  return how === "all" ? pairs : Object.fromEntries(pairs);
}

function linesOf(summary: Summary, sign: string): string[] {
  const pairs = Array.isArray(summary) ? summary : Object.entries(summary);
  return pairs.map(([name, url]) => `- ${sign}[${name}](${url})`);
}

/** One block after the other, with a blank line between them. */
export function pageAsText(page: JinaPage): string {
  const { title, url, publishedTime, warning, numPages, content = "" } = page;
  return [
    `Title: ${title}`,
    `URL Source: ${url}`,
    ...(publishedTime === undefined ? [] : [`Published Time: ${publishedTime}`]),
    ...(warning === undefined ? [] : [`Warning: ${warning}`]),
    ...(numPages === undefined ? [] : [`Number of Pages: ${numPages}`]),
    `Markdown Content:\n${content}`,
    ...summaryBlocks(page),
  ].join("\n\n");
}

/** The lists of images and links, where they were asked for. */
export function summaryBlocks({ images, links }: Pick<JinaPage, "images" | "links">): string[] {
  return [
    ...(images === undefined ? [] : [["Images:", ...linesOf(images, "!")].join("\n")]),
    ...(links === undefined ? [] : [["Links/Buttons:", ...linesOf(links, "")].join("\n")]),
  ];
}
