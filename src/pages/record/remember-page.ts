// Keeps an obtained page so that it can be read again by its id for a day.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { ScrapeRecord } from "../../store/index.ts";
import { keepsNothing } from "../cache/copy-use.ts";
import type { Keeping, PageRecord, PageRows } from "./page-record.ts";
import { type PageDetails, scrapeRecord } from "./stored-details.ts";

interface RecordablePage {
  details: PageDetails;
  record(keeping: Keeping): Promise<PageRecord>;
}

/** `scrapes` is empty when nothing may be kept. */
export async function rememberPage(
  page: RecordablePage,
  { id, teamId, options }: { id: string; teamId: string; options: ScrapeOptions },
  now: number,
): Promise<{ rows: PageRows; scrapes: ScrapeRecord[] }> {
  const isKept = !keepsNothing(options);
  const { rows, document } = await page.record({
    document: isKept ? "shared" : null,
    traces: isKept ? "all" : "none",
  });
  if (!document) return { rows, scrapes: [] };
  const { remake } = document;
  const details = remake ? Object.assign({}, page.details, { remake }) : page.details;
  return { rows, scrapes: [scrapeRecord({ id, teamId }, document.blobId, details, now)] };
}
