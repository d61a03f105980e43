import type { ContentRequest, ContentResult } from "./content.ts";

export interface ContentPoolOptions {
  threads: number;
  /** Wall-clock time for one page; its worker is ended when it is over. */
  timeoutMs: number;
  /** Heap of one worker. */
  maxMemoryMb: number;
}

export interface ContentFailure {
  failure: "timeout" | "memory" | "crash";
}

export interface ContentPool {
  /** Takes the bytes over: the caller's view may be empty afterwards. Rejects only with the signal's reason. */
  read(request: ContentRequest, signal: AbortSignal): Promise<ContentResult | ContentFailure>;
  close(): Promise<void>;
}

export function createContentPool(_options: ContentPoolOptions): ContentPool {
  throw new Error("not built yet");
}
