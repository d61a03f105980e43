// Pages of results, read to decide whether a query's operators hold for them (D18): uncharged, and unknown to map and to the
// own index. A copy is kept, so that reading the same page for the caller fetches nothing again.
import { createTrace, newId } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { keepsNothing, type PageRows, type PageScraperDeps, robotsRefusal, writePages } from "../../pages/index.ts";
import type { Store } from "../../store/index.ts";

export interface PageText {
  title: string;
  description: string;
  text: string;
  /** Where the page leads. */
  links: readonly string[];
}

export interface PageTexts {
  /** Null when the page cannot be had. */
  read(url: string): Promise<PageText | null>;
  /** Writes the copies of what was read. */
  keep(): Promise<void>;
}

export function createPageTexts(
  { clock, recorder, readPage, robots, store }: PageScraperDeps & { store: Store },
  { teamId, scrapeOptions }: { teamId: string; scrapeOptions: ScrapeOptions },
  signal: AbortSignal,
): PageTexts {
  const rows: PageRows[] = [];
  // The caller's own headers, steps and storage are for the pages that the caller gets.
  const { profile: _, ...shared } = scrapeOptions;
  const options: ScrapeOptions = {
    ...shared,
    actions: [],
    formats: [{ type: "markdown" }, { type: "links" }],
    onlyMainContent: false,
    includeTags: [],
    excludeTags: [],
    headers: {},
  };
  const formats = {
    markdown: true,
    html: false,
    rawHtml: false,
    links: true,
    images: false,
    outlinks: false,
    attributes: [],
  };

  return {
    async read(url) {
      const request = {
        teamId,
        url,
        options,
        plan: {
          formats,
          reader: null,
          answers: null,
          tracked: null,
          model: null,
          isLocked: false,
          isCleaned: false,
          warnings: [],
        },
      };
      try {
        if (robots && (await robotsRefusal(robots, request, signal))) return null;
      } catch {
        return null;
      }
      const outcome = await readPage(request, signal, createTrace());
      const { document } = outcome.ok ? outcome : { document: null };
      // What a server says instead of the page decides nothing about it.
      if (!outcome.ok || document === null || (document.metadata.statusCode ?? 200) >= 400) return null;
      if (!keepsNothing(options) && outcome.keep.length > 0) {
        const now = clock.now();
        const bill = { teamId, keyId: null, chargeId: newId(now), jobId: newId(now), endpoint: "search", credits: 0 };
        const made = await recorder.record(bill, outcome, { document: "shared", traces: true });
        rows.push({ ...made.rows, charges: [], knownPages: [] });
      }
      return {
        title: document.metadata.title ?? "",
        description: document.metadata.description ?? "",
        text: withoutTargets(document.markdown ?? ""),
        links: document.links ?? [],
      };
    },

    async keep() {
      const all = rows.splice(0);
      if (all.length > 0) await store.transaction((statements) => writePages(statements, all));
    },
  };
}

/** Addresses of links and pictures stand between words that follow each other on the page. */
function withoutTargets(markdown: string): string {
  return markdown.replace(/\]\([^\s)]*(?:\s"[^"\n]*")?\)/g, "]");
}
