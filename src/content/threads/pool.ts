// Pages are read in worker threads with bounds on time and memory, so that no page can stop the server.
// Threads start with the first page that needs one and go again when idle.

import type { Piscina } from "piscina";
import {
  compiledFile,
  createSemaphore,
  createThreadDeadline,
  createThreadNote,
  createTimeSlicer,
  limitThreadMemory,
  type TimeSlicer,
} from "../../base/index.ts";
import { type LanguageTable, readLanguageTable } from "../../detection/index.ts";
import { readModel, readModelHeader } from "../main/stored-model.ts";
import type { ContentRequest, ContentResult } from "../reading/content-request.ts";
import type { PageReader } from "../reading/page-reader.ts";
import type { ContentTask, ThreadData } from "./worker.ts";

export interface ContentPoolOptions<Input = never, Finding = unknown> {
  threads: number;
  /** CPU time for one page; its thread is ended when it is over. Where the system does not tell it, time on the clock. */
  timeoutMs: number;
  /** Heap of one thread. */
  maxMemoryMb: number;
  /** The bytes of the main-content model's file. */
  model: Uint8Array;
  /** The bytes of the file of the model of languages. */
  languages: Uint8Array;
  /** What is read without a thread takes its turns. */
  slicer?: TimeSlicer;
  /** Called with the first request that has a `readerInput`. */
  loadReader?: () => Promise<PageReader<Input, Finding>>;
}

export interface ContentFailure {
  failure: "timeout" | "memory" | "crash";
}

/** `Input` and `Finding` are those of its page reader. */
export interface ContentPool<Input = never, Finding = unknown> {
  /**
   * When all threads are busy, pages wait in a queue of their team, and the teams take turns. Rejects only with the
   * signal's reason.
   */
  read(
    request: ContentRequest<Input>,
    teamId: string,
    signal: AbortSignal,
  ): Promise<ContentResult<Finding> | ContentFailure>;
  /** Threads in use, and pages that wait for one. */
  load(): { active: number; waiting: number };
  close(): Promise<void>;
}

/**
 * Smaller pages are read on the calling thread. Measured warm on Node 20 with 2 shared cores, five pages of each size,
 * CPU of the whole process, here and through a thread (which also ran one selector): 11 KB 0.5 and 0.7-0.8 ms, 25 KB
 * 1.1-1.3 and 1.6-1.7, 99 KB 2.9-3.1 and 3.8-4.5, 1 MB 13-16 and 15-17. The worst of twenty pages of 32 KB made to
 * hurt took 42-58 ms here; selectors of callers never run here.
 */
const maxInlineBytes = 32 * 1024;
const idleMs = 30_000;

const workerFile = compiledFile(import.meta.url, "./worker.ts");

/** Throws when the model does not fit this code. */
export function createContentPool<Input = never, Finding = unknown>(
  options: ContentPoolOptions<Input, Finding>,
): ContentPool<Input, Finding> {
  const { slicer = createTimeSlicer() } = options;
  readModelHeader(options.model);
  // Turns instead of the pool's queue: they are fair, and the time limit begins when a thread is free.
  const turns = createSemaphore({ places: options.threads });
  let pool: Promise<Piscina<ContentTask, ContentResult<Finding>>> | null = null;
  let reader: Promise<PageReader<Input, Finding>> | null = null;
  let readHere: ((request: ContentRequest<Input>) => ContentResult<Finding>) | null = null;
  let languages: LanguageTable | null = null;
  let isClosed = false;

  function languageTable(): LanguageTable {
    languages ??= readLanguageTable(options.languages);
    return languages;
  }

  // Parser and pool are loaded with the first page, so that an idle server stays small.
  async function start(): Promise<Piscina<ContentTask, ContentResult<Finding>>> {
    const { Piscina: Pool } = await import("piscina");
    const created = new Pool<ContentTask, ContentResult<Finding>>({
      filename: workerFile.href,
      name: "read",
      minThreads: 0,
      maxThreads: options.threads,
      idleTimeout: idleMs,
      resourceLimits: limitThreadMemory(options.maxMemoryMb),
      workerData: { model: options.model, languages: languageTable() } satisfies ThreadData,
      env: {},
      execArgv: [],
    });
    // A thread that ends between two pages: the next page starts another one.
    created.on("error", () => {});
    return created;
  }

  async function loadHere() {
    const { readContent } = await import("../reading/read-content.ts");
    const model = readModel(options.model);
    const languages = languageTable();
    return (request: ContentRequest<Input>) => readContent<Input, Finding>(request, { model, languages });
  }

  async function urlOfReader({ readerInput }: ContentRequest<Input>): Promise<string | null> {
    if (readerInput === undefined || !options.loadReader) return null;
    reader ??= options.loadReader();
    return (await reader).url;
  }

  async function readInThread(
    request: ContentRequest<Input>,
    teamId: string,
    signal: AbortSignal,
  ): Promise<ContentResult<Finding> | ContentFailure> {
    const readerUrl = await urlOfReader(request);
    signal.throwIfAborted();
    const release = await turns.acquire(signal, teamId);
    const note = createThreadNote();
    const limit = createThreadDeadline(signal, options.timeoutMs, note);
    try {
      if (isClosed) return { failure: "crash" };
      pool ??= start();
      // The caller keeps its bytes; the thread gets a copy that is given away.
      const bytes = Uint8Array.from(request.bytes);
      const task = { request: { ...request, bytes }, readerUrl, note };
      return await (await pool).run(task, { signal: limit.signal, transferList: [bytes.buffer] });
    } catch (error) {
      signal.throwIfAborted();
      return { failure: limit.signal.aborted ? "timeout" : isOutOfMemory(error) ? "memory" : "crash" };
    } finally {
      limit.clear();
      release();
    }
  }

  return {
    async read(request, teamId, signal) {
      signal.throwIfAborted();
      if (!isCheap(request)) return readInThread(request, teamId, signal);
      const read = readHere ?? (await loadHere());
      readHere = read;
      return slicer.run(() => {
        signal.throwIfAborted();
        return read(request);
      });
    },
    load: () => turns.count(),
    async close() {
      isClosed = true;
      await (await pool)?.destroy();
    },
  };
}

/** Selectors, schemas and options of callers can be slow on any page, so they always run where they can be stopped. */
function isCheap({ bytes, includeTags, excludeTags, formats, readerInput }: ContentRequest<unknown>): boolean {
  if (bytes.byteLength > maxInlineBytes || includeTags.length + excludeTags.length > 0) return false;
  return readerInput === undefined && Object.values(formats).every((asked) => typeof asked === "boolean");
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
