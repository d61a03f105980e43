// Where the search for a site's URLs begins: its rules, its start page, and where that page really is. When the start page
// redirects to another host, that host is the site, under its own robots.txt.
import type { ArchiveReplay, Capture } from "../../archive/index.ts";
import { bareUrl, withoutFragment } from "../../base/index.ts";
import type { Outlinks } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { RobotsState } from "../../discovery/index.ts";
import type { RobotsCheck, RobotsChecks, RobotsRefusal } from "../../reach/index.ts";
import type { SiteReader, SiteRequest } from "../sitemaps/site-reader.ts";

export interface StartPageRequest {
  teamId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  location: ScrapeOptions["location"];
  /** What answers in place of the site. */
  archive?: Capture | ArchiveReplay | undefined;
}

export interface StartPage {
  metadata: Document["metadata"];
  outlinks: Outlinks;
}

export type StartPageReading =
  | { ok: true; page: StartPage; warnings: readonly string[] }
  /** `refusal`: where robots.txt is the reason. */
  | { ok: false; warning: string; refusal: RobotsRefusal | null };

/** Reads the start page, uncharged, if robots.txt lets it through. */
export type ReadStartPage = (
  request: StartPageRequest,
  robots: RobotsCheck | null,
  signal: AbortSignal,
) => Promise<StartPageReading>;

export interface SiteStart {
  /** Where the start page was found, or else the requested URL; without credentials. */
  base: URL;
  robots: RobotsState;
  /** Null when it could not be read or robots.txt disallows it. */
  page: StartPage | null;
  /** Why it was not read, or what to know about how it was read. */
  warnings: readonly string[];
}

export interface SiteStartDeps {
  sites: Pick<SiteReader, "readRules">;
  robots: RobotsChecks;
  readStartPage: ReadStartPage;
}

export async function readSiteStart(
  { sites, robots, readStartPage }: SiteStartDeps,
  { url, headers, location, archive }: Omit<StartPageRequest, "teamId">,
  request: SiteRequest,
): Promise<SiteStart> {
  const start = new URL(withoutFragment(bareUrl(url)));
  const { teamId, signal, own } = request;
  const check = robots.open({
    teamId,
    options: { lockdown: false, location },
    isNamed: false,
    signal,
    site: { own, archive },
  });
  const reading = await readStartPage({ teamId, url, headers, location, archive }, check, signal);
  const rulesOf = (page: URL) => check?.rulesFor(page.href) ?? sites.readRules(page, request);
  if (!reading.ok) {
    const { refusal } = reading;
    if (!refusal?.rules) return { base: start, robots: await rulesOf(start), page: null, warnings: [reading.warning] };
    const base = new URL(withoutFragment(bareUrl(refusal.url)));
    return { base, robots: refusal.rules, page: null, warnings: [whyForbidden(refusal.rules)] };
  }
  const { page, warnings } = reading;
  const base = new URL(withoutFragment(page.metadata.url ?? start.href));
  return { base, robots: await rulesOf(base), page, warnings };
}

function whyForbidden({ reason }: RobotsState): string {
  return reason ?? "The start page was not read: robots.txt disallows it.";
}
