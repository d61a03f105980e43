// Reads the start page of a site with the options that finding URLs needs: fresh, without outputs, with its links. It is free
// and stores nothing.
import { type Clock, newId, ServiceError } from "../../base/index.ts";
import { documentStates, scrapeOptions } from "../../contract/index.ts";
import type { ObtainPage } from "../../pages/index.ts";
import { plainPlan } from "../../pages/index.ts";
import type { ReadStartPage } from "./site-start.ts";

const startPageMs = 30_000;
/** Pages that another host sends instead of the site's: their links are not those of the site. */
const statesOfOthers: ReadonlySet<string> = new Set(documentStates.filter((state) => state !== "content"));

export interface StartPageDeps {
  obtainPage: ObtainPage;
  clock: Clock;
}

export function createStartPageReader({ obtainPage, clock }: StartPageDeps): ReadStartPage {
  return async ({ teamId, url, headers, location, archive }, robots, signal) => {
    const fixed = { maxAge: 0, storeInCache: false, timeout: startPageMs, formats: [] };
    // The location was read before: reading it twice would refuse what the first reading added.
    const options = { ...scrapeOptions.parse({ headers, ...fixed }), location };
    const id = newId(clock.now());
    const payer = { teamId, keyId: null, jobId: id, endpoint: "map", chargeId: null };
    const plan = plainPlan({ outlinks: true });
    const page = await obtainPage({ id, payer, url, options, plan, robots, archive }, signal);
    if (!page.ok) {
      const { message } = new ServiceError(page.code, page.message);
      return { ok: false, warning: `The start page could not be read: ${message}`, refusal: page.refusal ?? null };
    }
    const { document, findings, warnings } = page.reading;
    const { outlinks } = findings;
    const { metadata } = document;
    if ((metadata.statusCode ?? 200) >= 400) {
      return { ok: false, warning: `The start page answered ${metadata.statusCode}.`, refusal: null };
    }
    // Its links are advertisements.
    if (metadata.pageState === "parked")
      return { ok: false, warning: "The start page is a parked domain and was not used.", refusal: null };
    const { pageState = "content" } = metadata;
    const isElsewhere = new URL(metadata.url ?? url).host !== new URL(url).host;
    if (isElsewhere && statesOfOthers.has(pageState))
      return {
        ok: false,
        warning: `The site sent ${pageState} from another host in place of its start page.`,
        refusal: null,
      };
    const links = outlinks ?? { links: [], canonical: null, alternates: [], feeds: [] };
    return { ok: true, page: { metadata, outlinks: links }, warnings };
  };
}
