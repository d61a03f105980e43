// Notes which sources of a search failed, and tells a source that is down from a server without a network.
import type { Clock, Logger } from "../../base/index.ts";
import type { Net } from "../../net/index.ts";
import type { Store } from "../../store/index.ts";
import type { OpenSource } from "../sources/source.ts";
import type { FederationSettings } from "./federation-settings.ts";
import type { Part } from "./search-part.ts";
import type { SourceFailure } from "./source-failure.ts";
import type { SourceLimiter } from "./source-limiter.ts";
import type { SourceCounts } from "./source-reports.ts";
import { nothingReachable, withTime } from "./source-warnings.ts";

export interface FederationDeps {
  net: Pick<Net, "fetch">;
  store: Pick<Store, "searchSources" | "transaction">;
  clock: Clock;
  log: Logger;
}

export interface AskedSources {
  sources: readonly OpenSource[];
  limiter: SourceLimiter;
  counts: ReadonlyMap<string, SourceCounts>;
}

const leastUnreachable = 3;

export function createFailureNotes(
  { clock, log }: FederationDeps,
  settings: FederationSettings,
  { sources, limiter, counts }: AskedSources,
) {
  async function noteFailure(source: OpenSource, failure: SourceFailure, isTrial: boolean): Promise<number | null> {
    const restUntil = await limiter.noteFailure(source, failure, isTrial);
    const count = counts.get(source.name);
    if (restUntil !== null && count) count.rests += 1;
    return restUntil;
  }

  /** Unreachable sources are noted here: one by one, or all together when nothing can be reached. */
  async function noteUnreached(parts: readonly Part[]): Promise<string[]> {
    const sent = parts.filter(({ isSent }) => isSent);
    const unreached = sent.flatMap((part) => {
      const ending = part.asked?.ending;
      return ending?.state === "failed" && isUnreached(ending.failure) ? [{ ...part, ending }] : [];
    });
    if (unreached.length >= leastUnreachable && unreached.length === sent.length) {
      const names = unreached.map(({ source }) => source.name);
      // Those that were not asked are as far away, unless the operator has them nearby.
      const all = sources.filter(({ name }) => names.includes(name) || settings.endpoints[name] === undefined);
      const until = await limiter.restTogether(all, nothingReachable);
      for (const { source, ending } of unreached) {
        const count = counts.get(source.name);
        if (count) count.rests += 1;
        ending.restUntil = until;
      }
      return [withTime(nothingReachable, until, clock.now())];
    }
    for (const { source, ending, isTrial } of unreached) {
      ending.restUntil = await noteFailure(source, ending.failure, isTrial);
    }
    return [];
  }

  /** Its search has ended, so a store that has been closed meanwhile is not an error. */
  function noteLater(part: Part): void {
    part.ended.then(() => noteUnreached([part])).catch((error: unknown) => log.debug({ err: error }, "not noted"));
  }

  return { noteFailure, noteUnreached, noteLater };
}

export function isUnreached({ kind, code }: SourceFailure): boolean {
  return kind === "unreachable" || code === "timeout";
}
