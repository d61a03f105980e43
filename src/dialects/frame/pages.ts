// Pages for dialects: each is a scrape of v2.
import { ServiceError } from "../../base/index.ts";
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
  const { data } = await call.operations.scrape({ ...input, ...terms }, call.caller, call.signal);
  return data;
}

export type ListedPage =
  | { ok: true; url: string; document: Document }
  | { ok: false; url: string; error: ServiceError; document: Document | null };

/**
 * A list keeps going without the pages that are refused or unreadable. A page that answers with an error is none that the caller
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
      try {
        const document = await scrapePage(call, url, options, terms);
        const error = targetError(document);
        return error === null ? { ok: true, url, document } : { ok: false, url, error, document };
      } catch (error) {
        if (!(error instanceof ServiceError) || !isOfPage(error)) throw error;
        return { ok: false, url, error, document: null };
      }
    }),
  );
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
  const { rungs = [] } = (details ?? {}) as { rungs?: readonly { status: number }[] };
  return rungs.at(-1)?.status ?? null;
}
