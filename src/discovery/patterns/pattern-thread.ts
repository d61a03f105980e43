// The one thread for patterns that may be slow. It starts with the first request and goes again when idle;
// requests take turns and are short, so that no caller holds it for long.

import { Worker } from "node:worker_threads";
import { compiledFile, createSemaphore, limitThreadMemory } from "../../base/index.ts";
import type { PatternReply, PatternRequest } from "./pattern-worker.ts";

export interface PatternThread {
  /** Null when the thread broke down or too many wait. Never rejects. */
  ask(request: PatternRequest): Promise<PatternReply | null>;
  close(): Promise<void>;
}

const maxWaiting = 1000;
/** Far beyond any turn: the thread itself keeps the time, this is for a thread that cannot. */
const hungMs = 10_000;

const workerFile = compiledFile(import.meta.url, "./pattern-worker.ts");

export function createPatternThread(idleMs: number): PatternThread {
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  const turns = createSemaphore({ places: 1 });
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(workerFile, {
      env: {},
      execArgv: [],
      resourceLimits: limitThreadMemory(64),
    });
    started.on("error", () => {});
    started.on("exit", () => {
      if (worker === started) worker = null;
    });
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  async function run(request: PatternRequest): Promise<PatternReply | null> {
    if (isClosed) return null;
    clearTimeout(idleTimer);
    worker ??= start();
    const running = worker;
    // Only a thread with a request in progress keeps the process alive.
    running.ref();
    const reply = await new Promise<PatternReply | null>((resolve) => {
      const fail = () => settle(null);
      const timer = setTimeout(fail, hungMs);
      function settle(value: PatternReply | null) {
        clearTimeout(timer);
        running.off("message", settle).off("exit", fail);
        resolve(value);
      }
      running.on("message", settle).on("exit", fail).postMessage(request);
    });
    running.unref();
    if (reply === null) await end();
    idleTimer = setTimeout(() => void end(), idleMs).unref();
    return reply;
  }

  return {
    async ask(request) {
      return turns.count().waiting < maxWaiting ? turns.run(() => run(request)) : null;
    },
    async close() {
      isClosed = true;
      clearTimeout(idleTimer);
      await end();
    },
  };
}
