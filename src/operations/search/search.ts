// A search for one caller: find results, read their pages when that is asked for, note, charge, keep, answer. What finds
// results stands in search-sources.ts.
import { type Caller, type Credits, prices } from "../../accounts/index.ts";
import { createDeadline, createTrace, newId, ServiceError, type Trace, type TraceStep } from "../../base/index.ts";
import type { Document, OperationInput, OperationOutput } from "../../contract/index.ts";
import type { BrowserCheck, LanguageModel, SchemaCheck } from "../../pages/index.ts";
import {
  assembleDocument,
  createPageScraper,
  keepsNothing,
  type PageScraperDeps,
  planOutputs,
  resultAgeMs,
  type StoredDetails,
  scrapeRecord,
  writePages,
} from "../../pages/index.ts";
import { packBlob, type Store } from "../../store/index.ts";
import { dataOf, type Groups, withoutPages, withPages } from "./answer.ts";
import { type ReadPages, type ResultPage, readResultPages, resultPage } from "./pages.ts";
import type { SourceSearch } from "./sources.ts";

type SearchInput = OperationInput<"search">;
type SearchAnswer = OperationOutput<"search">;

export interface SearchDeps extends PageScraperDeps {
  store: Store;
  credits: Credits;
  schemas: SchemaCheck;
  sources: SourceSearch;
  requireBrowser: BrowserCheck;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

/** One search, as all rows about it know it. */
interface Job {
  id: string;
  startedAt: number;
  caller: Caller;
  input: SearchInput;
}

/** An answer without the contents of pages; these lie with their scrapes. */
interface StoredAnswer {
  answer: Omit<SearchAnswer, "trace">;
  /** Ids of pages by the address of their result. */
  scrapeIds: Record<string, string>;
}

/** What is left of a request's time for its answer when pages take too long. */
const longestReserveMs = 1000;

export function createSearchOperations(deps: SearchDeps) {
  const { store, clock, credits } = deps;
  const scrapePage = createPageScraper(deps);
  const { sources } = deps;

  async function search(input: SearchInput, caller: Caller, callerSignal: AbortSignal): Promise<SearchAnswer> {
    const plan = planOutputs(input.scrapeOptions, deps.model?.name, ["scrapeOptions"]);
    await deps.schemas.checkFormats(input.scrapeOptions, ["scrapeOptions"]);
    deps.requireBrowser(input.scrapeOptions);
    const { teamId, keyId } = caller;
    await credits.require(teamId, input.limit);
    const startedAt = clock.now();
    const job: Job = { id: newId(startedAt), startedAt, caller, input };
    const deadline = createDeadline(callerSignal, input.timeout);
    const reserveMs = Math.min(longestReserveMs, input.timeout / 10);
    const forPages = createDeadline(deadline.signal, input.timeout - reserveMs);
    try {
      const trace = createTrace();
      const found = await sources.find({ input, teamId }, trace, deadline.signal, forPages.signal);
      const { id } = job;
      const options = input.scrapeOptions;
      const urls = options.formats.length === 0 ? [] : pagesToRead(found.groups);
      const pagesJob = { id, teamId, keyId, options, plan, baseUrl: caller.baseUrl };
      const read = await readResultPages(scrapePage, pagesJob, urls, clock.now(), forPages.signal);
      deadline.signal.throwIfAborted();
      const creditsUsed = searchPrice(found.groups, options.zeroDataRetention) + read.credits;
      const warnings = [...(urls.length > 0 ? plan.warnings : []), ...found.warnings, ...ignored(input)];
      const data = dataOf(found, read, input.highlights);
      const answer = { success: true as const, data, warning: sentence(warnings), id, creditsUsed };
      await saveAnswer(job, answer, read, trace);
      return input.trace ? { ...answer, trace: trace.steps } : answer;
    } catch (error) {
      const failure = deadline.signal.aborted
        ? new ServiceError(callerSignal.aborted ? "ABORTED" : "SEARCH_TIMEOUT")
        : error;
      await saveFailure(job, failure instanceof ServiceError ? failure : new ServiceError("INTERNAL_ERROR"));
      throw failure;
    } finally {
      forPages.clear();
      deadline.clear();
    }
  }

  /** Pages, charges, the answer and its line in the activity list: together or not at all. */
  async function saveAnswer(
    job: Job,
    answer: SearchAnswer,
    { pages, rows, scrapes, credits: pageCredits }: ReadPages,
    trace: Trace,
  ): Promise<void> {
    const { id, caller, input } = job;
    const { teamId, keyId } = caller;
    const now = clock.now();
    const charge = { teamId, keyId, jobId: id, endpoint: "search", reason: "search", at: now };
    const own = answer.creditsUsed - pageCredits;
    const charges = own > 0 ? [{ ...charge, id: newId(now), credits: own }] : [];
    const isKept = !keepsNothing(input.scrapeOptions);
    const scrapeIds = Object.fromEntries(
      [...pages].flatMap(([url, { scrapeId }]) => (scrapeId === null ? [] : [[url, scrapeId]])),
    );
    const stored: StoredAnswer = { answer: { ...answer, data: withoutPages(answer.data, scrapeIds) }, scrapeIds };
    const data = Buffer.from(JSON.stringify(stored));
    const blob = isKept
      ? await packBlob({ id: newId(now), teamId, createdAt: now, expiresAt: now + resultAgeMs, data })
      : null;
    const steps: { trace?: TraceStep[] } = input.trace ? { trace: trace.steps } : {};
    const record = blob && scrapeRecord({ id, teamId }, blob.id, { isSearch: true, ...steps }, now);
    await store.transaction(async (statements) => {
      await writePages(statements, [
        ...rows,
        { blobs: blob ? [blob] : [], copies: [], charges, knownPages: [], snapshots: [] },
      ]);
      await statements.scrapes.insert(record ? [...scrapes, record] : scrapes);
      await statements.activity.insert([activityOf(job, "succeeded")]);
    });
  }

  async function saveFailure(job: Job, { code, message }: ServiceError): Promise<void> {
    const { id, caller, input } = job;
    const details: StoredDetails = { isSearch: true, failure: { code, message } };
    const record = scrapeRecord({ id, teamId: caller.teamId }, null, details, clock.now());
    await store.transaction(async (statements) => {
      await statements.scrapes.insert(keepsNothing(input.scrapeOptions) ? [] : [record]);
      await statements.activity.insert([activityOf(job, "failed")]);
    });
  }

  return {
    search,

    async readSearch({ id }: OperationInput<"readSearch">, { teamId, baseUrl }: Caller): Promise<SearchAnswer> {
      const found = await readStored(teamId, id);
      if (!found?.details.isSearch) throw new ServiceError("JOB_NOT_FOUND");
      const { failure, trace } = found.details;
      if (failure) throw new ServiceError(failure.code, failure.message);
      const { answer, scrapeIds } = (await found.read()) as StoredAnswer;
      const pages = new Map<string, ResultPage>();
      await Promise.all(
        Object.entries(scrapeIds).map(async ([url, scrapeId]) => {
          const scrape = await readStored(teamId, scrapeId);
          if (!scrape) return;
          pages.set(url, resultPage(assembleDocument((await scrape.read()) as Document, scrape.details), baseUrl));
        }),
      );
      return { ...answer, data: withPages(answer.data, (url) => pages.get(url)), ...(trace ? { trace } : {}) };
    },
  };

  async function readStored(teamId: string, id: string) {
    const record = await store.scrapes.find(teamId, id, clock.now());
    if (!record) return null;
    const read = async (): Promise<unknown> => {
      const bytes = record.blobId && (await store.blobs.get(teamId, record.blobId, clock.now()));
      if (!bytes) throw new ServiceError("JOB_NOT_FOUND");
      return JSON.parse(Buffer.from(bytes).toString("utf8"));
    };
    return { details: JSON.parse(record.details) as StoredDetails, read };
  }
}

function pagesToRead(groups: Groups): string[] {
  return [...(groups.get("web") ?? []), ...(groups.get("news") ?? [])].map(({ url }) => url);
}

function searchPrice(groups: Groups, isForgotten: boolean): number {
  const count = [...groups.values()].reduce((sum, results) => sum + results.length, 0);
  return Math.ceil(count / 10) * (isForgotten ? prices.searchTenZeroDataRetention : prices.searchTen);
}

function ignored({ threatProtection }: SearchInput): string[] {
  return threatProtection === undefined ? [] : ["Not available here and left out: threatProtection."];
}

function sentence(warnings: readonly string[]): string | null {
  return warnings.length === 0 ? null : [...new Set(warnings)].join(" ");
}

function activityOf({ id, startedAt, caller, input }: Job, outcome: "succeeded" | "failed") {
  const { teamId, keyId, apiVersion } = caller;
  const target = keepsNothing(input.scrapeOptions) ? "" : input.query;
  const row = { rowId: newId(startedAt), teamId, keyId, apiVersion, createdAt: startedAt };
  return { ...row, id, endpoint: "search", target, outcome };
}
