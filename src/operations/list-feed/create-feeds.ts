// Feeds of list pages as one part: their operations, their refreshes, and what readers of the URLs get.
import { sha256 } from "../../base/index.ts";
import { type FeedEntry, writeFeed, writeJsonFeed } from "../../monitors/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { type FeedItem, livingItems } from "./feed-items.ts";
import { createListFeedOperations } from "./list-feeds.ts";
import { createFeedRefresher, type FeedPages } from "./refresh-feeds.ts";

export type FeedKind = "atom" | "json";

export interface FeedFile {
  type: string;
  body: string;
  etag: string;
  /** Milliseconds since 1970. */
  changedAt: number;
}

const types: Record<FeedKind, string> = {
  atom: "application/atom+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
};

export function createListFeeds(parts: OperationParts, pages: FeedPages) {
  const { store, clock } = parts;
  const { start, stop } = createFeedRefresher(parts, pages);

  /** Whoever knows the token may read the feed; null for any other token. */
  async function readFile(token: string, kind: FeedKind, baseUrl: string): Promise<FeedFile | null> {
    const feed = await store.listFeeds.findByToken(sha256(token));
    if (!feed) return null;
    const feedUrl = `${baseUrl}/feeds/${token}.${kind}`;
    const head = { id: feed.id, name: feed.name, feedUrl, pageUrl: feed.url, updatedAt: feed.changedAt };
    const entries = livingItems(JSON.parse(feed.items), clock.now()).map(entryOf);
    const body = kind === "atom" ? writeFeed(head, entries) : writeJsonFeed(head, entries);
    return { type: types[kind], body, etag: `"${sha256(body).slice(0, 32)}"`, changedAt: feed.changedAt };
  }

  return { operations: createListFeedOperations(parts, pages), start, stop, readFile };
}

function entryOf({ id, title, url, changedAt, published, image, summary }: FeedItem): FeedEntry {
  return { id, title, url, at: changedAt, published, image, text: summary };
}
