// Where the content pool's threads find the reader of pages: for ContentRequest.reader.

/** What is wanted of a page. Neither: the structured data that the page offers. */
export interface ReaderInput {
  /** Checked by `Extractor.checkSchema` before. */
  schema: Record<string, unknown> | null;
  prompt: string | null;
}

/** Sources run under a test runner, where threads cannot load TypeScript: the compiled module stands in. */
const file = import.meta.url.endsWith(".ts")
  ? new URL("../../dist/extraction/page-reader.js", import.meta.url)
  : new URL("./page-reader.js", import.meta.url);

/** `reader: { module: pageReader, input: ReaderInput }` of a ContentRequest; its answer `PageContent.found` is a PageFinding. */
export const pageReader = file.href;
