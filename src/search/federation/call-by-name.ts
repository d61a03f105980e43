// One request to a source by its name, for what is no search: at the pace of the source, and noted like any other.
import { passTime, type Semaphore } from "../../base/index.ts";
import type { OpenSource, SourceAnswer, SourceCall } from "../sources/source.ts";
import type { AskDeps } from "./ask-source.ts";
import { callSource } from "./call-source.ts";
import type { AskedSources } from "./failure-notes.ts";
import type { FederationSettings } from "./federation-settings.ts";
import type { SourceFailure } from "./source-failure.ts";
import type { Admission } from "./source-limiter.ts";

/** `answers`: where they are of another kind than those of searches. */
interface NamedCall extends SourceCall {
  answers?: OpenSource["answers"];
}

type CallOutcome = { ok: true; answer: SourceAnswer } | { ok: false; code: string; problem: string };

export type CallByName = (name: string, call: NamedCall, signal: AbortSignal) => Promise<CallOutcome>;

interface CallerParts {
  asked: AskedSources;
  settings: FederationSettings;
  askDeps(): Promise<AskDeps>;
  lineOf(source: OpenSource): Semaphore;
  noteFailure(source: OpenSource, failure: SourceFailure, isTrial: boolean): Promise<unknown>;
}

/** It waits for its place: there is no other source that could answer it. */
const longestWaitMs = 4000;
const waitMs = 200;

export function createNamedCaller({ asked, settings, askDeps, lineOf, noteFailure }: CallerParts): CallByName {
  const { sources, limiter, counts } = asked;

  async function admit(source: OpenSource, signal: AbortSignal): Promise<Admission> {
    for (let waited = 0; ; waited += waitMs) {
      const admission = (await limiter.admit([source])).get(source.name) ?? { state: "paced" as const };
      if (admission.state !== "paced" || waited >= longestWaitMs) return admission;
      await passTime((await askDeps()).clock, waitMs, signal);
    }
  }

  return async (name, { answers, ...sent }, signal) => {
    const known = sources.find((each) => each.name === name);
    if (!known) return { ok: false, code: "not asked", problem: `${name} is not asked by this server.` };
    const source = answers === undefined ? known : { ...known, answers };
    const failed = (code: string, problem: string) => ({
      ok: false as const,
      code,
      problem: `${source.title} ${problem}.`,
    });
    const admission = await admit(source, signal);
    if (admission.state !== "admitted") return failed(admission.state, "was asked too often and was left out");
    const count = counts.get(name);
    if (count) count.requests += 1;
    const asking = await askDeps();
    const base = (settings.endpoints[name] ?? source.base).replace(/\/+$/, "");
    const place = { base, isMoved: settings.endpoints[name] !== undefined };
    const called = await lineOf(source).run(() => callSource(asking, source, place, sent, signal), signal);
    // That it does not know what was asked for is an answer.
    if (called.ok || called.code === "404") await limiter.noteAnswer(source, admission.isHeld, 0);
    else if (called.kind !== "stopped") await noteFailure(source, called, admission.isTrial);
    if (called.ok) return called;
    if (count && called.code !== "404") count.failures += 1;
    return failed(called.code, called.problem);
  };
}
