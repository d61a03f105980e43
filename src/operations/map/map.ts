// Every address of a site that the site itself, its start page or this team's own reading tells of; none is made up.
// robots.txt rules what is fetched for it, not what is listed: to name a page is not to read it.
import { type ActivityLog, type Caller, type Credits, prices } from "../../accounts/index.ts";
import { bareUrl, basicAuthorization, type Clock, createDeadline, newId, ServiceError } from "../../base/index.ts";
import type { Outlinks } from "../../content/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import type { Store } from "../../store/index.ts";
import { type Judge, judgeOrThrow } from "../judge.ts";
import { createLinkList, type Link, type LinkList } from "./link-list.ts";
import { readSitemapsOf, type SiteSitemaps } from "./map-sitemaps.ts";
import type { SiteRequest } from "./site-reader.ts";
import { readSiteStart, type SiteStart, type SiteStartDeps } from "./site-start.ts";

type MapInput = OperationInput<"map">;
type MapAnswer = OperationOutput<"map">;

export interface MapDeps {
  store: Store;
  clock: Clock;
  credits: Credits;
  activity: ActivityLog;
  judge: Judge;
  discover: SiteDiscovery;
}

export interface SiteDiscoveryDeps extends SiteStartDeps {
  store: Store;
}

/** The addresses of a site, not charged and not noted: for a map, and for an extract that looks for pages. */
export type SiteDiscovery = ReturnType<typeof createSiteDiscovery>;

/** Known pages to look at: as many as a map can list. */
const maxKnown = 100_000;
/** A search looks at everything that is found, up to this. */
const maxSearched = 1_000_000;

export function createSiteDiscovery(deps: SiteDiscoveryDeps) {
  const { store, sites } = deps;

  async function discover(input: MapInput, teamId: string, signal: AbortSignal) {
    const { createSitePages, rank } = await import("../../discovery/index.ts");
    const request = siteRequest(input, teamId, signal);
    const start = await readSiteStart(deps, input, request);
    const { base, page } = start;
    const room = input.search === undefined ? input.limit : maxSearched;
    const pageOf = createSitePages(base, {
      includeSubdomains: input.includeSubdomains,
      below: pathToKeep(input, base),
    });
    const list = await createLinkList({ ...input, pageOf, room }, signal);

    const known = input.useIndex ? await listKnown(teamId, base) : [];
    describeLinks(list, start, known);
    const isOnly = input.sitemap === "only";
    if (page && !isOnly) await list.add([{ url: base.href }]);
    const sitemaps = input.sitemap === "skip" ? null : await addSitemaps(list, start, input, request);
    if (page && !isOnly) await list.add(addressesOf(page.outlinks));
    if (!isOnly) await list.add(known);

    const { limit, search } = input;
    const links =
      search === undefined
        ? Array.from({ length: Math.min(limit, list.length) }, (_, index) => list.at(index))
        : await rank(list, search, { limit, signal });
    const isFew = list.length <= 1 && !list.isFull();
    const warnings = [
      ...whatWasIgnored(input),
      ...(sitemaps?.warnings() ?? []),
      ...list.warnings(),
      ...(list.length >= maxSearched ? [`The search looked at the first ${maxSearched} addresses.`] : []),
    ];
    return {
      links,
      /** What was amiss with the start page. */
      startWarnings: start.warnings.map(asSentence),
      warnings: warnings.map(asSentence),
      /** Which options of a map would find more. */
      hints: isFew ? whySoFew(input, start, list, sitemaps) : [],
    };
  }

  async function addSitemaps(list: LinkList, { base, robots, page }: SiteStart, input: MapInput, request: SiteRequest) {
    const feeds = input.sitemap === "only" ? [] : (page?.outlinks.feeds ?? []);
    const { ignoreCache } = input;
    const sitemaps = readSitemapsOf(sites, { base, robots, feeds, ignoreCache }, request);
    if (list.isFull()) return sitemaps;
    for await (const entries of sitemaps.files()) {
      await list.add(entries);
      if (list.isFull()) break;
    }
    return sitemaps;
  }

  async function listKnown(teamId: string, base: URL) {
    const { siteOf } = await import("../../discovery/index.ts");
    return store.knownPages.listOfSite({ teamId, site: siteOf(base), limit: maxKnown });
  }

  return discover;
}

export function createMapOperations(deps: MapDeps) {
  const { store, clock, credits, activity, discover } = deps;

  async function map(input: MapInput, caller: Caller, callerSignal: AbortSignal): Promise<MapAnswer> {
    judgeOrThrow(deps.judge, input.url);
    await credits.require(caller.teamId, prices.map);
    const id = newId(clock.now());
    const note = { id, endpoint: "map", target: bareUrl(input.url) };
    const deadline = input.timeout === undefined ? null : createDeadline(callerSignal, input.timeout);
    const signal = deadline?.signal ?? callerSignal;
    try {
      const { links, startWarnings, warnings, hints } = await discover(input, caller.teamId, signal);
      signal.throwIfAborted();
      await save(caller, note);
      const warning = [...new Set([...startWarnings, ...warnings, ...hints])].join(" ");
      return { success: true, id, links, ...(warning === "" ? {} : { warning }) };
    } catch (error) {
      await activity.note(caller, { ...note, outcome: "failed" });
      throw signal.aborted ? new ServiceError(callerSignal.aborted ? "ABORTED" : "MAP_TIMEOUT") : error;
    } finally {
      deadline?.clear();
    }
  }

  /** Listed and charged together, or neither. */
  async function save({ teamId, keyId, apiVersion }: Caller, note: { id: string; endpoint: string; target: string }) {
    const now = clock.now();
    const row = { rowId: newId(now), teamId, keyId, apiVersion, createdAt: now, outcome: "succeeded" as const };
    const bill = { id: newId(now), teamId, keyId, at: now, credits: prices.map, reason: "map" };
    await store.transaction(async (statements) => {
      await statements.charges.charge([{ ...bill, jobId: note.id, endpoint: note.endpoint }]);
      await statements.activity.insert([{ ...row, ...note }]);
    });
  }

  return { map };
}

/** Credentials in the address are a header of the caller's own, too. */
function siteRequest({ url, headers, location }: MapInput, teamId: string, signal: AbortSignal): SiteRequest {
  const address = new URL(url);
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const authorization = own.authorization ?? basicAuthorization(address);
  if (authorization !== null) own.authorization = authorization;
  const isPersonal = Object.keys(own).length > 0;
  return {
    teamId,
    signal,
    language: acceptLanguage(location),
    own: isPersonal ? { origin: address.origin, headers: own } : null,
  };
}

/** A start page without a path may lead to one, such as /en/; that does not make the site smaller. */
function pathToKeep({ url, filterByPath }: MapInput, base: URL): string {
  return filterByPath && new URL(url).pathname !== "/" ? base.pathname : "/";
}

/** Best words first: the start page's own, those of pages that were read, those of links. */
function describeLinks(list: LinkList, { base, page }: SiteStart, known: readonly Link[]): void {
  if (page) list.describe(base.href, page.metadata);
  for (const { url, title, description } of known) list.describe(url, { title, description });
  for (const { url, text } of page?.outlinks.links ?? []) list.describe(url, { title: text });
}

function addressesOf({ canonical, alternates, links }: Outlinks): Link[] {
  const others = canonical === null ? alternates : [canonical, ...alternates];
  return [...others.map((url) => ({ url })), ...links.map(({ url }) => ({ url }))];
}

function whatWasIgnored({ threatProtection }: MapInput): string[] {
  return threatProtection === undefined ? [] : ["Not available here and left out: threatProtection."];
}

function whySoFew(input: MapInput, { base, robots, page }: SiteStart, list: LinkList, sitemaps: SiteSitemaps | null) {
  const reasons: string[] = [];
  const isRead = sitemaps !== null && robots.state !== "closed";
  if (isRead && sitemaps.listed() === 0 && robots.sitemaps.length === 0) {
    reasons.push("No sitemap was found at the usual places.");
  }
  if (isRead && sitemaps.listed() > 0) {
    reasons.push(`The sitemaps list ${sitemaps.listed()} addresses, of other sites or left out by the options.`);
  }
  if (page && page.outlinks.links.length === 0 && input.sitemap !== "only") {
    reasons.push("The start page has no links.");
  }
  if (pathToKeep(input, base) !== "/") {
    reasons.push(`Only addresses below ${base.pathname} are listed; filterByPath false lists the whole site.`);
  }
  if (list.withQuery() > 0) {
    reasons.push("Addresses with a query are left out; ignoreQueryParameters false lists them.");
  }
  return reasons;
}

function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
