// Every address of a site that the site itself, its start page or this team's own reading tells of; none is made up.
import { type Activity, type Caller, type Credits, prices } from "../accounts/index.ts";
import { bareUrl, type Clock, createDeadline, newId, ServiceError, withoutFragment } from "../base/index.ts";
import type { Outlinks } from "../content/index.ts";
import { type Document, type OperationInput, type OperationOutput, scrapeOptions } from "../contract/index.ts";
import type { RobotsState, SitemapEntry } from "../discovery/index.ts";
import { acceptLanguage } from "../engines/index.ts";
import type { Store } from "../store/index.ts";
import { type Judge, judgeOrThrow } from "./judge.ts";
import { createLinkList, type LinkList } from "./link-list.ts";
import type { PageReader } from "./read-page.ts";
import { planOutputs } from "./scrape-outputs.ts";
import type { SiteReader, SiteRequest } from "./site-reader.ts";
import { createTrace } from "./trace.ts";

type MapInput = OperationInput<"map">;
type MapAnswer = OperationOutput<"map">;

export interface MapDeps {
  store: Store;
  clock: Clock;
  credits: Credits;
  activity: Activity;
  sites: SiteReader;
  readPage: PageReader;
  judge: Judge;
}

/** Where sitemaps lie when robots.txt names none; the first is asked for in any case. */
const firstPlace = "/sitemap.xml";
const otherPlaces = ["/sitemap_index.xml", "/sitemap.xml.gz", "/sitemap-index.xml", "/wp-sitemap.xml", "/sitemap.txt"];
const startPageMs = 30_000;
/** Known pages to look at; more than a map can list. */
const maxKnown = 100_000;
/** A search looks at everything that is found, up to this. */
const maxSearched = 1_000_000;

/** The start page, if it could be read. */
interface StartPage {
  url: URL;
  metadata: Document["metadata"];
  outlinks: Outlinks;
}

export function createMapOperations(deps: MapDeps) {
  const { store, clock, credits, activity, sites } = deps;

  async function map(input: MapInput, caller: Caller, callerSignal: AbortSignal): Promise<MapAnswer> {
    const start = judgeOrThrow(deps.judge, input.url);
    await credits.require(caller.teamId, prices.map);
    const id = newId(clock.now());
    const note = { id, endpoint: "map", target: bareUrl(input.url) };
    const deadline = input.timeout === undefined ? null : createDeadline(callerSignal, input.timeout);
    const signal = deadline?.signal ?? callerSignal;
    try {
      const { links, warnings } = await discover(start, input, caller, signal);
      if (signal.aborted) throw stopped(callerSignal);
      await credits.charge(caller, [{ jobId: id, endpoint: "map", credits: prices.map, reason: "map" }]);
      await activity.note(caller, { ...note, outcome: "succeeded" });
      return { success: true, id, links, ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}) };
    } catch (error) {
      await activity.note(caller, { ...note, outcome: "failed" });
      throw signal.aborted ? stopped(callerSignal) : error;
    } finally {
      deadline?.clear();
    }
  }

  async function discover(start: URL, input: MapInput, { teamId }: Caller, signal: AbortSignal) {
    const { createSiteScope, rank, siteOf } = await import("../discovery/index.ts");
    const warnings: string[] = [];
    const headers = { "accept-language": acceptLanguage(input.location), ...input.headers };
    const request: SiteRequest = { teamId, signal, headers, isPersonal: Object.keys(input.headers).length > 0 };

    const robots = await sites.readRobots(start, request);
    if (robots.state === "closed" && robots.reason) warnings.push(robots.reason);
    const isOnly = input.sitemap === "only";
    const page = isOnly ? null : await readStartPage(start, input, robots, teamId, signal, warnings);
    // A site that has moved is mapped where it is now.
    const base = page?.url ?? start;
    const known = await store.knownPages.listOfSite({ teamId, site: siteOf(base), limit: maxKnown });

    const room = input.search === undefined ? input.limit : maxSearched;
    const list = await createLinkList({ ...input, isWithin: createSiteScope(base, input), room });
    for (const { url, title, description } of known) list.describe(url, { title, description });
    if (page) {
      const { title, description } = page.metadata;
      list.describe(page.url.href, { title, description });
      for (const { url, text } of page.outlinks.links) list.describe(url, { title: text });
      await list.add([{ url: page.url.href }]);
    }
    const noted = await addSitemaps(list, base, robots, page, input, request);
    if (page) {
      const { links, canonical, alternates } = page.outlinks;
      await list.add([...(canonical === null ? [] : [canonical]), ...alternates].map((url) => ({ url })));
      await list.add(links.map(({ url }) => ({ url })));
    }
    if (!isOnly && input.useIndex) await list.add(known);

    const found = list.links();
    warnings.push(...noted, ...list.warnings());
    if (found.length <= 1) warnings.push(...whySoFew(input, base, page));
    const ordered = input.search === undefined ? found : await rank(found, input.search, signal);
    return { links: ordered.slice(0, input.limit), warnings: [...new Set(warnings)].map(asSentence) };
  }

  async function readStartPage(
    start: URL,
    input: MapInput,
    robots: RobotsState,
    teamId: string,
    signal: AbortSignal,
    warnings: string[],
  ): Promise<StartPage | null> {
    if (!robots.allows(start)) {
      if (robots.state !== "closed") warnings.push("The start page was not read: robots.txt forbids it.");
      return null;
    }
    const options = scrapeOptions.parse({
      headers: input.headers,
      location: input.location,
      maxAge: 0,
      storeInCache: false,
      timeout: startPageMs,
      formats: [],
    });
    const { formats, ...rest } = planOutputs(options);
    const plan = { ...rest, formats: { ...formats, outlinks: true } };
    const outcome = await deps.readPage({ teamId, url: start.href, options, plan }, signal, createTrace());
    if (!outcome.ok) {
      warnings.push(`The start page could not be read: ${outcome.message ?? new ServiceError(outcome.code).message}`);
      return null;
    }
    const { metadata } = outcome.document;
    if ((metadata.statusCode ?? 200) >= 400 || outcome.outlinks === null) {
      warnings.push(`The start page answered ${metadata.statusCode}.`);
      return null;
    }
    return { url: new URL(withoutFragment(metadata.url ?? start.href)), metadata, outlinks: outcome.outlinks };
  }

  /** Returns what is worth saying about the sitemaps. */
  async function addSitemaps(
    list: LinkList,
    base: URL,
    robots: RobotsState,
    page: StartPage | null,
    input: MapInput,
    request: SiteRequest,
  ): Promise<string[]> {
    if (input.sitemap === "skip" || robots.state === "closed") return [];
    const guess = (place: string) => new URL(place, base.origin).href;
    const walk = async (starts: readonly string[]) => {
      const sitemaps = await sites.walkSitemaps({ ...request, starts, ignoreCache: input.ignoreCache });
      let entryCount = 0;
      for await (const file of sitemaps.files()) {
        entryCount += file.entries.length;
        await list.add(file.entries.map(toLink));
        if (list.isFull()) break;
      }
      return { entryCount, warnings: sitemaps.warnings() };
    };
    const guesses = [guess(firstPlace), ...folderPlace(base)].filter((url) => robots.allows(url));
    const named = new Set(robots.sitemaps);
    const first = await walk([...named, ...guesses.filter((url) => !named.has(url))]);
    // That nothing lies where nobody promised anything is worth a word only when nothing was found at all.
    const promised = first.warnings.filter(
      (warning) => !guesses.some((url) => warning.includes(url) && !named.has(url)),
    );
    if (first.entryCount > 0) return promised;
    const feeds = input.sitemap === "only" ? [] : (page?.outlinks.feeds ?? []);
    const second = await walk([...otherPlaces.map(guess).filter((url) => robots.allows(url)), ...feeds]);
    if (second.entryCount > 0) return promised;
    if (list.links().length > 1) return promised;
    return [...first.warnings, "No sitemap was found at the usual places."];
  }

  return { map };
}

/** A site below a path often has its own sitemap there. */
function folderPlace(base: URL): string[] {
  if (base.pathname === "/") return [];
  return [new URL(base.pathname.endsWith("/") ? "sitemap.xml" : `${base.pathname}/sitemap.xml`, base).href];
}

function toLink({ url, title, description }: SitemapEntry) {
  return { url, title, description };
}

function whySoFew(input: MapInput, base: URL, page: StartPage | null): string[] {
  const reasons: string[] = [];
  if (page && page.outlinks.links.length === 0) {
    reasons.push("The start page has no links; it may be filled by scripts, which takes a browser.");
  }
  if (input.filterByPath && base.pathname !== "/") {
    reasons.push(`Only addresses below ${base.pathname} are listed; filterByPath false lists the whole site.`);
  }
  if (page?.outlinks.links.some(({ url }) => url.includes("?")) && input.ignoreQueryParameters) {
    reasons.push("Addresses with a query are left out; ignoreQueryParameters false lists them.");
  }
  return reasons;
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function stopped(callerSignal: AbortSignal): ServiceError {
  return new ServiceError(callerSignal.aborted ? "ABORTED" : "MAP_TIMEOUT");
}
