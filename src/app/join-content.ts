// The threads that read pages, with the model that ships beside the code and with the reader that finds data for schemas, and the
// one that fills schemas.
import { readFile } from "node:fs/promises";
import { createLazy, createTimeSlicer, type Lazy, type TimeSlicer } from "../base/index.ts";
import type { Config } from "../config.ts";
import { type ContentPool, createContentPool } from "../content/index.ts";
import type { Extractor, PageFinding, ReaderInput } from "../extraction/index.ts";

/** `assets/` is next to `src/` and `dist/` alike. */
const modelFile = new URL("../../assets/main-content.model", import.meta.url);
const languagesFile = new URL("../../assets/languages.model", import.meta.url);

/** They keep nothing of a server: servers of one process may share them. */
export interface Threads {
  /** Gives small requests their turn between pieces of long work. */
  slicer: TimeSlicer;
  content: ContentPool<ReaderInput, PageFinding>;
  extraction: Lazy<Extractor>;
  close(): Promise<void>;
}

export async function openThreads(config: Config): Promise<Threads> {
  const slicer = createTimeSlicer();
  const content = await openContent(config, slicer);
  // Loaded with the first request that needs it: an idle server stays small.
  const extraction = createLazy(async () => (await import("../extraction/index.ts")).createExtractor());
  return {
    slicer,
    content,
    extraction,
    async close() {
      await content.close();
      await (await extraction.opened())?.close();
    },
  };
}

async function openContent(config: Config, slicer: TimeSlicer): Promise<Threads["content"]> {
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
