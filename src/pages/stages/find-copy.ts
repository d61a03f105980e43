import type { Clock, Trace } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { type CopySpan, type CopyUse, planCopyUse } from "../cache/copy-use.ts";
import type { CachedPage, PageCache } from "../cache/page-cache.ts";
import type { CachedDocument } from "../cache/recent-documents.ts";
import type { PageFailure } from "../record/page-reading.ts";
import type { AskedPage, NoPage } from "./asked-page.ts";
import type { StageResult } from "./list-of-stages.ts";

/** A cached document, a cached page from which one is made, or neither. */
interface FoundCopies {
  document: CachedDocument | null;
  page: CachedPage | null;
}

export interface CopyFound {
  /** Which copies the request may use, and which it may create. */
  use: CopyUse;
  copy: FoundCopies;
}

const nothing: FoundCopies = { document: null, page: null };

/** Looks for a cached copy, where the options accept one. */
export function createCacheStage({ cache, clock }: { cache: PageCache; clock: Clock }) {
  return ({ request, trace }: AskedPage): StageResult<CopyFound, NoPage> | Promise<StageResult<CopyFound, NoPage>> => {
    const use = planCopyUse(request, clock);
    const { span } = use;
    if (span === null) return missOf(request.options) ?? { use, copy: nothing };
    return find(request.payer.teamId, use, span, trace).then((copy) => {
      const isFound = copy.document !== null || copy.page !== null;
      return (isFound ? null : missOf(request.options)) ?? { use, copy };
    });
  };

  function find(teamId: string, { keys, documents, pages }: CopyUse, span: CopySpan, trace: Trace) {
    return trace.run(
      "cache",
      async (): Promise<FoundCopies> => {
        const { document, page } = keys();
        const sought = [...(documents ? [document] : []), ...(pages ? [page] : [])];
        const copy = await cache.find(teamId, sought, span);
        if (!copy) return nothing;
        return copy.key === document
          ? { document: await cache.readDocument(copy), page: null }
          : { document: null, page: await cache.readPage(copy) };
      },
      (found) => ({ outcome: found.document ? "hit" : found.page ? "page hit" : "miss" }),
    );
  }
}

/** Null when a page that is not cached may be fetched. */
export function missOf({ lockdown, minAge }: ScrapeOptions): PageFailure | null {
  if (lockdown) return { ok: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" };
  return minAge === undefined ? null : { ok: false, code: "SCRAPE_NO_CACHED_DATA" };
}
