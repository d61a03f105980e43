// The failure of a page that a wall stands before: who put it there, how it was tried, and what the operator can do.
import type { PageVerdict } from "../../content/index.ts";
import type { Page } from "../../engines/index.ts";
import type { PageFailure } from "./page-reading.ts";

export function siteBlocked({ engine, status }: Pick<Page, "engine" | "status">, verdict: PageVerdict): PageFailure {
  const { state: kind, vendor = "unknown" } = verdict;
  const rungs = [{ engine, proxy: "none", status, verdict: kind }];
  return {
    ok: false,
    code: "SCRAPE_SITE_BLOCKED",
    message: sentenceOf(kind, vendor),
    details: { vendor, kind, rungs },
  };
}

function sentenceOf(kind: PageVerdict["state"], vendor: string): string {
  const by = vendor === "unknown" ? "" : ` (${vendor})`;
  const what =
    kind === "challenge"
      ? `The site asks for proof that a person is there${by}, and nothing here passed it.`
      : `The site refuses to serve this page to this server${by}.`;
  return `${what} The operator can set a proxy from which the site serves (PROXY_SERVER), or ask the site's owner to allow this server.`;
}
