// Who may be asked now. A source has a pace, and it rests after it refused or failed; both are in the store, so that they hold
// for all processes and after a restart.
import { type Clock, hourMs, type Logger, minuteMs, secondMs } from "../../base/index.ts";
import type { SourceState, Store } from "../../store/index.ts";
import type { OpenSource } from "../sources/source.ts";
import type { SourceFailure } from "./source-failure.ts";
import { createSourcePace, tolerate } from "./source-pace.ts";

export type Admission =
  /** `isHeld`: failures are held against it; `isTrial`: the first request after a rest decides whether that goes on. */
  | { state: "admitted"; isHeld: boolean; isTrial: boolean }
  | { state: "resting"; until: number; lastError: string }
  | { state: "paced" };

export interface LimiterDeps {
  store: Pick<Store, "searchSources" | "transaction">;
  clock: Clock;
  log: Logger;
}

export interface LimiterSettings {
  cooldownSeconds: number;
  isPaced: boolean;
}

export type SourceLimiter = ReturnType<typeof createSourceLimiter>;

const failuresToRest = 3;
/** How long others wait for the request that tries a source again. */
const trialMs = 15 * secondMs;
const longestRestMs = { open: hourMs, keyed: hourMs, scraped: 24 * hourMs };
const longestAskedMs = 24 * hourMs;
/** A server that gets its network back is not left without the web for long. */
const longestTogetherMs = 5 * minuteMs;
const fresh = { failures: 0, rests: 0, restUntil: 0, lastError: null, lastErrorAt: null };

export function createSourceLimiter({ store, clock, log }: LimiterDeps, { cooldownSeconds, isPaced }: LimiterSettings) {
  const takePlaces = createSourcePace({ store, clock }, isPaced);

  async function tryAgain(name: string, restUntil: number): Promise<boolean> {
    const until = clock.now() + trialMs;
    return tolerate(() => store.searchSources.claimTrial(name, restUntil, until), false);
  }

  async function restOf(source: OpenSource, state: SourceState): Promise<Admission | null> {
    const resting: Admission = { state: "resting", until: state.restUntil, lastError: state.lastError ?? "" };
    if (state.restUntil > clock.now()) return resting;
    return (await tryAgain(source.name, state.restUntil))
      ? { state: "admitted", isHeld: true, isTrial: true }
      : resting;
  }

  /** Changes what is known of a source; nothing is written when nothing changed. */
  async function change(name: string, next: (state: SourceState) => SourceState | null): Promise<void> {
    await tolerate(
      () =>
        store.transaction(async ({ searchSources }) => {
          const known = (await searchSources.list()).find((state) => state.name === name);
          const changed = next(known ?? { name, ...fresh });
          if (changed) await searchSources.put(changed);
        }),
      undefined,
    );
  }

  return {
    /** Every source once; those that are admitted have taken their place in the pace. */
    async admit(sources: readonly OpenSource[]): Promise<Map<string, Admission>> {
      const states = await tolerate(() => store.searchSources.list(), []);
      const admissions = new Map<string, Admission>();
      for (const source of sources) {
        const state = states.find(({ name, rests }) => name === source.name && rests > 0);
        const rest = state ? await restOf(source, state) : null;
        if (rest) admissions.set(source.name, rest);
      }
      const isAdmitted = ({ name }: OpenSource) => (admissions.get(name) ?? { state: "admitted" }).state === "admitted";
      const free = await takePlaces(sources.filter(isAdmitted));
      for (const source of sources.filter(isAdmitted)) {
        if (!free.has(source.name)) admissions.set(source.name, { state: "paced" });
        else if (!admissions.has(source.name)) {
          const isHeld = states.some(({ name, failures }) => name === source.name && failures > 0);
          admissions.set(source.name, { state: "admitted", isHeld, isTrial: false });
        }
      }
      return admissions;
    },

    /** For one more request of the same search. */
    mayAskAgain: async (source: OpenSource): Promise<boolean> => (await takePlaces([source])).has(source.name),

    /** An answer ends all that was held against a source; `backoffSeconds`: the pause that it asks for. */
    async noteAnswer({ name, title }: OpenSource, isHeld: boolean, backoffSeconds: number): Promise<void> {
      if (!isHeld && backoffSeconds === 0) return;
      await change(name, (state) => {
        if (backoffSeconds > 0) {
          const restUntil = clock.now() + Math.min(backoffSeconds * secondMs, longestAskedMs);
          const lastError = `${title} asked for a pause of ${backoffSeconds} s.`;
          return { ...state, failures: 0, rests: 1, restUntil, lastError, lastErrorAt: clock.now() };
        }
        return state.failures + state.rests === 0 ? null : { ...state, failures: 0, rests: 0, restUntil: 0 };
      });
    },

    /** The end of its rest in milliseconds since 1970; null when it goes on being asked. */
    async noteFailure(source: OpenSource, failure: SourceFailure, isTrial: boolean): Promise<number | null> {
      let restUntil: number | null = null;
      await change(source.name, (state) => {
        const now = clock.now();
        const isResting = state.rests > 0 && state.restUntil > now;
        // Requests that were under way when another one ended in a rest.
        if (isResting && !isTrial) {
          restUntil = state.restUntil;
          return null;
        }
        const failures = state.failures + 1;
        const noted = { ...state, lastError: `${source.title} ${failure.problem}.`, lastErrorAt: now };
        if (failure.kind !== "refused" && failures < failuresToRest && state.rests === 0) return { ...noted, failures };
        restUntil = now + restMs(source, state, failure.retryAfterSeconds, cooldownSeconds * secondMs);
        return { ...noted, failures: 0, rests: state.rests + 1, restUntil };
      });
      if (restUntil !== null) log.info({ source: source.name, reason: failure.code }, "a search source rests");
      return restUntil;
    },

    /** Nothing can be reached: all of them rest together, those that rest for longer already excepted. */
    async restTogether(sources: readonly OpenSource[], reason: string): Promise<number> {
      const now = clock.now();
      let restUntil = now + cooldownSeconds * secondMs;
      await tolerate(
        () =>
          store.transaction(async ({ searchSources }) => {
            const states = await searchSources.list();
            const before = states.filter(({ lastError }) => lastError === reason).map(({ rests }) => rests);
            const rests = Math.max(0, ...before) + 1;
            restUntil = now + togetherMs(rests, cooldownSeconds * secondMs);
            const isLonger = (name: string) => states.some((one) => one.name === name && one.restUntil > restUntil);
            for (const { name } of sources) {
              if (isLonger(name)) continue;
              await searchSources.put({ name, failures: 0, rests, restUntil, lastError: reason, lastErrorAt: now });
            }
          }),
        undefined,
      );
      return restUntil;
    },

    states: () => tolerate(() => store.searchSources.list(), []),
    paces: () => tolerate(() => store.searchSources.listPaces(clock.now()), []),
  };
}

function restMs(source: OpenSource, state: SourceState, retryAfterSeconds: number | null, cooldownMs: number): number {
  if (retryAfterSeconds !== null) return Math.min(retryAfterSeconds * secondMs, longestAskedMs);
  return Math.min(cooldownMs * 2 ** Math.min(state.rests, 20), longestRestMs[source.tier]);
}

function togetherMs(rests: number, ms: number): number {
  return Math.max(ms, Math.min(ms * 2 ** Math.min(rests - 1, 20), longestTogetherMs));
}
