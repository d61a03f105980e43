// What services answered a moment ago, per team, so that asking again asks nobody. The own index is never kept here: a page
// must be found soon after it was read.
import { type Clock, secondMs } from "../../base/index.ts";
import type { Found } from "./fusion.ts";

const longestMs = 60 * secondMs;
/** Over all teams; a result is a kilobyte or so. */
const mostResults = 5000;

export interface WebAnswer {
  results: readonly Found[];
  warnings: readonly string[];
}

export type SearchCache = ReturnType<typeof createSearchCache>;

export function createSearchCache(clock: Clock) {
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
      if (clock.now() - entry.at < longestMs) return entry;
      forget(key);
      return null;
    },

    keep(key: string, answer: WebAnswer): void {
      if (entries.has(key)) forget(key);
      entries.set(key, { ...answer, at: clock.now() });
      count += sizeOf(answer);
      for (const oldest of entries.keys()) {
        if (count <= mostResults) break;
        forget(oldest);
      }
    },
  };
}

function sizeOf(answer: WebAnswer | undefined): number {
  return answer === undefined ? 0 : answer.results.length + 1;
}
