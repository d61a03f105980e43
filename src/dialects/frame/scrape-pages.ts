// Pages for dialects: each is a scrape of v2.
import { newId, ServiceError } from "../../base/index.ts";
import type { Document, ScrapeTerms } from "../../contract/index.ts";
import { causeOf } from "./cause.ts";
import type { DialectCall } from "./dialect.ts";
import { v2Input } from "./v2-input.ts";

/** `options`: those of a v2 scrape. */
export async function scrapePage(
  call: DialectCall,
  url: string,
  options: object,
  terms: ScrapeTerms = {},
): Promise<Document> {
  const input = v2Input("scrape", { url, ...options });
  return (await call.operations.scrape({ ...input, ...terms }, call.caller, call.signal)).data;
}

/** `id`: of the scrape's record; null without one. */
export type ListedPage =
  | { ok: true; url: string; id: string | null; document: Document }
  | { ok: false; url: string; id: string | null; error: ServiceError; document: Document | null };

/**
 * A list keeps going without the pages that are refused or unreadable. A page that answers with an error is not one that the caller
 * asked for. What is wrong with the request itself, or with this server, ends it.
 */
export function scrapePages(
  call: DialectCall,
  urls: readonly string[],
  options: object,
  terms: ScrapeTerms = {},
): Promise<ListedPage[]> {
  return Promise.all(
    urls.map(async (url): Promise<ListedPage> => {
      let id: string | null = null;
      const onRecord = (recorded: string) => {
        id = recorded;
      };
      try {
        const document = await scrapePage(call, url, options, { ...terms, onRecord });
        const error = targetError(document);
        return error === null ? { ok: true, url, id, document } : { ok: false, url, id, error, document };
      } catch (error) {
        if (!(error instanceof ServiceError) || !isOfPage(error)) throw error;
        return { ok: false, url, id, error, document: null };
      }
    }),
  );
}

/** The id of the whole request: that of the first page that was read, else of the first that was tried. */
export function idOfPages(pages: readonly ListedPage[], { now }: DialectCall): string {
  const first = pages.find(({ document }) => document !== null) ?? pages.find(({ id }) => id !== null);
  // Where every address was refused, nothing was done that has a record.
  return first?.id ?? newId(now());
}

/** What was said about the pages, each sentence once. */
export function warningsOf(pages: readonly ListedPage[]): string {
  return [...new Set(pages.flatMap(({ document }) => document?.warning ?? []))].join(" ");
}

function isOfPage(error: ServiceError): boolean {
  const cause = causeOf(error);
  if (cause === "badRequest") return isAboutUrl(error);
  return ["refused", "notFound", "timeout", "unreadable", "unknownKind"].includes(cause);
}

function isAboutUrl({ details }: ServiceError): boolean {
  return Array.isArray(details) && details.some((issue) => issue?.path?.[0] === "url");
}

/** Null for a page that answered as it should. */
function targetError({ metadata }: Document): ServiceError | null {
  const { statusCode = 200 } = metadata;
  if (statusCode < 400) return null;
  return new ServiceError("SCRAPE_SITE_ERROR", `The page answered with the status ${statusCode}.`);
}

/** The status with which a site refused the last try; null when the page was not blocked. */
export function refusalStatus({ code, details }: ServiceError): number | null {
  if (code !== "SCRAPE_SITE_BLOCKED") return null;
  const blocked = (details ?? {}) as { rungs?: readonly { status: number }[] };
  return blocked.rungs?.at(-1)?.status ?? null;
}
