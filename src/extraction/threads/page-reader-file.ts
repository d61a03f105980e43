// Where the content pool's threads find the reader of pages: for ContentRequest.reader.

/** Sources run under a test runner, where threads cannot load TypeScript: the compiled module stands in. */
const file = import.meta.url.endsWith(".ts")
  ? new URL("../../../dist/extraction/reading/page-reader.js", import.meta.url)
  : new URL("../reading/page-reader.js", import.meta.url);

/** `reader: { module: pageReader, input: ReaderInput }` of a ContentRequest; its answer `PageContent.found` is a PageFinding. */
export const pageReader = file.href;
