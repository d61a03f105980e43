// Which copies were found a moment ago, so that a page that many ask for is looked up once a second instead of for each of them.
// Copies that this process keeps are found at once; one that another process keeps may go unseen for that second.
import { type Clock, secondMs } from "../../base/index.ts";
import type { FoundCopy } from "../../store/index.ts";

const longestMs = secondMs;
const mostCopies = 1000;

interface Entry {
  copy: FoundCopy;
  keptSince: number;
  /** Changes of its keys after this one are not in it. */
  change: number;
}

export function createRecentCopies(clock: Clock) {
  /** In the order in which they were found. */
  const entries = new Map<string, Entry>();
  /** The last change of each key, in the order of the changes; older ones than any entry are forgotten. */
  const changes = new Map<string, { number: number; at: number }>();
  let latest = 0;

  const isOld = (since: number) => Math.abs(clock.now() - since) > longestMs;
  const nameOf = (teamId: string, keys: readonly string[]) => [teamId, ...keys].join(" ");
  const isUnchanged = (keys: readonly string[], since: number) =>
    keys.every((key) => (changes.get(key)?.number ?? 0) <= since);

  return {
    /** The newest copy that `look` finds now or found a moment ago. */
    async find(
      teamId: string,
      keys: readonly string[],
      look: () => Promise<FoundCopy | null>,
    ): Promise<FoundCopy | null> {
      const name = nameOf(teamId, keys);
      const known = entries.get(name);
      if (known && !isOld(known.keptSince) && isUnchanged(keys, known.change)) return known.copy;
      entries.delete(name);
      const change = latest;
      const keptSince = clock.now();
      const copy = await look();
      if (!copy) return null;
      entries.set(name, { copy, keptSince, change });
      for (const [oldest, entry] of entries) {
        if (entries.size <= mostCopies && !isOld(entry.keptSince)) break;
        entries.delete(oldest);
      }
      return copy;
    },

    /** To be called once copies with these keys can be read. */
    noteChanges(keys: readonly string[]): void {
      for (const key of keys) {
        latest += 1;
        changes.delete(key);
        changes.set(key, { number: latest, at: clock.now() });
      }
      for (const [oldest, { at }] of changes) {
        if (!isOld(at)) break;
        changes.delete(oldest);
      }
    },
  };
}
