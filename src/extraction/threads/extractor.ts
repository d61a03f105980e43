// Checks callers' schemas and fills them, in one thread with bounds on time and memory. It starts with the first request
// and goes again when idle.
import type { Piscina } from "piscina";
import {
  compiledFile,
  createSemaphore,
  createThreadDeadline,
  createThreadNote,
  limitThreadMemory,
} from "../../base/index.ts";
import type { Problem } from "../../llm/index.ts";
import { createDataFiller, type FillData } from "../filling/data-filler.ts";
import type { FillRequest } from "../filling/fill.ts";
import type { FilledData } from "../findings/finding.ts";
import type { TextPassage } from "../passages/passages.ts";
import type { ProblemsRequest } from "../schema/problems.ts";
import { findExcess, type SchemaVerdict } from "../schema/schema-bounds.ts";
import { withObservation } from "../site-rules/count-observations.ts";
import type { markdownFormats } from "../texts/markdown-formats.ts";
import type { thingFormats } from "../things/thing-formats.ts";

export type MarkdownFormatName = keyof typeof markdownFormats;

export interface FormatTask {
  name: MarkdownFormatName;
  markdown: string;
  /** Those of the format's row in the contract. */
  options: object;
}

/** What is asked of a text: its summary, and its passages about each query. */
export interface TextRequest {
  markdown: string;
  wantsSummary: boolean;
  queries: string[];
}

export interface PassageAnswer {
  /** "" when it was not wanted or there is no sentence. */
  summary: string;
  /** For each query the best passages, best first. */
  passages: TextPassage[][];
}

export interface Extractor {
  /** Whether a schema can be used here: valid, without references to elsewhere, within bounds. */
  checkSchema(schema: unknown): Promise<SchemaVerdict>;
  /** What pages say, and what a language model reads on them besides; null when that takes too long. */
  fillData: FillData;
  /** Rejects when the schema takes too long or too much memory. */
  fill(request: FillRequest): Promise<FilledData>;
  /** Where a value breaks a schema. Rejects when that takes too long. */
  problems(request: ProblemsRequest): Promise<Problem[]>;
  /** Rejects when the text takes too long. */
  readText(request: TextRequest): Promise<PassageAnswer>;
  /** The fields of the document that a format of `texts` fills. Rejects when the text takes too long. */
  makeFormat(task: FormatTask): Promise<object & { warnings?: string[] }>;
  loadThingFormats(): Promise<typeof thingFormats>;
  /** The rules of a host with what one more page has taught. */
  withObservation: typeof withObservation;
  close(): Promise<void>;
}

type TaskName = "check" | "fill" | "problems" | "readText" | "makeFormat";

const idleMs = 30_000;
/** Of CPU; far beyond what a schema within bounds takes. */
const timeoutMs = 5_000;
/** A tokenizer reads about a megabyte a second on a slow machine. */
const formatTimeoutMs = 30_000;

const workerFile = compiledFile(import.meta.url, "./extractor-worker.ts");

export function createExtractor(): Extractor {
  let pool: Promise<Piscina> | null = null;
  // Own turns instead of the pool's queue: the time limit begins when the thread is free.
  const turns = createSemaphore({ places: 1 });

  async function start(): Promise<Piscina> {
    const { Piscina: Pool } = await import("piscina");
    const created = new Pool({
      filename: workerFile.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      resourceLimits: limitThreadMemory(128),
      env: {},
      execArgv: [],
    });
    created.on("error", () => {});
    return created;
  }

  function run<Answer>(name: TaskName, task: unknown, limitMs = timeoutMs): Promise<Answer> {
    return turns.run(() => runNow<Answer>(name, task, limitMs));
  }

  async function runNow<Answer>(name: TaskName, task: unknown, limitMs: number): Promise<Answer> {
    pool ??= start();
    const threads = await pool;
    // A busy machine may take longer to start a thread than any schema takes: that is not the schema's fault.
    if (threads.threads.length === 0) await threads.run(null, { name: "ready" });
    const note = createThreadNote();
    const limit = createThreadDeadline(new AbortController().signal, limitMs, note);
    try {
      return await threads.run({ task, note }, { name, signal: limit.signal });
    } finally {
      limit.clear();
    }
  }

  const fill = (request: FillRequest) => run<FilledData>("fill", request);
  const problems = (request: ProblemsRequest) => run<Problem[]>("problems", request);

  return {
    async checkSchema(schema) {
      const excess = findExcess(schema);
      if (excess) return excess;
      try {
        return await run<SchemaVerdict>("check", schema);
      } catch {
        return { ok: false, path: [], message: "The schema takes too long to read" };
      }
    },
    fillData: createDataFiller({ fill, problems }),
    fill,
    problems,
    readText: (request) => run<PassageAnswer>("readText", request),
    makeFormat: (task) => run<object>("makeFormat", task, formatTimeoutMs),
    // Late: the readers of things bring all methods with them, and the main thread needs little of them.
    loadThingFormats: async () => (await import("../things/thing-formats.ts")).thingFormats,
    withObservation,
    async close() {
      await (await pool)?.destroy();
    },
  };
}
