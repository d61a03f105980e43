// A search for one caller: check options and credits, find results, read their pages if asked to, charge, record, answer.
import { type Caller, prices } from "../../accounts/index.ts";
import { createDeadline, createTrace, newId, ServiceError, type Trace } from "../../base/index.ts";
import {
  keepsNothing,
  type OperationInput,
  type OperationOutput,
  type ResultPart,
  type SearchTerms,
} from "../../contract/index.ts";
import { ignoredOptions, type OutputPlan, planOutputs } from "../../pages/index.ts";
import type { FoundResults, ResultGroups } from "../../search/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import { checkFormatSchemas } from "../parts/schema-check.ts";
import { dataOf, withoutExtras } from "./answer.ts";
import { checkAnswered, govResults } from "./gov-results.ts";
import { readLater } from "./pages-later.ts";
import { type ReadPages, readResultPages } from "./result-pages.ts";
import { createStoredSearches, type SearchJob } from "./stored-searches.ts";

type SearchInput = OperationInput<"search">;
type SearchAnswer = OperationOutput<"search">;

/** What is left of a request's time for its answer when pages take too long. */
const longestReserveMs = 1000;

export interface SearchOptions {
  /** Pages of a team at the same time. */
  teamConcurrency: number;
}

export function createSearchOperations(parts: OperationParts, { teamConcurrency }: SearchOptions) {
  const { clock, credits, extraction, model, requireBrowser, findResults, openResultTexts, openSources } = parts;
  const searches = createStoredSearches(parts);

  async function search(
    { part, isOpenOnly = false, ...input }: SearchInput & SearchTerms,
    caller: Caller,
    callerSignal: AbortSignal,
  ): Promise<SearchAnswer> {
    const plan = planOutputs(input.scrapeOptions, model?.name, ["scrapeOptions"]);
    await checkFormatSchemas(extraction, input.scrapeOptions, ["scrapeOptions"]);
    requireBrowser(input.scrapeOptions);
    await credits.require(caller.teamId, part?.count ?? input.limit);
    const startedAt = clock.now();
    const job: SearchJob = { id: newId(startedAt), startedAt, caller, input, isOpenOnly };
    const deadline = createDeadline(callerSignal, input.timeout);
    const reserveMs = Math.min(longestReserveMs, input.timeout / 10);
    const forPages = createDeadline(deadline.signal, input.timeout - reserveMs);
    const signals = { request: deadline.signal, pages: forPages.signal };
    try {
      const trace = createTrace();
      const seen = await searches.listSeen(caller.teamId, input.excludeSeen);
      const found = partOf(await find(job, seen.urls, trace, signals), part);
      found.warnings.push(...seen.warnings);
      const isLater = input.asyncScraping && input.scrapeOptions.formats.length > 0;
      const toRead = isLater ? new Map() : found.groups;
      const read = await readPages(job, plan, toRead, part?.keepsBlocked ?? false, signals.pages);
      deadline.signal.throwIfAborted();
      const answer: SearchAnswer = answerOf(job, plan, withoutLeftOut(found, read), read);
      if (isLater) {
        const later = { groups: found.groups, options: input.scrapeOptions, most: teamConcurrency };
        answer.scrapeIds = await readLater(parts, later, caller);
      }
      await searches.saveAnswer(job, answer, read, trace);
      return input.trace ? { ...answer, trace: trace.steps } : answer;
    } catch (error) {
      const failure = deadline.signal.aborted
        ? new ServiceError(callerSignal.aborted ? "ABORTED" : "SEARCH_TIMEOUT")
        : error;
      await searches.saveFailure(job, failure instanceof ServiceError ? failure : new ServiceError("INTERNAL_ERROR"));
      throw failure;
    } finally {
      forPages.clear();
      deadline.clear();
    }
  }

  function find(
    { caller: { teamId }, input, isOpenOnly }: SearchJob,
    seen: readonly string[],
    trace: Trace,
    signals: { request: AbortSignal; pages: AbortSignal },
  ): Promise<FoundResults> {
    const { scrapeOptions: options } = input;
    const readText = openResultTexts({ teamId, options }, signals.pages);
    return findResults(
      { ...input, teamId, isOpenOnly, isCacheable: !keepsNothing(options), seenUrls: seen },
      { readText, trace, signal: signals.request, softSignal: signals.pages },
    );
  }

  /** The pages of web and news results, if the caller asks for any output. */
  async function readPages(
    job: SearchJob,
    plan: OutputPlan,
    groups: ResultGroups,
    keepsBlocked: boolean,
    signal: AbortSignal,
  ) {
    const { id, caller, input } = job;
    const { teamId, keyId, baseUrl } = caller;
    const options = input.scrapeOptions;
    const results = [...(groups.get("web") ?? []), ...(groups.get("news") ?? [])];
    const urls = options.formats.length === 0 ? [] : results.map(({ url }) => url);
    const reading = { id, teamId, keyId, options, plan, baseUrl, keepsBlocked };
    return readResultPages(parts, reading, urls, signal);
  }

  return {
    search,

    async searchGov(
      input: OperationInput<"searchGov">,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<OperationOutput<"searchGov">> {
      const answer = await search({ ...input, trace: true, isOpenOnly: true }, caller, signal);
      checkAnswered(answer);
      return { success: true, data: { web: govResults(answer) }, ...warningOf([answer.warning]) };
    },

    readSearch: searches.readSearch,

    async listSearchSources(): Promise<OperationOutput<"listSearchSources">> {
      const sources = await openSources();
      return { success: true, sources: sources === null ? [] : await sources.list() };
    },
  };
}

/** The results that are wanted of those that were found, in each group. */
function partOf(found: FoundResults, part: ResultPart | undefined): FoundResults {
  if (part === undefined) return found;
  const { offset, count, keeps = () => true } = part;
  const groups = [...found.groups].map(
    ([source, results]) => [source, results.filter(keeps).slice(offset, offset + count)] as const,
  );
  return { ...found, groups: new Map(groups) };
}

function answerOf({ id, input }: SearchJob, plan: OutputPlan, found: FoundResults, read: ReadPages) {
  const { zeroDataRetention } = input.scrapeOptions;
  const creditsUsed = searchPrice(found.groups, zeroDataRetention) + read.credits;
  const warnings = new Set([
    ...(read.pages.size > 0 ? plan.warnings : []),
    ...found.warnings,
    ...ignoredOptions(input),
  ]);
  const data = dataOf(found, read, input.highlights);
  return {
    success: true as const,
    data: input.extras ? data : withoutExtras(data),
    ...warningOf(warnings),
    id,
    creditsUsed,
  };
}

/** Results that are only a block page or an advertisement are named, not shown. */
function withoutLeftOut(found: FoundResults, { leftOut }: ReadPages): FoundResults {
  if (leftOut.size === 0) return found;
  const groups: ResultGroups = new Map(
    [...found.groups].map(([source, results]) => [source, results.filter(({ url }) => !leftOut.has(url))]),
  );
  const named = [...leftOut].slice(0, maxNamed).map(([url, why]) => `${url} (${why})`);
  const more = leftOut.size > maxNamed ? ` and ${leftOut.size - maxNamed} more` : "";
  return { ...found, groups, warnings: [...found.warnings, `Left out of the results: ${named.join(", ")}${more}.`] };
}

/** Results that were left out, by name in a warning. */
const maxNamed = 5;

function searchPrice(groups: ResultGroups, isForgotten: boolean): number {
  const count = [...groups.values()].reduce((sum, results) => sum + results.length, 0);
  return Math.ceil(count / 10) * (isForgotten ? prices.searchTenZeroDataRetention : prices.searchTen);
}
