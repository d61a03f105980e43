// What a page's <link> elements declare: its canonical URL, its translations, its feeds, its icon.
import type { Element } from "domhandler";
import { attribute } from "../../html/index.ts";
import type { PageUrls } from "./page-urls.ts";

export interface PageRelations {
  /** The canonical URL that the page declares. */
  canonical: string | null;
  /** Its translations. */
  alternates: string[];
  /** RSS and Atom, and feeds in JSON. */
  feeds: string[];
  jsonFeeds: string[];
  favicon: string | null;
}

export function readRelations(links: readonly Element[], urls: PageUrls): PageRelations {
  const found: PageRelations = { canonical: null, alternates: [], feeds: [], jsonFeeds: [], favicon: null };
  let touchIcon: string | null = null;
  for (const link of links) {
    const rel = (attribute(link, "rel") ?? "").toLowerCase().split(/\s+/);
    const url = urls.web(attribute(link, "href")?.trim() ?? "");
    if (url === null) continue;
    if (rel.includes("canonical")) found.canonical ??= url;
    if (rel.includes("icon")) found.favicon ??= url;
    if (rel.includes("apple-touch-icon")) touchIcon ??= url;
    if (!rel.includes("alternate")) continue;
    const type = (attribute(link, "type") ?? "").toLowerCase();
    if (attribute(link, "hreflang")) found.alternates.push(url);
    else if (/^application\/(?:rss|atom)\+xml/.test(type)) found.feeds.push(url);
    else if (isJsonFeed(type, url)) found.jsonFeeds.push(url);
  }
  found.favicon ??= touchIcon;
  return found;
}

/** Plain JSON is a feed only when it is called so: interfaces for programs are linked in the same way. */
function isJsonFeed(type: string, url: string): boolean {
  return type === "application/feed+json" || (type === "application/json" && /feed/i.test(url));
}
