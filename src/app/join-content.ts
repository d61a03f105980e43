// The content threads: with the model that ships beside the code, and with the reader that finds data for schemas.
import { readFile } from "node:fs/promises";
import type { TimeSlicer } from "../base/index.ts";
import type { Config } from "../config.ts";
import { type ContentPool, createContentPool } from "../content/index.ts";
import type { PageFinding, ReaderInput } from "../extraction/index.ts";

/** `assets/` is next to `src/` and `dist/` alike. */
const modelFile = new URL("../../assets/main-content.model", import.meta.url);
const languagesFile = new URL("../../assets/languages.model", import.meta.url);

export async function joinContent(config: Config, slicer: TimeSlicer): Promise<ContentPool<ReaderInput, PageFinding>> {
  return createContentPool({
    threads: config.contentThreads,
    timeoutMs: config.contentTimeoutMs,
    maxMemoryMb: config.contentMemoryMb,
    model: await readFile(modelFile),
    languages: await readFile(languagesFile),
    slicer,
    // Loaded when a request wants data, so that an idle server stays small.
    loadReader: async () => (await import("../extraction/index.ts")).pageReader,
  });
}
