// Runs in the content pool's threads: reads from one page's tree what a schema or a prompt asks for.
import type { PageSource } from "../content/index.ts";
import type { PageFinding } from "./finding.ts";
import type { ReaderInput } from "./page-reader-file.ts";

export function readPage(_source: PageSource, _input: ReaderInput): PageFinding {
  return { found: null };
}
