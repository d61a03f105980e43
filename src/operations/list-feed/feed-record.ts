// A feed as it lies in its row and as its team sees it. Its URL is its key: the row has a hash to find it by, and the token sealed.
import { randomBytes } from "node:crypto";
import { isoTime, sha256 } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { ListFeed, Sealer } from "../../store/index.ts";
import type { WantedItem } from "./found-items.ts";

export type ShownFeed = OperationOutput<"readFeed">["feed"];

const purpose = "token of a list feed";
const tokenBytes = 24;

export function newToken(sealer: Sealer): Pick<ListFeed, "tokenHash" | "sealed"> {
  const token = randomBytes(tokenBytes).toString("base64url");
  return { tokenHash: sha256(token), sealed: sealer.seal(token, purpose) };
}

export function openItem({ item }: Pick<ListFeed, "item">): WantedItem | null {
  return item === null ? null : JSON.parse(item);
}

export function listFeedUrlOf({ sealed }: Pick<ListFeed, "sealed">, sealer: Sealer, baseUrl: string): string {
  return `${baseUrl}/feeds/${sealer.open(sealed, purpose)}.atom`;
}

export function showFeed(feed: ListFeed, sealer: Sealer, baseUrl: string): ShownFeed {
  const { id, name, url, itemCount, error, cron, timezone } = feed;
  const item = openItem(feed);
  return {
    id,
    name,
    url,
    feedUrl: listFeedUrlOf(feed, sealer, baseUrl),
    ...(item === null ? {} : { item }),
    itemCount,
    status: error === null ? "active" : "failing",
    error,
    schedule: { cron, timezone },
    nextRunAt: timeOf(feed.nextRunAt),
    lastRunAt: timeOf(feed.lastRunAt),
    lastSuccessAt: timeOf(feed.lastSuccessAt),
    createdAt: isoTime(feed.createdAt),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
