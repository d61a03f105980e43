// Pages for the tests of the content room, which all ask for nearly the same.
import { readFileSync } from "node:fs";
import { readModel } from "../../src/content/main/stored-model.ts";
import type { ContentRequest, PageContent } from "../../src/content/reading/content-request.ts";
import { readContent } from "../../src/content/reading/read-content.ts";
import { readLanguageTable } from "../../src/detection/index.ts";

/** The file of the model that the product ships. */
export const modelFile: Uint8Array = readFileSync(new URL("../../assets/main-content.model", import.meta.url));
export const languagesFile: Uint8Array = readFileSync(new URL("../../assets/languages.model", import.meta.url));
export const contentTools = { model: readModel(modelFile), languages: readLanguageTable(languagesFile) };

export const noFormats = {
  markdown: false,
  html: false,
  rawHtml: false,
  links: false,
  images: false,
  outlinks: false,
};

/** The whole page as markdown, unless the changes say otherwise. */
export function contentRequest(body: string | Uint8Array, changes: Partial<ContentRequest> = {}): ContentRequest {
  return {
    // A copy: small buffers share their memory, and requests are passed on to threads.
    bytes: typeof body === "string" ? Uint8Array.from(Buffer.from(body)) : body,
    contentType: "text/html; charset=utf-8",
    url: "https://site.test/",
    formats: { ...noFormats, markdown: true },
    onlyMainContent: false,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    ...changes,
  };
}

/** Of a page that can be read. */
export function readPage(body: string | Uint8Array, changes: Partial<ContentRequest> = {}): PageContent {
  const result = readContent(contentRequest(body, changes), contentTools);
  if ("unsupported" in result) throw new Error(result.reason);
  return result;
}
