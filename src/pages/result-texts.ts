// Reads pages of search results to decide whether a query's operators hold for them. A copy is cached, so that reading the
// same page for the caller does not fetch it again.
import { createTrace, newId } from "../base/index.ts";
import type { ScrapeOptions } from "../contract/index.ts";
import type { ReadResultText } from "../search/index.ts";
import type { Store } from "../store/index.ts";
import type { OutputPlan } from "./formats/plan-outputs.ts";
import { type PageScraperDeps, robotsRefusal } from "./obtain-page.ts";
import type { PageReading } from "./reading/read-page.ts";
import { keepsNothing, writePages } from "./record/page-record.ts";

export interface ResultTextRequest {
  teamId: string;
  /** How the caller wants pages to be read; headers, actions and storage of the caller's own are not used. */
  options: ScrapeOptions;
}

/** Opens the reading of search results for one request: uncharged, neither listed by map nor added to the local index. */
export type OpenResultTexts = (request: ResultTextRequest, signal: AbortSignal) => ReadResultText;

export interface ResultTextDeps extends PageScraperDeps {
  store: Store;
}

const plan: OutputPlan = {
  formats: {
    markdown: true,
    html: false,
    rawHtml: false,
    links: true,
    images: false,
    outlinks: false,
    attributes: [],
  },
  reader: null,
  answers: null,
  tracked: null,
  model: null,
  isLocked: false,
  isCleaned: false,
  warnings: [],
};

export function createResultTexts({ clock, recorder, readPage, robots, store }: ResultTextDeps): OpenResultTexts {
  return ({ teamId, options: asked }, signal) => {
    const options = textOptions(asked);

    async function keep(reading: PageReading): Promise<void> {
      if (keepsNothing(options) || reading.keep.length === 0) return;
      const now = clock.now();
      const bill = { teamId, keyId: null, chargeId: newId(now), jobId: newId(now), endpoint: "search", credits: 0 };
      const { rows } = await recorder.record(bill, reading, { document: "shared", traces: true });
      await store.transaction((statements) => writePages(statements, [{ ...rows, charges: [], knownPages: [] }]));
    }

    return async (url) => {
      const request = { teamId, url, options, plan };
      try {
        if (robots && (await robotsRefusal(robots, request, signal))) return null;
      } catch {
        return null;
      }
      const outcome = await readPage(request, signal, createTrace());
      // What a server says instead of the page decides nothing about it.
      if (!outcome.ok || (outcome.document.metadata.statusCode ?? 200) >= 400) return null;
      await keep(outcome);
      const { metadata, markdown = "", links = [] } = outcome.document;
      const { title = "", description = "" } = metadata;
      return { title, description, text: withoutTargets(markdown ?? ""), links };
    };
  };
}

/** The caller's own headers, actions and storage are for the pages that the caller gets. */
function textOptions({ profile: _, ...shared }: ScrapeOptions): ScrapeOptions {
  return {
    ...shared,
    actions: [],
    formats: [{ type: "markdown" }, { type: "links" }],
    onlyMainContent: false,
    includeTags: [],
    excludeTags: [],
    headers: {},
  };
}

/** URLs of links and images stand between words that follow each other on the page. */
function withoutTargets(markdown: string): string {
  return markdown.replace(/\]\([^\s)]*(?:\s"[^"\n]*")?\)/g, "]");
}
