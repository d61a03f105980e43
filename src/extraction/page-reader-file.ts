// Where the content pool's threads find the reader of pages: for ContentRequest.reader.
import { compiledFile } from "../base/index.ts";

/** What is wanted of a page. Neither: the structured data that the page offers. */
export interface ReaderInput {
  /** Checked by `Extractor.checkSchema` before. */
  schema: Record<string, unknown> | null;
  prompt: string | null;
}

/** `reader: { module: pageReader, input: ReaderInput }` of a ContentRequest; its answer `PageContent.found` is a PageFinding. */
export const pageReader = compiledFile(import.meta.url, "./page-reader.ts").href;
