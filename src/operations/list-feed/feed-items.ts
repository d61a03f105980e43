// The items of a feed over its refreshes: an item keeps its id as long as its link stays, and leaves a month after the page last
// had it.
import { dayMs, sha256, withoutFragment } from "../../base/index.ts";
import type { LinkedItem } from "../../extraction/index.ts";

export interface FeedItem extends Omit<LinkedItem, "date"> {
  id: string;
  key: string;
  /** ISO 8601. */
  published: string | null;
  firstSeenAt: number;
  lastSeenAt: number;
  /** When it was found, or last found changed. */
  changedAt: number;
}

const mostItems = 200;
const keptMs = 30 * dayMs;

/** Newest first. `hasNews`: readers get something new. */
export function mergeItems(
  feedId: string,
  known: readonly FeedItem[],
  found: readonly LinkedItem[],
  now: number,
): { items: FeedItem[]; hasNews: boolean } {
  const before = new Map(known.map((item) => [item.key, item]));
  const present = new Map<string, FeedItem>();
  let hasNews = false;
  for (const { date, ...shown } of found) {
    const key = keyOf(shown);
    if (present.has(key)) continue;
    const old = before.get(key);
    const item: FeedItem = {
      ...shown,
      id: old?.id ?? idOf(feedId, key),
      key,
      // A page that stops to show a date does not take it back.
      published: date ?? old?.published ?? null,
      firstSeenAt: old?.firstSeenAt ?? now,
      lastSeenAt: now,
      changedAt: old?.changedAt ?? now,
    };
    if (old && textOf(old) !== textOf(item)) item.changedAt = now;
    if (item.changedAt === now) hasNews = true;
    present.set(key, item);
  }
  const gone = known.filter(({ key, lastSeenAt }) => !present.has(key) && lastSeenAt > now - keptMs);
  // What the page has now is never pushed out by what it had.
  const kept = [...[...present.values()].slice(0, mostItems), ...gone.sort(byLastSeen)].slice(0, mostItems);
  return { items: kept.sort(byTime), hasNews };
}

/** What readers get now, whenever the page was last read. */
export function livingItems(items: readonly FeedItem[], now: number): FeedItem[] {
  return items.filter(({ lastSeenAt }) => lastSeenAt > now - keptMs);
}

function keyOf({ url, title }: Pick<LinkedItem, "url" | "title">): string {
  return url === null ? `title ${sha256(title.toLowerCase())}` : withoutFragment(url);
}

/** A UUID (version 8), so that the same item has the same id wherever it is counted. */
function idOf(feedId: string, key: string): string {
  const digits = sha256(`${feedId} ${key}`);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join("-");
}

const textOf = ({ title, summary, published }: FeedItem) => JSON.stringify([title, summary, published]);
const byLastSeen = (one: FeedItem, other: FeedItem) => other.lastSeenAt - one.lastSeenAt;

/** Items without a date are as old as their first sight, in the order of the page. */
function byTime(one: FeedItem, other: FeedItem): number {
  return timeOf(other) - timeOf(one);
}

function timeOf({ published, firstSeenAt }: FeedItem): number {
  return published === null ? firstSeenAt : Math.min(Date.parse(published), firstSeenAt);
}
