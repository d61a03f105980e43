// Which of the URLs that a crawl finds it follows. Pure: the caller checks robots.txt, and
// `net` whether the URL is allowed.
import { setImmediate as nextTick } from "node:timers/promises";
import { bareUrl, createMemory, maxUrlLength, parseUrl, withoutFragment } from "../../base/index.ts";
import { createPathFilter } from "../patterns/path-filter.ts";
import type { PatternAnswer } from "../patterns/url-patterns.ts";
import { isEndlessPath, isShareLink, isUnreadableFile } from "./followable.ts";
import { createPageIdentity, folderPath, type PageIdentityOptions, plainEscapes } from "./page-identity.ts";
import { createPathScope, createSiteScope } from "./site.ts";

export interface CrawlScopeOptions extends PageIdentityOptions {
  includePaths: readonly string[];
  excludePaths: readonly string[];
  /** Patterns are tested on the whole URL instead of its path. */
  regexOnFullURL: boolean;
  /** Patterns for hosts, which bind beside the others. */
  hostPatterns?: { include: readonly string[]; exclude: readonly string[] } | undefined;
  /** Not only below the start's path. */
  crawlEntireDomain: boolean;
  /** All hosts of the start's registrable domain, whole. */
  allowSubdomains: boolean;
  /** Pages of other sites, but not what they lead to. */
  allowExternalLinks: boolean;
  /** Whether text in images is wanted, so that links to them are followed; it is not unless given. */
  readsImages?: boolean;
}

export interface CrawlLink {
  /** As it was found first, without fragment and credentials. */
  url: string;
  /** Pages with the same key are one page. */
  key: string;
  isExternal: boolean;
}

/** A link that is not followed and that its reader may miss. */
export interface Denial {
  url: string;
  code: "CRAWL_DENIAL" | "EXTERNAL_LINK";
  reason: string;
}

interface Sifting {
  accepted: CrawlLink[];
  denied: Denial[];
  /** URLs that may not be read, although the crawl would follow them. */
  forbidden: string[];
}

export interface CrawlScope {
  /**
   * Sifts the URLs found on one page: in order, each page once, at most `maxLinksPerPage`. `from` is the page that
   * links to them, null for a sitemap, whose URLs come in batches of that many. Links of external pages are not followed.
   * `mayRead` is asked about each spelling of a page: one that may not be read never replaces one that may.
   */
  sift(
    urls: readonly string[],
    from: { isExternal: boolean } | null,
    signal?: AbortSignal,
    mayRead?: (url: string) => boolean,
  ): Promise<Sifting>;
  /** The key of any URL, such as one that a page was redirected to. */
  keyOf(url: string): string;
  /** Whether a page that ended at this URL belongs to the crawl. External pages do not. */
  isWithin(url: string): boolean;
  /** Whether a URL passes the patterns. */
  accepts(url: string, signal?: AbortSignal): Promise<PatternAnswer>;
  /** Where the scope begins when the start page was found at this URL; null when it stays where it is. */
  movedTo(url: string): string | null;
}

/** Of one page. A page with more links is made to keep a crawler busy. */
export const maxLinksPerPage = 3000;

/** Links sifted, in about 5 ms, before other work gets a turn. */
const batchSize = 2000;

/** Most links of a page are on other pages of its site too. Measured CPU of sifting 100: 335–621 µs, again 52–177 µs. */
const rememberLinks = createMemory(50_000);

interface Link extends CrawlLink {
  /** What patterns are tested on. */
  subject: Subject;
  /** The home page of another site. */
  isOtherHome: boolean;
}

interface Subject {
  host: string;
  /** Its path or the whole of it. */
  text: string;
}

/** `start` is the URL after redirects: its host is the crawl's. */
export async function createCrawlScope(start: URL, options: CrawlScopeOptions): Promise<CrawlScope> {
  const filter = await createFilter(options);
  const identify = createPageIdentity(options);
  const reachOf = createReach(start, options);
  const subjectOf = (url: URL, address: string): Subject => ({
    host: url.hostname,
    text: options.regexOnFullURL ? address : url.pathname,
  });

  const readLink = rememberLinks((text): Link | null => {
    const url = readAddress(text);
    if (url === null) return null;
    const address = addressOf(url);
    if (address.length > maxUrlLength) return null;
    const subject = subjectOf(url, address);
    const path = setPlainPath(url);
    const reach = reachOf(url);
    if (reach === null || isUnreadableFile(path, options.readsImages) || isEndlessPath(path) || isShareLink(url))
      return null;
    const isExternal = reach === "external";
    const isOtherHome = isExternal && folderPath(path) === "";
    return { url: address, key: identify(url), isExternal, subject, isOtherHome };
  });

  function readLinks(texts: readonly string[]): Link[] {
    const links: Link[] = [];
    for (const text of texts) {
      const link = readLink(text);
      if (link !== null) links.push(link);
    }
    return links;
  }

  return {
    async sift(urls, from, signal, mayRead = () => true) {
      const sifting = createSifting(mayRead);
      if (from?.isExternal) return sifting.result;
      for (let at = 0; at < urls.length && !sifting.isFull(); at += batchSize) {
        if (at > 0) await nextTick();
        signal?.throwIfAborted();
        const links = readLinks(urls.slice(at, at + batchSize));
        const subjects = links.map(({ subject }) => subject);
        const answers = filter && (await filter(subjects, signal));
        links.forEach((link, index) => {
          sifting.add(link, answers?.[index] ?? true);
        });
      }
      return sifting.result;
    },

    keyOf(text) {
      const url = readAddress(text);
      return url === null ? withoutFragment(text) : identify(url);
    },

    isWithin(text) {
      const link = readLink(text);
      if (link !== null) return !link.isExternal;
      const url = readAddress(text);
      if (url === null) return false;
      setPlainPath(url);
      return reachOf(url) === "within";
    },

    async accepts(text, signal) {
      const url = new URL(text);
      const [answer] = (await filter?.([subjectOf(url, addressOf(url))], signal)) ?? [];
      return answer ?? true;
    },

    movedTo(text) {
      const url = new URL(addressOf(new URL(text)));
      if (url.origin === start.origin && reachOf(url) === "within") return null;
      // A start that leads on below itself is still the folder that was asked for, on its new host.
      if (createPathScope(start.pathname)(url.pathname)) {
        url.pathname = start.pathname;
        url.search = "";
      }
      return url.href;
    },
  };
}

/** Null when there are no patterns. A URL must pass those for hosts and the others. */
async function createFilter({ includePaths, excludePaths, hostPatterns }: CrawlScopeOptions) {
  const byText = await createPathFilter(includePaths, excludePaths);
  const byHost = hostPatterns ? await createPathFilter(hostPatterns.include, hostPatterns.exclude) : null;
  if (byText === null && byHost === null) return null;
  return async (subjects: readonly Subject[], signal?: AbortSignal): Promise<PatternAnswer[]> => {
    const texts = await byText?.(
      subjects.map(({ text }) => text),
      signal,
    );
    const hosts = await byHost?.(
      subjects.map(({ host }) => host),
      signal,
    );
    return subjects.map((_, index) => both(texts?.[index] ?? true, hosts?.[index] ?? true));
  };
}

function both(one: PatternAnswer, other: PatternAnswer): PatternAnswer {
  if (one === false || other === false) return false;
  return one === true ? other : one;
}

type Reach = "within" | "external" | null;

/** By site, host and path alone. The start's path binds on its own host only. */
function createReach(start: URL, options: CrawlScopeOptions): (url: URL) => Reach {
  const home = new URL(start);
  setPlainPath(home);
  const isBelowStart = createSiteScope(home, { includeSubdomains: false, filterByPath: !options.crawlEntireDomain });
  const isOfHost = createSiteScope(home, { includeSubdomains: false, filterByPath: false });
  const isOfSite = createSiteScope(home, { includeSubdomains: true, filterByPath: false });

  return (url) => {
    if (isBelowStart(url)) return "within";
    if (isOfHost(url)) return null;
    if (options.allowSubdomains && isOfSite(url)) return "within";
    return options.allowExternalLinks ? "external" : null;
  };
}

function createSifting(mayRead: (url: string) => boolean) {
  const result: Sifting = { accepted: [], denied: [], forbidden: [] };
  const accepted = new Set<string>();
  const denied = new Set<string>();
  const forbidden = new Set<string>();

  function deny({ url, key }: Link, code: Denial["code"], reason: string): void {
    if (denied.has(key) || denied.size >= maxLinksPerPage) return;
    denied.add(key);
    result.denied.push({ url, code, reason });
  }

  return {
    result,
    isFull: () => accepted.size >= maxLinksPerPage,

    /** Of two spellings of a page one may pass the patterns and robots.txt, and the other not. */
    add(link: Link, isWanted: PatternAnswer): void {
      const { url, key, isExternal } = link;
      if (isWanted === false || accepted.has(key) || accepted.size >= maxLinksPerPage) return;
      if (isWanted === "undecided") {
        deny(link, "CRAWL_DENIAL", "Skipped: a regular expression took too long on this URL.");
      } else if (link.isOtherHome) {
        deny(link, "EXTERNAL_LINK", "Skipped: home pages of other sites are not followed.");
      } else if (!mayRead(url)) {
        if (forbidden.has(url) || forbidden.size >= maxLinksPerPage) return;
        forbidden.add(url);
        result.forbidden.push(url);
      } else {
        accepted.add(key);
        result.accepted.push({ url, key, isExternal });
      }
    },
  };
}

function readAddress(text: string): URL | null {
  const url = text.length > maxUrlLength ? null : parseUrl(text);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : null;
}

function addressOf(url: URL): string {
  return withoutFragment(bareUrl(url));
}

/** `/%64ocs` is `/docs` for every rule; only patterns see the path as it will be requested. */
function setPlainPath(url: URL): string {
  const path = plainEscapes(url.pathname);
  if (path !== url.pathname) url.pathname = path;
  return path;
}
