// What is known of each source, for those who run the server.
import { isoTime } from "../../base/index.ts";
import type { OpenSource } from "../sources/source.ts";
import type { SourceLimiter } from "./source-limiter.ts";
import { bucketsOf } from "./source-pace.ts";

export interface SourceReport {
  name: string;
  title: string;
  tier: OpenSource["tier"];
  /** Kinds of results and categories. */
  serves: string[];
  state: "ready" | "resting";
  /** ISO time; null when it does not rest. */
  restsUntil: string | null;
  /** In a row, since its last answer. */
  failures: number;
  lastError: string | null;
  lastErrorAt: string | null;
  /** `used` of `requests` in the current `seconds`, by all processes. */
  pace: { requests: number; seconds: number; used: number }[];
  asked: SourceCounts;
}

/** By this process since it started. */
export interface SourceCounts {
  requests: number;
  failures: number;
  rests: number;
}

export async function listSources(
  sources: readonly OpenSource[],
  limiter: Pick<SourceLimiter, "states" | "paces">,
  counts: ReadonlyMap<string, SourceCounts>,
  now: number,
): Promise<SourceReport[]> {
  const [states, paces] = await Promise.all([limiter.states(), limiter.paces()]);
  return sources.map((source) => {
    const { name, title, tier, serves, pace } = source;
    const state = states.find((one) => one.name === name);
    const isResting = state !== undefined && state.rests > 0 && state.restUntil > now;
    const buckets = bucketsOf(source);
    return {
      name,
      title,
      tier,
      serves: [...serves],
      state: isResting ? "resting" : "ready",
      restsUntil: isResting ? isoTime(state.restUntil) : null,
      failures: state?.failures ?? 0,
      lastError: state?.lastError ?? null,
      lastErrorAt: state?.lastErrorAt ? isoTime(state.lastErrorAt) : null,
      pace: pace.map(({ most, seconds }, place) => ({
        requests: most,
        seconds,
        used: paces.find(({ bucket }) => bucket === buckets[place]?.bucket)?.used ?? 0,
      })),
      asked: counts.get(name) ?? { requests: 0, failures: 0, rests: 0 },
    };
  });
}
