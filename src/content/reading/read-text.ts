// A text that is no HTML -> the outputs that were asked for.

import { findParts, parseHtml } from "../../html/index.ts";
import { findInjectionsInText, verdictOfStatus, verdictOfText, withoutInvisible } from "../../safety/index.ts";
import type { ContentKind } from "../bytes/kind.ts";
import { PageUrls } from "../links/page-urls.ts";
import { addDetectedLanguage } from "../metadata/metadata.ts";
import { makeFromText } from "../outputs/make-outputs.ts";
import { readOther } from "../outputs/other-kinds.ts";
import { maxSearchLinks } from "../outputs/search-text.ts";
import { addInjections, type ContentRequest, type PageContent } from "./content-request.ts";
import type { ContentTools } from "./html-stages.ts";
import type { PageSource } from "./page-reader.ts";

export function readText<Input, Finding>(
  request: ContentRequest<Input>,
  source: string,
  kind: ContentKind,
  charset: string,
  { readPage, languages }: ContentTools<Input, Finding>,
): PageContent<Finding> {
  const { formats } = request;
  const { text, removed } = withoutInvisible(source);
  const other = readOther(text, kind, request.contentType);
  const result: PageContent<Finding> = {
    metadata: { title: other.title, description: "" },
    verdict: request.response ? verdictOfText(text, request.url, request.response) : verdictOfStatus(200),
    warnings: [],
    charset,
  };
  if (formats.markdown) result.markdown = other.markdown;
  if (formats.html) result.html = `<pre>${text.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</pre>`;
  if (removed > 0) result.metadata.hiddenText = removed;
  addInjections(result, findInjectionsInText(text, kind === "json" || kind === "xml"));
  makeFromText(result, formats, { text: source, links: other.links });
  if (formats.outlinks) {
    const links = other.links.map((url) => ({ url, text: "" }));
    result.outlinks = { links, canonical: null, alternates: [], feeds: [] };
  }
  if (readPage && request.readerInput !== undefined) {
    const { root } = parseHtml("");
    const urls = new PageUrls(request.url, null);
    const source: PageSource = { root, parts: findParts(root), urls, url: request.url, kind, text };
    result.found = readPage(source, request.readerInput);
  }
  if (request.forSearch && result.verdict.state === "content") {
    const links = other.links.slice(0, maxSearchLinks).map((url) => ({ url, text: "" }));
    result.searchText = { text: other.markdown, headings: [], links };
  }
  if (kind === "text") addDetectedLanguage(result.metadata, text, languages);
  if (text.trim() === "") result.warnings.push("The page has no text");
  return result;
}
