// Feeds for readers, as Atom and as JSON Feed 1.1. Everything in them comes from pages, so everything is escaped, and only links
// that lead to a web page are links.
import { isoTime } from "../base/index.ts";

export interface FeedEntry {
  /** A UUID. */
  id: string;
  title: string;
  url: string | null;
  /** When it was found, or found changed. */
  at: number;
  /** ISO 8601, of the page that it leads to. */
  published?: string | null;
  image?: string | null;
  /** Plain text. */
  text: string;
}

export interface FeedHead {
  id: string;
  name: string;
  feedUrl: string;
  /** The page whose items these are. */
  pageUrl?: string;
  updatedAt: number;
}

export function writeFeed({ id, name, feedUrl, pageUrl, updatedAt }: FeedHead, entries: readonly FeedEntry[]): string {
  const updated = Math.max(updatedAt, ...entries.map(({ at }) => at));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>urn:uuid:${escapeXml(id)}</id>`,
    `<title>${escapeXml(name)}</title>`,
    `<updated>${isoTime(updated)}</updated>`,
    `<link rel="self" href="${escapeXml(feedUrl)}"/>`,
    ...(pageUrl === undefined ? [] : [linkTo(pageUrl)]),
    "<author><name>Trawl</name></author>",
    ...entries.map(writeEntry),
    "</feed>",
    "",
  ].join("\n");
}

function writeEntry({ id, title, url, at, published, text }: FeedEntry): string {
  return [
    "<entry>",
    `<id>urn:uuid:${escapeXml(id)}</id>`,
    `<title>${escapeXml(title)}</title>`,
    url === null ? "" : linkTo(url),
    published ? `<published>${wholeTime(published)}</published>` : "",
    `<updated>${isoTime(at)}</updated>`,
    `<content type="text">${escapeXml(text)}</content>`,
    "</entry>",
  ].join("");
}

export function writeJsonFeed({ name, feedUrl, pageUrl }: FeedHead, entries: readonly FeedEntry[]): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: name,
    feed_url: feedUrl,
    ...(pageUrl === undefined ? {} : { home_page_url: pageUrl }),
    items: entries.map(({ id, title, url, at, published, image, text }) => ({
      id: `urn:uuid:${id}`,
      ...(url !== null && isWebUrl(url) ? { url } : {}),
      title,
      content_text: text,
      ...(image && isWebUrl(image) ? { image } : {}),
      ...(published ? { date_published: wholeTime(published) } : {}),
      date_modified: isoTime(at),
    })),
  });
}

/** Readers want a time: a day begins at midnight. */
function wholeTime(date: string): string {
  return date.length === 10 ? `${date}T00:00:00.000Z` : date;
}

function linkTo(url: string): string {
  return isWebUrl(url) ? `<link href="${escapeXml(url)}"/>` : "";
}

export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Also for HTML. Characters that XML does not allow are left out. */
export function escapeXml(text: string): string {
  return (
    text
      .replace(/\p{Surrogate}/gu, "")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(/[&<>"']/g, (character) => entities[character] ?? "")
  );
}
