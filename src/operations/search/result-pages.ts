// Reads the pages of results for the caller, each page once, as a scrape would. A result whose page fails carries the error.
import { type ErrorCode, errorTable, newId, ServiceError } from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import {
  assembleDocument,
  type ObtainedPage,
  type OutputPlan,
  type PageRows,
  rememberPage,
  withMediaLinks,
} from "../../pages/index.ts";
import type { CheckUrl } from "../../reach/index.ts";
import type { ScrapeRecord } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

/** What a page adds to its result. */
export type ResultPage = Partial<Document>;

export interface ReadPages {
  /** By URL, each with the id under which it can be read again. */
  pages: Map<string, { page: ResultPage; scrapeId: string | null }>;
  rows: PageRows[];
  scrapes: ScrapeRecord[];
  credits: number;
  /** Results that are not what was found: parked domains and block pages, with the reason. */
  leftOut: Map<string, string>;
}

export interface ResultPagesRequest {
  id: string;
  teamId: string;
  keyId: string | null;
  options: ScrapeOptions;
  plan: OutputPlan;
  /** Links to this server start with it. */
  baseUrl: string;
  /** A result whose site refuses its page stays, with the error. */
  keepsBlocked: boolean;
}

/** The team's slots limit how many pages are read at the same time. */
export async function readResultPages(
  { obtainPage, checkUrl, clock }: OperationParts,
  { id: jobId, teamId, keyId, options: asked, plan, baseUrl, keepsBlocked }: ResultPagesRequest,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<ReadPages> {
  // All pages are read at the same time, and only one of them could save the profile.
  const { profile } = asked;
  const options = profile ? { ...asked, profile: { ...profile, saveChanges: false } } : asked;
  const read: ReadPages = { pages: new Map(), rows: [], scrapes: [], credits: 0, leftOut: new Map() };
  await Promise.all(
    [...new Set(urls)].map(async (url) => {
      const id = newId(clock.now());
      const payer = { teamId, keyId, jobId, endpoint: "search", chargeId: newId(clock.now()) };
      const request = { id, payer, url, options, plan, robots: "named" as const };
      const outcome =
        refusalOf(url, checkUrl) ??
        (await obtainPage(request, signal).catch((error: unknown) => failureOf(error, signal)));
      const why = whyLeftOut(outcome, keepsBlocked);
      if (why !== null) {
        read.leftOut.set(url, why);
        return;
      }
      if (!outcome.ok) {
        read.pages.set(url, { page: failedPage(url, outcome), scrapeId: null });
        return;
      }
      const { rows, scrapes } = await rememberPage(outcome, { id, teamId, options }, clock.now());
      const document = assembleDocument(outcome.reading.document, outcome.details);
      read.pages.set(url, { page: resultPage(document, baseUrl), scrapeId: scrapes.length > 0 ? id : null });
      read.rows.push(rows);
      read.scrapes.push(...scrapes);
      read.credits += outcome.credits;
    }),
  );
  return read;
}

export function resultPage(document: Document, baseUrl: string): ResultPage {
  const { title = "", description = "" } = document.metadata;
  return { ...withMediaLinks(document, baseUrl), metadata: { ...document.metadata, title, description } };
}

/** Null for a page that can be shown. A page that is left out costs nothing and leaves nothing behind. */
function whyLeftOut(outcome: ObtainedPage | PageRefusal, keepsBlocked: boolean): string | null {
  if (!outcome.ok)
    return outcome.code === "SCRAPE_SITE_BLOCKED" && !keepsBlocked ? "the site blocks this server" : null;
  return outcome.reading.document.metadata.pageState === "parked" ? "a parked domain" : null;
}

interface PageRefusal {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
}

/** A service may name URLs that every other endpoint refuses, such as ftp. */
function refusalOf(url: string, checkUrl: CheckUrl): PageRefusal | null {
  const check = checkUrl(url);
  if ("url" in check) return null;
  if (check.problem === "refused") return { ok: false, code: "URL_NOT_ALLOWED" };
  return { ok: false, code: "BAD_REQUEST", message: check.message };
}

function failureOf(error: unknown, signal: AbortSignal): PageRefusal {
  if (error instanceof ServiceError) return { ok: false, code: error.code, message: error.message };
  // The robots.txt did not come in time.
  if (signal.aborted) return { ok: false, code: "SCRAPE_TIMEOUT" };
  throw error;
}

function failedPage(url: string, { code, message }: PageRefusal): ResultPage {
  const error = message ?? errorTable[code].message;
  return { metadata: { title: "", description: "", sourceURL: url, statusCode: errorTable[code].status, error } };
}
