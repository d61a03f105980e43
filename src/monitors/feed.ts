// An Atom feed of what a monitor found. Everything in it comes from pages, so everything is escaped, and only links that lead to
// a web page are links.
import { isoTime } from "../base/index.ts";

export interface FeedEntry {
  id: string;
  url: string;
  status: string;
  at: number;
  /** Plain text. */
  text: string;
}

export interface FeedHead {
  id: string;
  name: string;
  feedUrl: string;
  updatedAt: number;
}

export function writeFeed({ id, name, feedUrl, updatedAt }: FeedHead, entries: readonly FeedEntry[]): string {
  const updated = Math.max(updatedAt, ...entries.map(({ at }) => at));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>urn:uuid:${escapeXml(id)}</id>`,
    `<title>${escapeXml(name)}</title>`,
    `<updated>${isoTime(updated)}</updated>`,
    `<link rel="self" href="${escapeXml(feedUrl)}"/>`,
    "<author><name>Trawl</name></author>",
    ...entries.map(writeEntry),
    "</feed>",
    "",
  ].join("\n");
}

function writeEntry({ id, url, status, at, text }: FeedEntry): string {
  const link = isWebUrl(url) ? `<link href="${escapeXml(url)}"/>` : "";
  return [
    "<entry>",
    `<id>urn:uuid:${escapeXml(id)}</id>`,
    `<title>${escapeXml(`${status}: ${url}`)}</title>`,
    link,
    `<updated>${isoTime(at)}</updated>`,
    `<content type="text">${escapeXml(text)}</content>`,
    "</entry>",
  ].join("");
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
