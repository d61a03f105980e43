// What a site's sitemaps list, and its feeds. Files that robots.txt names may be read; guessed places only where its rules
// allow them.
import type { RobotsState, SitemapEntry } from "../../discovery/index.ts";
import type { SiteReader, SiteRequest } from "./site-reader.ts";

/** Always requested. */
const firstPlace = "/sitemap.xml";
/** Requested if the first ones do not exist and robots.txt names none. */
const otherPlaces = ["/sitemap_index.xml", "/sitemap.xml.gz", "/sitemap-index.xml", "/wp-sitemap.xml", "/sitemap.txt"];
/** The first feeds of a page; later ones are for comments and sections. */
const maxFeeds = 5;

export interface SitemapSources {
  base: URL;
  robots: RobotsState;
  /** Named by the start page. */
  feeds: readonly string[];
  /** Fetch every file again. */
  ignoreCache: boolean;
}

export interface SiteSitemaps {
  /** The entries of each file, or part of one, in a fixed order; call it once. Reading stops when the caller stops iterating. */
  files(): AsyncGenerator<readonly SitemapEntry[], void>;
  /** How many URLs the files have listed so far. */
  listed(): number;
  warnings(): string[];
}

export function readSitemapsOf(sites: SiteReader, sources: SitemapSources, request: SiteRequest): SiteSitemaps {
  const { base, robots, feeds, ignoreCache } = sources;
  const warnings: string[] = [];
  let listed = 0;

  async function* walk(starts: readonly string[], guesses: readonly string[]) {
    const sitemaps = await sites.walkSitemaps({ ...request, starts, guesses, ignoreCache });
    try {
      for await (const { entries } of sitemaps.files()) {
        listed += entries.length;
        yield entries;
      }
    } finally {
      warnings.push(...sitemaps.warnings());
    }
  }

  async function allowed(urls: readonly string[]): Promise<string[]> {
    const kept: string[] = [];
    for (const url of urls) {
      if ((await sites.readRules(new URL(url), request)).allows(url)) kept.push(url);
    }
    return kept;
  }

  const places = (paths: readonly string[]) => allowed(paths.map((path) => new URL(path, base).href));

  return {
    async *files() {
      // Nothing may be fetched from a closed site.
      if (robots.state === "closed") return;
      yield* walk(robots.sitemaps, await places([firstPlace, ...folderPlace(base)]));
      if (listed === 0) yield* walk([], await places(otherPlaces));
      yield* walk([], await allowed(feeds.slice(0, maxFeeds)));
    },
    listed: () => listed,
    warnings: () => warnings,
  };
}

/** A site below a path often has its own sitemap there. */
function folderPlace({ pathname }: URL): string[] {
  if (pathname === "/") return [];
  return [pathname.endsWith("/") ? `${pathname}sitemap.xml` : `${pathname}/sitemap.xml`];
}
