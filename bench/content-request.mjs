// What benches that read pages in their own process share: the content model in use, and the request for one page.
import { readFileSync } from "node:fs";
import { readModel } from "../dist/content/main/stored-model.js";
import { readLanguageTable } from "../dist/detection/languages/language-table.js";

const none = {
  markdown: false,
  html: false,
  rawHtml: false,
  links: false,
  images: false,
  outlinks: false,
};
const markdown = { ...none, markdown: true };

export function contentModel() {
  return readModel(readFileSync(new URL("../assets/main-content.model", import.meta.url)));
}

let languages;

export function languageModel() {
  languages ??= readLanguageTable(readFileSync(new URL("../assets/languages.model", import.meta.url)));
  return languages;
}

/** A request for the markdown of the main content. `charset`: of the bytes, null when a page has to say so itself. */
export function markdownRequest({ charset = "utf-8", ...page }) {
  return { ...requestFor(page, charset), formats: markdown, onlyMainContent: true };
}

/** A request for no format: for what else is read of a page. */
export function bareRequest({ charset = "utf-8", ...page }) {
  return { ...requestFor(page, charset), formats: none, onlyMainContent: false };
}

function requestFor(page, charset) {
  const contentType = charset ? `text/html; charset=${charset}` : "text/html";
  return { contentType, includeTags: [], excludeTags: [], removeBase64Images: true, ...page };
}
