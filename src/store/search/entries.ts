// A page as it goes into the search index: its keys, its text packed once, and its row.
import { hash } from "node:crypto";
import type { PageWords } from "../engine/search-words.ts";
import { hostKey } from "../pages/known-pages.ts";
import { type Compressed, compress } from "../schema/compression.ts";
import type { RowOf } from "../schema/tables.ts";

/** The fields that show whether a page has changed since it was indexed. */
export interface IndexedState {
  teamId: string;
  url: string;
  title: string;
  /** The page's own description; null when it has none. */
  description: string | null;
  /** UTF-8: pages wait for each other, and bytes cost the garbage collector nothing. */
  text: Uint8Array;
  published: number | null;
  modified: number | null;
  /** The source that it was read for; absent: the team itself read it. */
  sourceId?: string | undefined;
}

export interface IndexEntry extends IndexedState {
  /** The decoded URL, in which parts of URLs are searched for. */
  urlText: string;
  language: string | null;
  seenAt: number;
  words: PageWords;
}

/** An entry whose text is packed and whose keys are made, so that writing it takes no other work. */
export interface PackedEntry extends Omit<IndexEntry, "text"> {
  pageKey: Uint8Array;
  textKey: Uint8Array;
  packed: Compressed;
  sizeBytes: number;
}

export async function packEntry({ text, ...entry }: IndexEntry): Promise<PackedEntry> {
  return {
    pageKey: pageKeyOf(entry.teamId, entry.url),
    textKey: entryKey(text),
    packed: await compress(text),
    sizeBytes: text.byteLength,
    ...entry,
  };
}

export function groupByTeam<Entry extends { teamId: string }>(entries: Iterable<Entry>): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.teamId);
    if (group) group.push(entry);
    else groups.set(entry.teamId, [entry]);
  }
  return groups;
}

export function toPageRow(
  { teamId: _, words: _words, packed: _packed, sourceId: _source, urlText, ...entry }: PackedEntry,
  id: number,
  { firstSeen, isOwn }: Pick<RowOf<"search_pages">, "firstSeen" | "isOwn">,
): RowOf<"search_pages"> {
  const { url } = entry;
  const host = new URL(url).hostname.replace(/\.$/, "");
  return { id, firstSeen, isOwn, hostKey: hostKey(host), urlText: urlText === url ? null : urlText, ...entry };
}

/** Of a page with these fields, whatever the index had of it. */
export function isOwnNumber({ sourceId }: Pick<IndexedState, "sourceId">): number {
  return sourceId === undefined ? 1 : 0;
}

export function pageKeyOf(teamId: string, url: string): Uint8Array {
  return entryKey(`${teamId}\n${url}`);
}

/** Half of a SHA-256: enough to tell pages apart, and half the room. */
export function entryKey(text: string | Uint8Array): Uint8Array {
  return hash("sha256", text, "buffer").subarray(0, 16);
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
