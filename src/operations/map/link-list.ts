// The addresses of a map: each page once, in the order in which they were found, with the best words known for it.
import { setImmediate } from "node:timers/promises";
import type { SitePage } from "../../discovery/index.ts";
import { createKeySet } from "./key-set.ts";
import { createPackedTexts } from "./packed-texts.ts";

export interface Link {
  url: string;
  title?: string | undefined;
  description?: string | undefined;
}

type Words = Omit<Link, "url">;

export interface LinkListOptions {
  /** The page of the site that an address names, if it does. */
  pageOf(url: string): SitePage | null;
  /** Addresses with a query are left out. */
  ignoreQueryParameters: boolean;
  includePaths: readonly string[];
  excludePaths: readonly string[];
  /** Most links to take. */
  room: number;
}

export type LinkList = Awaited<ReturnType<typeof createLinkList>>;

/** Between two portions other work gets its turn. */
const portion = 2000;
/** Addresses are up to 8 KB long, so their number alone does not limit them. */
const maxBytes = 128 * 1024 * 1024;

export async function createLinkList(options: LinkListOptions, signal: AbortSignal) {
  const { createPathFilter } = await import("../../discovery/index.ts");
  const filter = await createPathFilter(options.includePaths, options.excludePaths);
  const words = new Map<string, Words>();
  const seen = createKeySet();
  const urls = createPackedTexts();
  const wordsOfLink = new Map<number, Words>();
  let undecided = 0;
  let withQuery = 0;

  function isFull(): boolean {
    return urls.length >= options.room || urls.sizeBytes >= maxBytes;
  }

  async function addPortion(found: readonly Link[]): Promise<void> {
    const pages: { link: Link; page: SitePage }[] = [];
    for (const link of found) {
      const page = options.pageOf(link.url);
      if (page === null) continue;
      if (page.hasQuery && options.ignoreQueryParameters) withQuery += 1;
      else pages.push({ link, page });
    }
    const verdicts =
      filter &&
      (await filter(
        pages.map(({ page }) => page.path),
        signal,
      ));
    for (let index = 0; index < pages.length && !isFull(); index += 1) {
      const { link, page } = pages[index] as (typeof pages)[number];
      const verdict = verdicts?.[index] ?? true;
      // What cannot be decided in time is left out.
      if (verdict === "undecided") undecided += 1;
      if (verdict === true && seen.add(page.key)) push(page, link);
    }
  }

  /** Own words of the source come last: a sitemap's are rarely better than the page's. */
  function push({ url, key }: SitePage, link: Link): void {
    const known = words.size === 0 ? undefined : words.get(key.join(""));
    const title = known?.title || link.title;
    const description = known?.description || link.description;
    if (title || description) wordsOfLink.set(urls.length, { title, description });
    urls.push(url);
  }

  return {
    /** Words for a page, should it be found. What was said first stands. */
    describe(url: string, { title, description }: Words): void {
      const page = options.pageOf(url);
      if (page === null) return;
      const key = page.key.join("");
      const known = words.get(key);
      words.set(key, { title: known?.title || title, description: known?.description || description });
    },

    async add(found: readonly Link[]): Promise<void> {
      for (let from = 0; from < found.length && !isFull(); from += portion) {
        if (from > 0) await setImmediate();
        if (signal.aborted) return;
        await addPortion(found.slice(from, from + portion));
      }
    },

    isFull,
    /** Addresses that were left out for their query. */
    withQuery: () => withQuery,

    get length() {
      return urls.length;
    },

    at(index: number): Link {
      const link: Link = { url: urls.at(index) };
      const { title, description } = wordsOfLink.get(index) ?? {};
      if (title) link.title = title;
      if (description) link.description = description;
      return link;
    },

    warnings(): string[] {
      const sentences: string[] = [];
      if (undecided > 0)
        sentences.push(`${undecided} addresses were left out: a regular expression took too long on them.`);
      if (urls.sizeBytes >= maxBytes) sentences.push("The list was cut where its addresses take more than 128 MB.");
      return sentences;
    },
  };
}
