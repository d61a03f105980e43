// Answers of searches that are kept for a while, so that the same question is not asked again. In memory; failures are never kept.
import { type Clock, secondMs } from "../../base/index.ts";

export interface CacheLimits {
  seconds: number;
  /** Over all teams; a result takes about a kilobyte. */
  maxResults: number;
}

export interface ResultCache<Answer> {
  find(key: string): Answer | null;
  keep(key: string, answer: Answer): void;
}

export function createResultCache<Answer extends { results: readonly unknown[] }>(
  clock: Clock,
  { seconds, maxResults }: CacheLimits,
): ResultCache<Answer> {
  /** Oldest first. */
  const entries = new Map<string, { at: number; answer: Answer }>();
  let count = 0;

  function forget(key: string): void {
    const entry = entries.get(key);
    if (entry) count -= entry.answer.results.length + 1;
    entries.delete(key);
  }

  return {
    find(key) {
      const entry = entries.get(key);
      if (!entry) return null;
      const ageMs = clock.now() - entry.at;
      // A clock that was set back makes nothing younger.
      if (ageMs >= 0 && ageMs < seconds * secondMs) return entry.answer;
      forget(key);
      return null;
    },

    keep(key, answer) {
      if (seconds === 0) return;
      forget(key);
      entries.set(key, { at: clock.now(), answer });
      count += answer.results.length + 1;
      for (const oldest of entries.keys()) {
        if (count <= maxResults) break;
        forget(oldest);
      }
    },
  };
}
