// Reads the pages of results for the caller, each page once, as a scrape would. One that fails stays with the reason.
import { type ErrorCode, errorTable, newId, ServiceError } from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { OutputPlan, PageRows, PageScraper } from "../../pages/index.ts";
import { withMediaLinks } from "../../pages/index.ts";
import type { ScrapeRecord } from "../../store/index.ts";

/** What a page adds to its result. */
export type ResultPage = Partial<Document>;

export interface ReadPages {
  /** By address. */
  pages: Map<string, { page: ResultPage /** Under which it can be read again. */; scrapeId: string | null }>;
  rows: PageRows[];
  scrapes: ScrapeRecord[];
  credits: number;
}

export interface PagesJob {
  id: string;
  teamId: string;
  keyId: string | null;
  options: ScrapeOptions;
  plan: OutputPlan;
  /** What links to this server begin with. */
  baseUrl: string;
}

/** The team's slots bound how many are read at the same time. */
export async function readResultPages(
  scrapePage: PageScraper,
  { id: jobId, teamId, keyId, options: asked, plan, baseUrl }: PagesJob,
  urls: readonly string[],
  now: number,
  signal: AbortSignal,
): Promise<ReadPages> {
  // All pages are read at once, and only one could save the profile.
  const { profile } = asked;
  const options = profile ? { ...asked, profile: { ...profile, saveChanges: false } } : asked;
  const read: ReadPages = { pages: new Map(), rows: [], scrapes: [], credits: 0 };
  await Promise.all(
    [...new Set(urls)].map(async (url) => {
      const job = { id: newId(now), jobId, endpoint: "search" as const, teamId, keyId, url, options, plan };
      const outcome = await scrapePage(job, signal).catch((error: unknown) => failureOf(error, signal));
      if (!outcome.ok) {
        read.pages.set(url, { page: failedPage(url, outcome), scrapeId: null });
        return;
      }
      const { document, rows, scrapes, credits } = outcome;
      read.pages.set(url, { page: resultPage(document, baseUrl), scrapeId: scrapes.length > 0 ? job.id : null });
      read.rows.push(rows);
      read.scrapes.push(...scrapes);
      read.credits += credits;
    }),
  );
  return read;
}

export function resultPage(document: Document, baseUrl: string): ResultPage {
  const { title = "", description = "" } = document.metadata;
  return { ...withMediaLinks(document, baseUrl), metadata: { ...document.metadata, title, description } };
}

interface Failure {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof ServiceError) return { ok: false, code: error.code, message: error.message };
  // robots.txt that nobody waits for any longer.
  if (signal.aborted) return { ok: false, code: "SCRAPE_TIMEOUT" };
  throw error;
}

function failedPage(url: string, { code, message }: Failure): ResultPage {
  const error = message ?? errorTable[code].message;
  return { metadata: { title: "", description: "", sourceURL: url, statusCode: errorTable[code].status, error } };
}
