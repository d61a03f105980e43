// Where a map begins: the rules of the site, its start page, and where it is now. A site whose start page leads to another host
// is mapped there, by the rules of that host.
import { bareUrl, createTrace, ServiceError, withoutFragment } from "../../base/index.ts";
import type { Outlinks } from "../../content/index.ts";
import { type Document, type OperationInput, scrapeOptions } from "../../contract/index.ts";
import type { RobotsState } from "../../discovery/index.ts";
import type { PageReader, SiteReader, SiteRequest } from "../../pages/index.ts";
import { planOutputs } from "../../pages/index.ts";

export interface StartPage {
  metadata: Document["metadata"];
  outlinks: Outlinks;
}

export interface SiteStart {
  /** Where the start page was found, else where it was asked for; without credentials. */
  base: URL;
  robots: RobotsState;
  /** Null when it could not or may not be read. */
  page: StartPage | null;
  /** Why it was not, or how it was read. */
  warnings: string[];
}

export interface SiteStartDeps {
  sites: SiteReader;
  readPage: PageReader;
}

type StartInput = Pick<OperationInput<"map">, "url" | "headers" | "location">;

const startPageMs = 30_000;

export async function readSiteStart(deps: SiteStartDeps, input: StartInput, request: SiteRequest): Promise<SiteStart> {
  const start = new URL(withoutFragment(bareUrl(input.url)));
  const robots = await deps.sites.readRobots(start, request);
  if (!robots.allows(start)) return { base: start, robots, page: null, warnings: [whyForbidden(robots)] };
  const reading = await readStartPage(deps, input, request);
  if ("warning" in reading) return { base: start, robots, page: null, warnings: [reading.warning] };
  const { url, warnings, ...page } = reading;
  if (url.origin === start.origin) return { base: url, robots, page, warnings };
  const there = await deps.sites.readRobots(url, request);
  if (there.allows(url)) return { base: url, robots: there, page, warnings };
  return { base: url, robots: there, page: null, warnings: [whyForbidden(there)] };
}

async function readStartPage(
  { readPage }: SiteStartDeps,
  { url, headers, location }: StartInput,
  { teamId, signal }: SiteRequest,
): Promise<(StartPage & { url: URL; warnings: string[] }) | { warning: string }> {
  const fixed = { maxAge: 0, storeInCache: false, timeout: startPageMs, formats: [] };
  const options = scrapeOptions.parse({ headers, location, ...fixed });
  const { formats, ...rest } = planOutputs(options);
  const plan = { ...rest, formats: { ...formats, outlinks: true } };
  const outcome = await readPage({ teamId, url, options, plan }, signal, createTrace());
  if (!outcome.ok) {
    const { message } = new ServiceError(outcome.code, outcome.message);
    return { warning: `The start page could not be read: ${message}` };
  }
  const { document, outlinks, warnings } = outcome;
  const { metadata } = document;
  if ((metadata.statusCode ?? 200) >= 400) return { warning: `The start page answered ${metadata.statusCode}.` };
  const links = outlinks ?? { links: [], canonical: null, alternates: [], feeds: [] };
  return { url: new URL(withoutFragment(metadata.url ?? bareUrl(url))), metadata, outlinks: links, warnings };
}

function whyForbidden({ reason }: RobotsState): string {
  return reason ?? "The start page was not read: robots.txt forbids it.";
}
