// The addresses of a map: each page once, in the order in which they were found, with the best words known for it.
import { setImmediate } from "node:timers/promises";
import type { PatternSet } from "../discovery/index.ts";

export interface Link {
  url: string;
  title?: string | undefined;
  description?: string | undefined;
}

type Words = Omit<Link, "url">;

export interface LinkListOptions {
  isWithin(url: URL): boolean;
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

export async function createLinkList(options: LinkListOptions) {
  const { compilePatterns, pageKey } = await import("../discovery/index.ts");
  const included = options.includePaths.length > 0 ? await compilePatterns(options.includePaths) : null;
  const excluded = options.excludePaths.length > 0 ? await compilePatterns(options.excludePaths) : null;
  const words = new Map<string, Words>();
  const seen = new Set<string>();
  const links: Link[] = [];
  let undecided = 0;

  function read(url: string): URL | null {
    if (options.ignoreQueryParameters && url.includes("?")) return null;
    const address = URL.canParse(url) ? new URL(url) : null;
    if (!address || !options.isWithin(address)) return null;
    address.hash = "";
    return address;
  }

  async function isWanted(addresses: readonly URL[]): Promise<boolean[]> {
    const paths = addresses.map(({ pathname }) => pathname);
    const yes = included && (await judge(included, paths));
    const no = excluded && (await judge(excluded, paths));
    return paths.map((_, index) => yes?.[index] !== false && no?.[index] !== true);
  }

  /** What cannot be decided in time is left out. */
  async function judge(patterns: PatternSet, paths: readonly string[]): Promise<boolean[]> {
    const verdicts = await patterns.matches(paths);
    undecided += verdicts.filter((verdict) => verdict === "undecided").length;
    const ifUndecided = patterns === excluded;
    return verdicts.map((verdict) => (verdict === "undecided" ? ifUndecided : verdict));
  }

  async function addPortion(found: readonly Link[]): Promise<void> {
    const readable = found.flatMap((link) => {
      const address = read(link.url);
      return address ? [{ link, address }] : [];
    });
    const wanted = included || excluded ? await isWanted(readable.map(({ address }) => address)) : null;
    for (const [index, { link, address }] of readable.entries()) {
      if (links.length >= options.room) return;
      const key = pageKey(address);
      if (wanted?.[index] === false || seen.has(key)) continue;
      seen.add(key);
      links.push(make(address.href, words.get(key), link));
    }
  }

  return {
    /** Words for a page, should it be found. What was said first stands. */
    describe(url: string, { title, description }: Words): void {
      if (!URL.canParse(url)) return;
      const key = pageKey(new URL(url));
      const known = words.get(key);
      words.set(key, { title: known?.title || title, description: known?.description || description });
    },

    async add(found: readonly Link[]): Promise<void> {
      for (let from = 0; from < found.length && links.length < options.room; from += portion) {
        if (from > 0) await setImmediate();
        await addPortion(found.slice(from, from + portion));
      }
    },

    isFull: () => links.length >= options.room,
    links: (): readonly Link[] => links,
    warnings: () =>
      undecided === 0 ? [] : [`${undecided} addresses were left out: a regular expression took too long on them.`],
  };
}

/** Own words of the source come last: a sitemap's are rarely better than the page's. */
function make(url: string, known: Words | undefined, { title, description }: Words): Link {
  const link: Link = { url };
  const name = known?.title || title;
  const text = known?.description || description;
  if (name) link.title = name;
  if (text) link.description = text;
  return link;
}
