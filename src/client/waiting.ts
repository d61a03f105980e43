// Following a job to its end: each look at its status, and what is new among its documents.
import type { OperationOutput } from "../contract/index.ts";
import { type CallOptions, sleep, type Transport } from "./transport.ts";

export type JobLook = OperationOutput<"readCrawl">;

export interface WaitOptions<Status = JobLook> extends CallOptions {
  /** Longest time between two looks, in milliseconds; 2000 unless given. Messages of the server make it shorter. */
  intervalMs?: number | undefined;
  /** Told of every look. */
  onProgress?: ((status: Status) => void) | undefined;
}

const firstLookMs = 100;
/** However many messages come, the server is not asked more often. */
const shortestLookMs = 100;
const usualLookMs = 2000;

/** Every look at a crawl or batch, with the documents that were not in an earlier one, until the job has ended. */
export async function* jobLooks(
  transport: Transport,
  path: string,
  { signal, intervalMs = usualLookMs, skip = 0 }: WaitOptions & { skip?: number } = {},
): AsyncGenerator<JobLook> {
  const events = watchJob(transport, path);
  let seen = skip;
  let delayMs = firstLookMs;
  try {
    for (;;) {
      const status = (await transport.send("GET", path, { query: { skip: seen }, signal })) as JobLook;
      seen = nextSkip(status) ?? seen + status.data.length;
      yield status;
      const hasMore = status.next !== undefined && status.data.length > 0;
      if (status.status !== "scraping" && !hasMore) return;
      if (hasMore) continue;
      delayMs = Math.min(intervalMs, delayMs * 1.5);
      await events.wait(delayMs, signal);
    }
  } finally {
    events.close();
  }
}

/** The last look at a job that has no documents: an extract or an agent. */
export async function waitForAnswer<Status extends { status: string }>(
  transport: Transport,
  path: string,
  { signal, intervalMs = usualLookMs, onProgress }: WaitOptions<Status> = {},
): Promise<Status> {
  for (let delayMs = firstLookMs; ; delayMs = Math.min(intervalMs, delayMs * 1.3)) {
    const status = (await transport.send("GET", path, { signal })) as Status;
    onProgress?.(status);
    if (status.status !== "processing") return status;
    await sleep(delayMs, signal);
  }
}

/** Where the next look starts: a document that is gone counts, too. */
function nextSkip({ next }: JobLook): number | undefined {
  const skip = next === undefined ? null : new URL(next, "http://server").searchParams.get("skip");
  return skip === null ? undefined : Number(skip);
}

/** Wakes whoever waits when the server sends a message about the job. */
function watchJob(transport: Transport, path: string) {
  const closing = new AbortController();
  const messages = transport.watch?.(path, closing.signal) ?? null;
  let wake = () => {};
  const listen = async () => {
    for await (const _ of messages ?? []) wake();
  };
  // A connection that fails leaves the timer.
  listen().catch(() => undefined);
  return {
    async wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
      const rest = new AbortController();
      const stop = () => rest.abort();
      signal?.addEventListener("abort", stop, { once: true });
      await sleep(Math.min(ms, shortestLookMs), signal);
      wake = stop;
      await sleep(Math.max(0, ms - shortestLookMs), rest.signal).catch(() => undefined);
      wake = () => {};
      signal?.removeEventListener("abort", stop);
      signal?.throwIfAborted();
    },
    close: () => closing.abort(),
  };
}
