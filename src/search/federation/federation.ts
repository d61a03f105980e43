// Asks all open sources that fit a search at the same time and makes one list of what they find. It has the interface
// of a search service: callers see one provider.
import { setMaxListeners } from "node:events";
import { createDeadline } from "../../base/index.ts";
import type { ProviderAnswer, ProviderRequest, SearchProvider } from "../providers/search-provider.ts";
import type { Operator } from "../query/express-query.ts";
import { parseQuery, type SearchQuery } from "../query/parse-query.ts";
import { checkDate } from "../query/time-range.ts";
import type { OpenSource } from "../sources/source.ts";
import { openSources } from "../sources/source-table.ts";
import { createPartAsker } from "./ask-parts.ts";
import type { CallByName } from "./call-by-name.ts";
import { chooseSources } from "./choose-sources.ts";
import type { FederationDeps } from "./failure-notes.ts";
import type { FederationSettings } from "./federation-settings.ts";
import { fuseSources } from "./fuse-sources.ts";
import { questionKey } from "./question-key.ts";
import { mailOf, questionFor, readPlace } from "./questions.ts";
import { createRelevance, type RateResult } from "./relevance.ts";
import { isEnough, type Part, ratedResults, reportOf } from "./search-part.ts";
import { createSourceLimiter } from "./source-limiter.ts";
import { listSources, type SourceCounts, type SourceReport } from "./source-reports.ts";
import { noSourceFits, sentTo, sourceWarnings } from "./source-warnings.ts";
import { longestMs, waitForSources } from "./wait-for-sources.ts";

export interface Federation extends SearchProvider {
  search(request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer>;
  /** What is known of each source, and how often this process has asked it. */
  list(): Promise<SourceReport[]>;
  /** Asks one source one word, whatever its pace and rests. */
  probe(name: string, signal: AbortSignal): Promise<{ title: string; ms: number; problem: string | null }>;
  /** One request to a source by its name, at its pace, for what is no search. */
  call: CallByName;
  /** What a source wants to know of us: the operator's mail address and key. */
  signingOf(name: string): { mail: string | null; key: string | null };
  /** Where a source is. */
  baseOf(name: string): string;
  /** Of the sources that are asked. */
  names: readonly string[];
  counts: ReadonlyMap<string, SourceCounts>;
}

export type { SourceReport };

/** None is trusted with an operator. */
const trusted: ReadonlySet<Operator> = new Set();
const understood: ReadonlySet<Operator> = new Set<Operator>(["phrase", "negation", "intitle"]);

function askedSources({ names, keys }: FederationSettings): OpenSource[] {
  return openSources
    .filter(({ name }) => names.includes(name))
    .map((source) => ({ ...source, pace: (keys[source.name] && source.keyedPace) || source.pace }));
}

function accessTo(sources: readonly OpenSource[], { contact, keys, endpoints }: FederationSettings) {
  return {
    signingOf: (name: string) => ({ mail: mailOf(contact), key: keys[name] ?? null }),
    baseOf: (name: string) => endpoints[name] ?? sources.find((one) => one.name === name)?.base ?? "",
  };
}

export function createFederation(deps: FederationDeps, settings: FederationSettings): Federation {
  const { clock } = deps;
  const sources = askedSources(settings);
  const limiter = createSourceLimiter(deps, settings);
  const rateFor = createRelevance();
  const counts = new Map<string, SourceCounts>(
    sources.map(({ name }) => [name, { requests: 0, failures: 0, rests: 0 }]),
  );
  const asker = createPartAsker(deps, settings, { sources, limiter, counts });
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
    const unasked = parts.filter((part) => !asker.isKnown(part));
    // A source may take longer than the search; what it then finds is kept for the next one, where anything may be kept.
    const stopper = new AbortController();
    const working = createDeadline(stopper.signal, longestMs(settings.budgetMs));
    // Every source listens to it.
    setMaxListeners(0, working.signal);
    void asker.ask(unasked, working.signal).catch(() => undefined);
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

  async function answerOf(parts: readonly Part[], request: ProviderRequest, rate: RateResult): Promise<ProviderAnswer> {
    const { timeFilter, teamId } = request;
    // Later ones are noted when they end.
    for (const part of parts.filter(({ asked }) => asked === null)) asker.noteLater(part);
    const together = await asker.noteUnreached(parts.filter(({ asked }) => asked !== null));
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
    call: asker.call,
    ...accessTo(sources, settings),
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
      const outcome = await asker.askOnce(source, question, working.signal);
      working.clear();
      const problem = outcome.ok ? (outcome.results.length === 0 ? "found nothing" : null) : outcome.problem;
      return { title: source.title, ms: Math.round(performance.now() - startedAt), problem };
    },
  };
}
