// Where the search for a site's URLs begins: its rules, its start page, and where that page really is. When the start page
// redirects to another host, that host is the site, under its own robots.txt.
import { bareUrl, withoutFragment } from "../../base/index.ts";
import type { Outlinks } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { RobotsState } from "../../discovery/index.ts";
import type { SiteReader, SiteRequest } from "./site-reader.ts";

export interface StartPageRequest {
  teamId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  location: ScrapeOptions["location"];
}

export interface StartPage {
  metadata: Document["metadata"];
  outlinks: Outlinks;
}

export type StartPageReading =
  | { ok: true; page: StartPage; warnings: readonly string[] }
  | { ok: false; warning: string };

/** Reads the start page, uncharged. */
export type ReadStartPage = (request: StartPageRequest, signal: AbortSignal) => Promise<StartPageReading>;

export interface SiteStart {
  /** Where the start page was found, or else the requested URL; without credentials. */
  base: URL;
  robots: RobotsState;
  /** Null when it could not be read or robots.txt forbids it. */
  page: StartPage | null;
  /** Why it was not read, or what to know about how it was read. */
  warnings: readonly string[];
}

export interface SiteStartDeps {
  sites: Pick<SiteReader, "readRobots">;
  readStartPage: ReadStartPage;
}

export async function readSiteStart(
  { sites, readStartPage }: SiteStartDeps,
  { url, headers, location }: Omit<StartPageRequest, "teamId">,
  request: SiteRequest,
): Promise<SiteStart> {
  const start = new URL(withoutFragment(bareUrl(url)));
  const robots = await sites.readRobots(start, request);
  if (!robots.allows(start)) return { base: start, robots, page: null, warnings: [whyForbidden(robots)] };
  const { teamId, signal } = request;
  const reading = await readStartPage({ teamId, url, headers, location }, signal);
  if (!reading.ok) return { base: start, robots, page: null, warnings: [reading.warning] };
  const { page, warnings } = reading;
  const base = new URL(withoutFragment(page.metadata.url ?? start.href));
  if (base.origin === start.origin) return { base, robots, page, warnings };
  const there = await sites.readRobots(base, request);
  if (there.allows(base)) return { base, robots: there, page, warnings };
  return { base, robots: there, page: null, warnings: [whyForbidden(there)] };
}

function whyForbidden({ reason }: RobotsState): string {
  return reason ?? "The start page was not read: robots.txt forbids it.";
}
