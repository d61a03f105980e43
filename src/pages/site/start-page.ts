// Reads the start page of a site with the options that finding its URLs needs: fresh, without outputs, with its links.
import { createTrace, ServiceError } from "../../base/index.ts";
import { scrapeOptions } from "../../contract/index.ts";
import { planOutputs } from "../formats/plan-outputs.ts";
import type { PageReader } from "../reading/read-page.ts";
import type { ReadStartPage } from "./site-start.ts";

const startPageMs = 30_000;

export function createStartPageReader(readPage: PageReader): ReadStartPage {
  return async ({ teamId, url, headers, location }, signal) => {
    const fixed = { maxAge: 0, storeInCache: false, timeout: startPageMs, formats: [] };
    const options = scrapeOptions.parse({ headers, location, ...fixed });
    const { formats, ...rest } = planOutputs(options);
    const plan = { ...rest, formats: { ...formats, outlinks: true } };
    const outcome = await readPage({ teamId, url, options, plan }, signal, createTrace());
    if (!outcome.ok) {
      const { message } = new ServiceError(outcome.code, outcome.message);
      return { ok: false, warning: `The start page could not be read: ${message}` };
    }
    const { document, outlinks, warnings } = outcome;
    const { metadata } = document;
    if ((metadata.statusCode ?? 200) >= 400) {
      return { ok: false, warning: `The start page answered ${metadata.statusCode}.` };
    }
    const links = outlinks ?? { links: [], canonical: null, alternates: [], feeds: [] };
    return { ok: true, page: { metadata, outlinks: links }, warnings };
  };
}
