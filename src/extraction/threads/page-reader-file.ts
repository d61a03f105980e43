// Where the content threads find the reader of pages.
import type { PageReaderOf } from "../../content/index.ts";

/** Sources run under a test runner, where threads cannot load TypeScript: the compiled module stands in. */
const file = import.meta.url.endsWith(".ts")
  ? new URL("../../../dist/extraction/reading/page-reader.js", import.meta.url)
  : new URL("../reading/page-reader.js", import.meta.url);

export const pageReader: PageReaderOf<typeof import("../reading/page-reader.ts")> = { url: file.href };
