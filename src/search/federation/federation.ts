// Asks all open sources that fit a search at the same time and makes one list of what they find. It has the interface
// of a search service: callers see one provider.
import { setMaxListeners } from "node:events";
import { type Clock, createDeadline, createSemaphore, type Logger, type Semaphore } from "../../base/index.ts";
import type { Net } from "../../net/index.ts";
import type { Store } from "../../store/index.ts";
import { loadPlainText } from "../providers/plain-text.ts";
import type { AskedSource, ProviderAnswer, ProviderRequest, SearchProvider } from "../providers/search-provider.ts";
import type { Operator } from "../query/express-query.ts";
import { parseQuery, type SearchQuery } from "../query/parse-query.ts";
import { checkDate } from "../query/time-range.ts";
import type { OpenSource, SourceQuestion } from "../sources/source.ts";
import { openSources } from "../sources/source-table.ts";
import { type AskDeps, askSource, type FoundResult } from "./ask-source.ts";
import { type ChosenSource, chooseSources } from "./choose-sources.ts";
import type { FederationSettings } from "./federation-settings.ts";
import { fuseSources } from "./fuse-sources.ts";
import { questionFor, readPlace } from "./questions.ts";
import { createRelevance, type RateResult } from "./relevance.ts";
import { createSourceCache, questionKey } from "./source-cache.ts";
import type { SourceFailure } from "./source-failure.ts";
import { type Admission, createSourceLimiter } from "./source-limiter.ts";
import { listSources, type SourceCounts, type SourceReport } from "./source-reports.ts";
import {
  noSourceFits,
  nothingReachable,
  type SourceEnding,
  sentTo,
  sourceWarnings,
  withTime,
} from "./source-warnings.ts";
import { longestMs, waitForSources } from "./wait-for-sources.ts";

export interface FederationDeps {
  net: Pick<Net, "fetch">;
  store: Pick<Store, "searchSources" | "transaction">;
  clock: Clock;
  log: Logger;
}

export interface Federation extends SearchProvider {
  search(request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer>;
  /** What is known of each source, and how often this process has asked it. */
  list(): Promise<SourceReport[]>;
  /** Asks one source one word, whatever its pace and rests. */
  probe(name: string, signal: AbortSignal): Promise<{ title: string; ms: number; problem: string | null }>;
  /** Of the sources that are asked. */
  names: readonly string[];
  counts: ReadonlyMap<string, SourceCounts>;
}

/** What came of asking one source. */
type Asked = { ending: SourceEnding; results: readonly FoundResult[] };

/** One source's part of one search. */
interface Part extends ChosenSource {
  question: SourceQuestion;
  /** Null when nothing about it may be kept. */
  key: string | null;
  startedAt: number;
  ms: number;
  /** Null until it has ended. */
  asked: Asked | null;
  /** Its results with how well each fits; made once, when they are first needed. */
  rated: readonly FoundResult[] | null;
  ended: Promise<unknown>;
  isSent: boolean;
  /** It decides whether the source's rest goes on. */
  isTrial: boolean;
}

/** Enough for a good answer: so many results as are wanted that fit this well, of so many sources. */
const goodRelevance = 0.5;
const goodSources = 2;
/** None is trusted with an operator. */
const trusted: ReadonlySet<Operator> = new Set();
const understood: ReadonlySet<Operator> = new Set<Operator>(["phrase", "negation", "intitle"]);
const leastUnreachable = 3;

export function createFederation(deps: FederationDeps, settings: FederationSettings): Federation {
  const { clock, log } = deps;
  const sources = openSources
    .filter(({ name }) => settings.names.includes(name))
    .map((source) => ({ ...source, pace: (settings.keys[source.name] && source.keyedPace) || source.pace }));
  const limiter = createSourceLimiter(deps, settings);
  const cache = createSourceCache(clock, settings.cacheSeconds);
  const rateFor = createRelevance();
  const counts = new Map<string, SourceCounts>(
    sources.map(({ name }) => [name, { requests: 0, failures: 0, rests: 0 }]),
  );
  /** Two searches for the same at the same time share one request. */
  const underWay = new Map<string, Promise<Asked>>();
  const lines = new Map<string, Semaphore>();
  let plainText: ((text: string) => string) | null = null;

  async function askDeps(): Promise<AskDeps> {
    plainText ??= await loadPlainText();
    return { ...deps, userAgent: settings.userAgent, plainText, mayAskAgain: limiter.mayAskAgain };
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
        return { ok: false, kind: "stopped", code: "stopped", problem: "was not waited for", retryAfterSeconds: null };
      });
    const failure = outcome.ok ? outcome.problem : outcome;
    if (failure && count) count.failures += 1;
    if (!failure && outcome.ok) await limiter.noteAnswer(source, admission.isHeld, outcome.backoffSeconds);
    // Whether anything can be reached at all is known when all have ended.
    const isNoted = failure && failure.kind !== "stopped" && !isUnreached(failure);
    const restUntil = isNoted ? await noteFailure(source, failure, admission.isTrial) : null;
    if (!outcome.ok) return { ending: { state: "failed", failure: outcome, restUntil }, results: [] };
    if (part.key !== null && !failure) cache.keep(part.key, outcome.results);
    return { ending: { state: "answered" }, results: outcome.results };
  }

  async function noteFailure(source: OpenSource, failure: SourceFailure, isTrial: boolean): Promise<number | null> {
    const restUntil = await limiter.noteFailure(source, failure, isTrial);
    const count = counts.get(source.name);
    if (restUntil !== null && count) count.rests += 1;
    return restUntil;
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

  function partsOf(request: ProviderRequest, query: SearchQuery, place: ReturnType<typeof readPlace>): Part[] {
    const { source: kind, categories = [], includeDomains = [], teamId, timeFilter } = request;
    const chosen = chooseSources(sources, { kind, query, categories, includeDomains, country: place.country });
    const team = settings.isCacheShared ? "" : teamId;
    return chosen.flatMap(({ source, category }) => {
      const question = questionFor(source, category, query, request, place, settings, clock.now());
      if (question.text === "") return [];
      const key = teamId === undefined ? null : questionKey(team ?? "", source, question, query, timeFilter);
      const startedAt = performance.now();
      const start = { ms: 0, asked: null, rated: null, ended: Promise.resolve(), isSent: false, isTrial: false };
      return [{ source, category, question, key, startedAt, ...start }];
    });
  }

  async function search(request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer> {
    const query = request.query ?? parseQuery(request.text);
    const place = readPlace(request);
    const parts = partsOf(request, query, place);
    const unasked = parts.filter((part) => {
      const known = part.key === null ? null : cache.find(part.key);
      if (known) part.asked = { ending: { state: "answered" }, results: known };
      const other = known || part.key === null ? undefined : underWay.get(part.key);
      if (other) part.ended = follow(part, other);
      return !known && !other;
    });
    // A source may take longer than the search; what it then finds is kept for the next one, where anything may be kept.
    const stopper = new AbortController();
    const working = createDeadline(stopper.signal, longestMs(settings.budgetMs));
    // Every source listens to it.
    setMaxListeners(0, working.signal);
    void ask(unasked, working.signal).catch(() => undefined);
    const rate = rateFor(query);
    const { limit, hasOthers = () => false } = request;
    await waitForSources(
      {
        endings: parts.map(({ ended }) => ended),
        hasResults: () => hasOthers() || parts.some(({ asked }) => asked !== null && asked.results.length > 0),
        isEnough: () => isEnough(parts, limit, rate),
        budgetMs: settings.budgetMs,
      },
      signal,
    );
    const answer = await answerOf(parts, request, rate);
    if (request.teamId === undefined) stopper.abort();
    void Promise.all(parts.map(({ ended }) => ended)).then(working.clear);
    return { ...answer, warnings: [...place.warnings, ...answer.warnings] };
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

  async function answerOf(parts: readonly Part[], request: ProviderRequest, rate: RateResult): Promise<ProviderAnswer> {
    const { timeFilter, teamId } = request;
    // Later ones are noted when they end.
    for (const part of parts.filter(({ asked }) => asked === null)) noteLater(part);
    const together = await noteUnreached(parts.filter(({ asked }) => asked !== null));
    let undated = 0;
    const lists = parts.map((part) => ({
      engine: part.source.name,
      results: ratedResults(part, rate).flatMap((result) => {
        const { source, category } = part;
        const verdict = timeFilter ? checkDate(result, timeFilter) : "yes";
        if (verdict === "unknown" && !source.appliesTime) undated += 1;
        if (verdict === "no" || (verdict === "unknown" && !source.appliesTime)) return [];
        return [category === null ? result : { ...result, category }];
      }),
    }));
    const endings = parts.map(({ source, asked }) => ({
      source,
      ending: asked?.ending ?? ({ state: "slow" } as const),
    }));
    const sent = parts.filter(({ isSent }) => isSent).map(({ source }) => source.title);
    return {
      ok: true,
      results: fuseSources(lists, rate),
      appliedTime: true,
      undated,
      warnings: [
        ...(parts.length === 0 ? [noSourceFits] : []),
        ...(together.length > 0 ? together : sourceWarnings(endings, clock.now())),
        ...(teamId === undefined ? sentTo(sent) : []),
      ],
      sourcesAsked: parts.map(reportOf),
    };
  }

  return {
    name: "open sources",
    supports: {
      operators: trusted,
      understood,
      sources: new Set(
        (["web", "news", "images"] as const).filter((kind) => sources.some((one) => one.serves.has(kind))),
      ),
      timeRange: "custom",
      maxPerCall: 100,
    },
    names: sources.map(({ name }) => name),
    counts,
    search,
    list: () => listSources(sources, limiter, counts, clock.now()),

    async probe(name, signal) {
      const source = sources.find((one) => one.name === name);
      if (!source) return { title: name, ms: 0, problem: "is not asked" };
      const kind = (["web", "news", "images"] as const).find((one) => source.serves.has(one)) ?? "web";
      const request = { text: "water", limit: 1, source: kind, timeFilter: null };
      const place = { language: "en", isLanguageAsked: false, country: null, warnings: [] };
      const question = questionFor(source, null, parseQuery("water"), request, place, settings, clock.now());
      const startedAt = performance.now();
      const working = createDeadline(signal, longestMs(settings.budgetMs));
      const asking = await askDeps();
      const outcome = await lineOf(source).run(() =>
        askSource(asking, source, placeOf(source, question), question, working.signal),
      );
      working.clear();
      const problem = outcome.ok ? (outcome.results.length === 0 ? "found nothing" : null) : outcome.problem;
      return { title: source.title, ms: Math.round(performance.now() - startedAt), problem };
    },
  };
}

function isUnreached({ kind, code }: SourceFailure): boolean {
  return kind === "unreachable" || code === "timeout";
}

function isEnough(parts: readonly Part[], limit: number, rate: RateResult): boolean {
  const isGood = ({ fit }: FoundResult) => (fit?.relevance ?? 0) >= goodRelevance;
  const good = parts.map((part) => ratedResults(part, rate).filter(isGood).length);
  const count = good.reduce((sum, one) => sum + one, 0);
  return count >= limit && good.filter((one) => one > 0).length >= goodSources;
}

function ratedResults(part: Part, rate: RateResult): readonly FoundResult[] {
  if (part.asked === null) return [];
  part.rated ??= part.asked.results.map((result) => ({ ...result, fit: { relevance: rate(result) } }));
  return part.rated;
}

function reportOf({ source, ms: endedMs, asked, startedAt }: Part): AskedSource {
  const ending = asked?.ending ?? { state: "slow" as const };
  const ms = asked === null ? Math.round(performance.now() - startedAt) : endedMs;
  const error = ending.state === "failed" ? ending.failure.code : ending.state;
  return {
    name: source.name,
    ms,
    results: asked?.results.length ?? 0,
    ...(ending.state === "answered" ? {} : { error }),
  };
}
