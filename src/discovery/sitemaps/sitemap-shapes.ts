// The kinds of files that list URLs, and which of their elements hold what.

export type SitemapKind = "urlset" | "index" | "feed" | "text" | "html" | "empty" | "unknown";

/** As the file has it: `url` may be relative or no URL at all. */
export interface SitemapEntry {
  url: string;
  /** As text, in whatever form the file gives it. */
  lastmod?: string;
  /** Of a feed; this and the next may hold HTML, and end after 8 KB. */
  title?: string;
  description?: string;
}

export type SitemapField = keyof SitemapEntry;

export interface Shape {
  kind: SitemapKind;
  item: string;
  fields: ReadonlyMap<string, SitemapField>;
}

const protocolFields = new Map<string, SitemapField>([
  ["loc", "url"],
  ["lastmod", "lastmod"],
]);
const feedFields = new Map<string, SitemapField>([
  ["link", "url"],
  ["title", "title"],
  ["description", "description"],
  ["summary", "description"],
  ["pubDate", "lastmod"],
  ["updated", "lastmod"],
]);
/** By the name of the root, in lower case. */
export const shapes = new Map<string, Shape>([
  ["urlset", { kind: "urlset", item: "url", fields: protocolFields }],
  ["sitemapindex", { kind: "index", item: "sitemap", fields: protocolFields }],
  ["rss", { kind: "feed", item: "item", fields: feedFields }],
  ["rdf", { kind: "feed", item: "item", fields: feedFields }],
  ["feed", { kind: "feed", item: "entry", fields: feedFields }],
]);
export const htmlRoots = new Set("html head body title meta link script style div p h1 center".split(" "));
