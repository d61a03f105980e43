// The text of pages that a search found, read to decide whether the query's operators hold for them: free, and neither listed
// by map nor added to the local index. A copy is cached, so that reading the same page for the caller does not fetch it again.
import { type Clock, newId } from "../../base/index.ts";
import { keepsNothing, type ScrapeOptions } from "../../contract/index.ts";
import { plainPlan } from "../formats/plan-outputs.ts";
import type { SavePages } from "../record/save-pages.ts";
import type { ObtainedPage, ObtainPage } from "../stages/asked-page.ts";

interface PlainPage {
  title: string;
  description: string;
  text: string;
  /** Where the page leads. */
  links: readonly string[];
}

interface ResultTextRequest {
  teamId: string;
  /** How the caller wants pages to be read; headers, actions and storage of the caller's own are not used. */
  options: ScrapeOptions;
}

/** Null when the page cannot be read. */
type ReadText = (url: string) => Promise<PlainPage | null>;

/** Opens the reading of search results for one request. */
export type OpenResultTexts = (request: ResultTextRequest, signal: AbortSignal) => ReadText;

export interface ResultTextDeps {
  clock: Clock;
  obtainPage: ObtainPage;
  savePages: SavePages;
}

const plan = plainPlan({ markdown: true, links: true });

export function createResultTexts({ clock, obtainPage, savePages }: ResultTextDeps): OpenResultTexts {
  return ({ teamId, options: asked }, signal) => {
    const options = textOptions(asked);

    async function keep(page: ObtainedPage): Promise<void> {
      if (keepsNothing(options) || page.reading.keep.length === 0) return;
      const { rows } = await page.record({ document: "shared", traces: "copies" });
      await savePages([rows]);
    }

    return async (url) => {
      const id = newId(clock.now());
      const payer = { teamId, keyId: null, jobId: id, endpoint: "search", chargeId: null };
      const page = await obtainPage({ id, payer, url, options, plan, robots: "named" }, signal);
      // An error page says nothing about the page itself.
      if (!page.ok || (page.reading.document.metadata.statusCode ?? 200) >= 400) return null;
      await keep(page);
      const { metadata, markdown = "", links = [] } = page.reading.document;
      const { title = "", description = "" } = metadata;
      return { title, description, text: withoutTargets(markdown), links };
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
    trace: false,
  };
}

/** URLs of links and images would separate words that follow each other on the page. */
function withoutTargets(markdown: string): string {
  return markdown.replace(/\]\([^\s)]*(?:\s"[^"\n]*")?\)/g, "]");
}
