// The pace of each source: how many requests it takes in so many seconds, of all processes together.
import { type Clock, ServiceError, secondMs } from "../../base/index.ts";
import type { PaceBucket, Store } from "../../store/index.ts";
import type { OpenSource } from "../sources/source.ts";

/** A store that cannot write must not stop searches: nothing is counted then. */
export async function tolerate<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "STORE_UNAVAILABLE") throw error;
    return otherwise;
  }
}

interface PaceDeps {
  store: Pick<Store, "searchSources">;
  clock: Clock;
}

/** Takes a place for each source, and returns the names of those whose pace has room. */
export function createSourcePace({ store, clock }: PaceDeps, isPaced: boolean) {
  return async function takePlaces(sources: readonly OpenSource[]): Promise<Set<string>> {
    const names = new Set(sources.map(({ name }) => name));
    if (!isPaced || sources.length === 0) return names;
    // Sources of one pace in one search are as many requests.
    const rounds: OpenSource[][] = [];
    for (const source of sources) {
      const round = rounds.find((one) => !one.some((other) => groupOf(other) === groupOf(source)));
      if (round) round.push(source);
      else rounds.push([source]);
    }
    const granted = new Set<string>();
    for (const round of rounds) {
      const buckets = round.flatMap(bucketsOf);
      const all = new Set(buckets.map(({ bucket }) => bucket));
      const free = await tolerate(() => store.searchSources.take(buckets, clock.now()), all);
      for (const source of round) {
        if (bucketsOf(source).every(({ bucket }) => free.has(bucket))) granted.add(source.name);
      }
    }
    return granted;
  };
}

function groupOf({ name, paceGroup }: OpenSource): string {
  return paceGroup ?? name;
}

export function bucketsOf(source: OpenSource): PaceBucket[] {
  return source.pace.map(({ most, seconds }) => ({
    bucket: `${groupOf(source)} ${seconds} s`,
    most,
    windowMs: seconds * secondMs,
  }));
}
