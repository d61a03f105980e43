// What is kept of a search: its answer for later reading, its charge, and its line in the activity list. The contents of pages
// are kept with their own scrapes, in the same transaction.
import { activityRow, type Caller } from "../../accounts/index.ts";
import { newId, runStage, ServiceError, type Trace, type TraceStep } from "../../base/index.ts";
import { keepsNothing, type OperationInput, type OperationOutput } from "../../contract/index.ts";
import { emptyRows, type StoredDetails, scrapeRecord } from "../../pages/index.ts";
import { resultAgeMs } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { withoutPages, withPages } from "./answer.ts";
import { type ReadPages, type ResultPage, resultPage } from "./result-pages.ts";

type SearchAnswer = OperationOutput<"search">;

/** One search, as all rows about it name it. */
export interface SearchJob {
  id: string;
  startedAt: number;
  caller: Caller;
  input: OperationInput<"search">;
  /** Services of the operator are not asked. */
  isOpenOnly: boolean;
}

interface StoredAnswer {
  /** Without the contents of pages. */
  answer: Omit<SearchAnswer, "trace">;
  /** Ids of scraped pages by the URL of their result. */
  scrapeIds: Record<string, string>;
}

export function createStoredSearches(parts: OperationParts) {
  const { store, clock, savePages } = parts;

  async function readStored(teamId: string, id: string) {
    const record = await store.scrapes.find(teamId, id, clock.now());
    if (!record) return null;
    return { blobId: record.blobId, details: JSON.parse(record.details) as StoredDetails };
  }

  async function readAnswer(teamId: string, blobId: string | null): Promise<StoredAnswer> {
    const bytes = blobId && (await store.blobs.get(teamId, blobId, clock.now()));
    if (!bytes) throw new ServiceError("JOB_NOT_FOUND");
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  }

  async function packAnswer(
    { caller: { teamId } }: SearchJob,
    answer: SearchAnswer,
    { pages }: ReadPages,
    now: number,
  ) {
    const scrapeIds = Object.fromEntries(
      [...pages].flatMap(([url, { scrapeId }]) => (scrapeId === null ? [] : [[url, scrapeId]])),
    );
    const stored: StoredAnswer = { answer: { ...answer, data: withoutPages(answer.data, scrapeIds) }, scrapeIds };
    const data = Buffer.from(JSON.stringify(stored));
    return store.blobs.pack({ id: newId(now), teamId, createdAt: now, expiresAt: now + resultAgeMs, data });
  }

  return {
    /** Pages, charges, the answer and its line in the activity list: together or not at all. */
    async saveAnswer(job: SearchJob, answer: SearchAnswer, read: ReadPages, trace: Trace): Promise<void> {
      const { id, caller, input } = job;
      const { teamId, keyId } = caller;
      const now = clock.now();
      const charge = { teamId, keyId, jobId: id, endpoint: "search", reason: "search", at: now };
      const own = answer.creditsUsed - read.credits;
      const charges = own > 0 ? [{ ...charge, id: newId(now), credits: own }] : [];
      const blob = keepsNothing(input.scrapeOptions) ? null : await packAnswer(job, answer, read, now);
      const steps: { trace?: TraceStep[] } = input.trace ? { trace: trace.steps } : {};
      const record = blob && scrapeRecord({ id, teamId }, blob.id, { isSearch: true, ...steps }, now);
      const ownRows = { ...emptyRows(), blobs: blob ? [blob] : [], charges };
      const save = () =>
        savePages([...read.rows, ownRows], async (statements) => {
          await statements.scrapes.insert(record ? [...read.scrapes, record] : read.scrapes);
          await statements.activity.insert([activityOf(job, { credits: answer.creditsUsed, endedAt: now })]);
        });
      await runStage("store", save);
    },

    async saveFailure(job: SearchJob, error: ServiceError): Promise<void> {
      const { code, message } = error;
      const { id, caller, input } = job;
      const endedAt = clock.now();
      const details: StoredDetails = { isSearch: true, failure: { code, message } };
      const record = scrapeRecord({ id, teamId: caller.teamId }, null, details, endedAt);
      await store.transaction(async (statements) => {
        await statements.scrapes.insert(keepsNothing(input.scrapeOptions) ? [] : [record]);
        await statements.activity.insert([activityOf(job, { error, endedAt })]);
      });
    },

    /** The URLs that earlier searches of the team found. */
    async listSeen(teamId: string, ids: readonly string[]): Promise<{ urls: string[]; warnings: string[] }> {
      const urls: string[] = [];
      const warnings: string[] = [];
      await Promise.all(
        ids.map(async (id) => {
          const found = await readStored(teamId, id);
          const stored = found?.details.isSearch && found.blobId ? await readAnswer(teamId, found.blobId) : null;
          if (!stored) warnings.push(`excludeSeen: the search ${id} is not stored, so its results were not excluded.`);
          const { web = [], news = [], images = [] } = stored?.answer.data ?? {};
          urls.push(...[...web, ...news, ...images].map(({ url }) => url));
        }),
      );
      return { urls, warnings };
    },

    async readSearch(
      { id }: OperationInput<"readSearch">,
      { teamId, baseUrl }: Caller,
      signal: AbortSignal,
    ): Promise<SearchAnswer> {
      const found = await readStored(teamId, id);
      if (!found?.details.isSearch) throw new ServiceError("JOB_NOT_FOUND");
      const { failure, trace } = found.details;
      if (failure) throw new ServiceError(failure.code, failure.message);
      const { answer, scrapeIds } = await readAnswer(teamId, found.blobId);
      const pages = new Map<string, ResultPage>();
      await Promise.all(
        Object.entries(scrapeIds).map(async ([url, scrapeId]) => {
          const scrape = await readStored(teamId, scrapeId);
          if (!scrape) return;
          pages.set(url, resultPage(await parts.readStoredDocument({ teamId, ...scrape }, signal), baseUrl));
        }),
      );
      return { ...answer, data: withPages(answer.data, (url) => pages.get(url)), ...(trace ? { trace } : {}) };
    },
  };
}

function activityOf(
  { id, startedAt: createdAt, caller, input }: SearchJob,
  result: Parameters<typeof activityRow>[2],
): ReturnType<typeof activityRow> {
  const target = keepsNothing(input.scrapeOptions) ? "" : input.query;
  return activityRow(caller, { id, endpoint: "search", target, createdAt }, result);
}
