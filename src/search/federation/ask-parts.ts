// Asks the sources of a search and notes what that says about each: requests, failures, rests.
import { createSemaphore, type Semaphore } from "../../base/index.ts";
import { loadPlainText } from "../providers/plain-text.ts";
import { createResultCache } from "../providers/result-cache.ts";
import type { OpenSource, SourceQuestion } from "../sources/source.ts";
import { type AskDeps, askSource } from "./ask-source.ts";
import { createNamedCaller } from "./call-by-name.ts";
import { type AskedSources, createFailureNotes, type FederationDeps, isUnreached } from "./failure-notes.ts";
import type { FederationSettings } from "./federation-settings.ts";
import type { Asked, Part } from "./search-part.ts";
import type { SourceFailure } from "./source-failure.ts";
import type { Admission } from "./source-limiter.ts";

const maxResults = 20_000;
export function createPartAsker(deps: FederationDeps, settings: FederationSettings, asked: AskedSources) {
  const { limiter, counts } = asked;
  const failures = createFailureNotes(deps, settings, asked);
  const { clock, log } = deps;
  const cache = createResultCache<Pick<Asked, "results">>(clock, { seconds: settings.cacheSeconds, maxResults });
  /** Two searches for the same at the same time share one request. */
  const underWay = new Map<string, Promise<Asked>>();
  const lines = new Map<string, Semaphore>();
  let plainText: ((text: string) => string) | null = null;

  async function askDeps(): Promise<AskDeps> {
    plainText ??= await loadPlainText();
    return { ...deps, ...settings, plainText, mayAskAgain: limiter.mayAskAgain };
  }

  function lineOf({ name, paceGroup = name, atOnce }: OpenSource): Semaphore {
    const line = lines.get(paceGroup) ?? createSemaphore({ places: atOnce });
    lines.set(paceGroup, line);
    return line;
  }

  function placeOf({ name }: OpenSource, { base }: SourceQuestion) {
    return { base, isMoved: settings.endpoints[name] !== undefined };
  }

  /** Sends the question and notes what that says about the source. Whoever has little room waits in line for a moment. */
  async function send(part: Part, admission: Admission & { state: "admitted" }, signal: AbortSignal): Promise<Asked> {
    const { source, question } = part;
    const count = counts.get(source.name);
    if (count) count.requests += 1;
    const asking = await askDeps();
    const outcome = await lineOf(source)
      .run(() => askSource(asking, source, placeOf(source, question), question, signal), signal)
      .catch((error: unknown): SourceFailure => {
        if (!signal.aborted) throw error;
        return {
          ok: false,
          kind: "stopped",
          code: "stopped",
          problem: "was stopped with its search",
          retryAfterSeconds: null,
        };
      });
    const failure = outcome.ok ? outcome.problem : outcome;
    if (failure && count) count.failures += 1;
    if (!failure && outcome.ok) await limiter.noteAnswer(source, admission.isHeld, outcome.backoffSeconds);
    // Whether anything can be reached at all is known when all have ended.
    const isNoted = failure && failure.kind !== "stopped" && !isUnreached(failure);
    const restUntil = isNoted ? await failures.noteFailure(source, failure, admission.isTrial) : null;
    if (!outcome.ok) return { ending: { state: "failed", failure: outcome, restUntil }, results: [] };
    if (part.key !== null && !failure) cache.keep(part.key, outcome);
    return { ending: { state: "answered" }, results: outcome.results };
  }

  /** Asks the sources of these parts as far as they may be asked. */
  async function ask(parts: readonly Part[], signal: AbortSignal): Promise<void> {
    const admissions = limiter.admit(parts.map(({ source }) => source));
    for (const part of parts) {
      const asked = admissions.then((all) => {
        const admission = all.get(part.source.name) ?? { state: "paced" as const };
        if (admission.state !== "admitted") return { ending: admission, results: [] };
        part.isSent = true;
        part.isTrial = admission.isTrial;
        return send(part, admission, signal);
      });
      part.ended = follow(part, asked);
      if (part.key === null) continue;
      const { key } = part;
      underWay.set(key, asked);
      const forget = () => underWay.delete(key);
      asked.then(forget, forget);
    }
    await admissions;
  }

  function follow(part: Part, asked: Promise<Asked>): Promise<void> {
    return asked.then(
      (found) => {
        part.ms = Math.round(performance.now() - part.startedAt);
        part.asked = found;
      },
      (error: unknown) => {
        log.warn({ err: error, source: part.source.name }, "a search source could not be asked");
        const problem = "could not be asked";
        const failure = { ok: false, kind: "failed", code: "internal", problem, retryAfterSeconds: null } as const;
        part.asked = { ending: { state: "failed", failure, restUntil: null }, results: [] };
      },
    );
  }

  /** Whether its answer is cached or on its way for another search; then the part has it. */
  function isKnown(part: Part): boolean {
    if (part.key === null) return false;
    const known = cache.find(part.key);
    if (known) part.asked = { ending: { state: "answered" }, results: known.results };
    const other = known ? undefined : underWay.get(part.key);
    if (other) part.ended = follow(part, other);
    return known !== null || other !== undefined;
  }

  /** Whatever its pace and rests; nothing is noted. */
  async function askOnce(source: OpenSource, question: SourceQuestion, signal: AbortSignal) {
    const asking = await askDeps();
    return lineOf(source).run(() => askSource(asking, source, placeOf(source, question), question, signal));
  }

  const call = createNamedCaller({ asked, settings, askDeps, lineOf, noteFailure: failures.noteFailure });

  return { ask, askOnce, call, isKnown, noteLater: failures.noteLater, noteUnreached: failures.noteUnreached };
}
