// What search services answered within the last minute, per team, so that the same search does not ask them again. The local
// index is never cached here: a page must be found soon after it was read.
import { type Clock, secondMs } from "../../base/index.ts";
import type { AskedSource } from "../providers/search-provider.ts";
import type { SearchResult } from "./search-result.ts";

const maxAgeMs = 60 * secondMs;
/** Over all teams; a result takes about a kilobyte. */
const maxResults = 5000;

export interface WebAnswer {
  results: readonly SearchResult[];
  warnings: readonly string[];
  /** Services that failed before one answered. */
  failed: readonly AskedSource[];
}

export type AnswerCache = ReturnType<typeof createAnswerCache>;

export function createAnswerCache(clock: Clock) {
  /** Oldest first. */
  const entries = new Map<string, WebAnswer & { at: number }>();
  let count = 0;

  function forget(key: string): void {
    count -= sizeOf(entries.get(key));
    entries.delete(key);
  }

  return {
    find(key: string): WebAnswer | null {
      const entry = entries.get(key);
      if (!entry) return null;
      if (clock.now() - entry.at < maxAgeMs) return entry;
      forget(key);
      return null;
    },

    keep(key: string, { results, warnings, failed }: WebAnswer): void {
      if (entries.has(key)) forget(key);
      const entry = { results, warnings, failed, at: clock.now() };
      entries.set(key, entry);
      count += sizeOf(entry);
      for (const oldest of entries.keys()) {
        if (count <= maxResults) break;
        forget(oldest);
      }
    },
  };
}

function sizeOf(answer: WebAnswer | undefined): number {
  return answer === undefined ? 0 : answer.results.length + 1;
}
