// The URLs found on a site: each page once, in the order of finding, with the best title and description known for it.
import { setImmediate } from "node:timers/promises";
import { maxUrlLength } from "../../base/index.ts";
import type { SitePage } from "../../discovery/index.ts";
import { loadDiscovery } from "../../reach/index.ts";

export interface SiteLink {
  url: string;
  title?: string | undefined;
  description?: string | undefined;
}

type LinkWords = Omit<SiteLink, "url">;

export interface LinkListOptions {
  /** The page of the site that a URL names; null for any other URL. */
  pageOf(url: string): SitePage | null;
  /** Leaves out URLs with a query. */
  ignoreQueryParameters: boolean;
  includePaths: readonly string[];
  excludePaths: readonly string[];
  /** The most links to take. */
  capacity: number;
}

export type LinkList = Awaited<ReturnType<typeof createLinkList>>;

/** URLs added before other work gets a turn. */
const batchSize = 2000;
/** A URL may take 8 KB, so their number alone does not bound their size. */
const maxLength = 128 * 1024 * 1024;

export async function createLinkList(options: LinkListOptions, signal: AbortSignal) {
  const { createPathFilter, siteKeyOf } = await loadDiscovery();
  const filter = await createPathFilter(options.includePaths, options.excludePaths);
  const knownWords = new Map<string, LinkWords>();
  const seen = new Set<string>();
  const links: SiteLink[] = [];
  /** Characters of all URLs. */
  let length = 0;
  let undecided = 0;
  let withQuery = 0;

  function isFull(): boolean {
    return links.length >= options.capacity || length >= maxLength;
  }

  function pageToAdd({ url }: SiteLink): SitePage | null {
    const page = options.pageOf(url);
    // No endpoint takes a longer URL.
    if (page === null || page.url.length > maxUrlLength) return null;
    if (page.pathTo === page.url.length || !options.ignoreQueryParameters) return page;
    withQuery += 1;
    return null;
  }

  function addAll(found: readonly SiteLink[]): void {
    for (const link of found) {
      const page = pageToAdd(link);
      if (page !== null && !isFull()) push(page, link);
    }
  }

  async function addMatching(found: readonly SiteLink[], isMatch: NonNullable<typeof filter>): Promise<void> {
    const pages: { link: SiteLink; page: SitePage }[] = [];
    for (const link of found) {
      const page = pageToAdd(link);
      if (page !== null) pages.push({ link, page });
    }
    const paths = pages.map(({ page }) => page.url.slice(page.pathFrom, page.pathTo));
    const matches = await isMatch(paths, signal);
    for (let index = 0; index < pages.length && !isFull(); index += 1) {
      const { link, page } = pages[index] as (typeof pages)[number];
      // A path on which a pattern ran out of time is left out.
      if (matches[index] === "undecided") undecided += 1;
      if (matches[index] === true) push(page, link);
    }
  }

  /** What is known of the page comes before what the source says: a sitemap's title is rarely better than the page's. */
  function push(page: SitePage, found: SiteLink): void {
    const key = siteKeyOf(page);
    if (seen.has(key)) return;
    seen.add(key);
    const known = knownWords.get(key);
    const link: SiteLink = { url: page.url };
    const title = known?.title || found.title;
    const description = known?.description || found.description;
    if (title) link.title = title;
    if (description) link.description = description;
    links.push(link);
    length += page.url.length;
  }

  return {
    links: links as readonly SiteLink[],

    /** Title and description for a page, should it be found. The first ones given are kept. */
    describe(url: string, { title, description }: LinkWords): void {
      const page = options.pageOf(url);
      if (page === null) return;
      const key = siteKeyOf(page);
      const known = knownWords.get(key);
      knownWords.set(key, { title: known?.title || title, description: known?.description || description });
    },

    async add(found: readonly SiteLink[]): Promise<void> {
      for (let from = 0; from < found.length && !isFull(); from += batchSize) {
        if (from > 0) await setImmediate();
        if (signal.aborted) return;
        const batch = found.slice(from, from + batchSize);
        if (filter === null) addAll(batch);
        else await addMatching(batch, filter);
      }
    },

    isFull,
    /** URLs left out for their query. */
    withQuery: () => withQuery,

    warnings(): string[] {
      const sentences: string[] = [];
      if (undecided > 0) sentences.push(`${undecided} URLs were left out: a regular expression took too long on them.`);
      if (length >= maxLength) sentences.push("The list was cut off at 128 MB of URLs.");
      return sentences;
    },
  };
}
