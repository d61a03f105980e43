// What a site's sitemaps list, and its feeds beside them. Files that robots.txt names may be read; places that are guessed only
// if its rules allow them.
import type { RobotsState, SitemapEntry } from "../../discovery/index.ts";
import type { SiteReader, SiteRequest } from "../../pages/index.ts";

/** Asked for in any case. */
const firstPlace = "/sitemap.xml";
/** Asked for when nothing lies there and robots.txt names nothing. */
const otherPlaces = ["/sitemap_index.xml", "/sitemap.xml.gz", "/sitemap-index.xml", "/wp-sitemap.xml", "/sitemap.txt"];
/** Of a page with many feeds the first: the further ones are those of comments and sections. */
const maxFeeds = 5;

export interface SitemapSources {
  base: URL;
  robots: RobotsState;
  /** Named by the start page. */
  feeds: readonly string[];
  /** Read every file anew. */
  ignoreCache: boolean;
}

export interface SiteSitemaps {
  /** The entries of each file or piece of one, in a fixed order; to be called once. Whoever stops taking stops the reading. */
  files(): AsyncGenerator<readonly SitemapEntry[], void>;
  /** Addresses that the files listed so far. */
  listed(): number;
  /** What is worth saying about the files so far. */
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
      if ((await sites.readRobots(new URL(url), request)).allows(url)) kept.push(url);
    }
    return kept;
  }

  const places = (paths: readonly string[]) => allowed(paths.map((path) => new URL(path, base).href));

  return {
    async *files() {
      // Nothing of a closed site may be fetched.
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
