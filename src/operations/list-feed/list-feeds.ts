// Feeds of list pages: made, shown and deleted. Making one reads its page at once, so that a page without items is told here.
import { basicAuthorization, cutPage, newId, readCursor, refusedField, ServiceError } from "../../base/index.ts";
import { scrapeOptions } from "../../contract/index.ts";
import { findBadSelector } from "../../html/index.ts";
import { nextRun, readSchedule } from "../../monitors/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import type { ListFeedRow } from "../../store/index.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import { checkSchema } from "../parts/schema-check.ts";
import { mergeItems } from "./feed-items.ts";
import { newToken, showFeed } from "./feed-record.ts";
import { createItemFinder, describeWanted, formatsFor, type WantedItem } from "./found-items.ts";
import type { FeedPages } from "./refresh-feeds.ts";

const longestName = 256;

export function createListFeedOperations(parts: OperationParts, { scrape, cancelBatch }: FeedPages) {
  const { store, clock, sealer, checkUrl, extraction } = parts;
  const findItems = createItemFinder(parts);

  async function checkItem(item: WantedItem | null): Promise<void> {
    if (item === null) return;
    if (typeof item !== "string") return checkSchema(extraction, item, ["item"]);
    const bad = findBadSelector([item]);
    if (bad) throw refusedField(["item"], bad.message, "invalid_selector");
  }

  async function find({ id }: { id: string }, teamId: string) {
    const feed = await store.listFeeds.find(teamId, id);
    if (!feed) throw new ServiceError("FEED_NOT_FOUND");
    return feed;
  }

  return {
    async createFeed(input, caller, signal) {
      const { url, item = null, origin } = input;
      const { teamId, keyId, baseUrl } = caller;
      const now = clock.now();
      const id = newId(now);
      const reading = readSchedule(input.schedule, id, now);
      if (!reading.ok) throw refusedField(["schedule", reading.field], reading.message);
      // It would be kept as long as the feed.
      if (basicAuthorization(requireAllowedUrl(checkUrl, url)) !== null)
        throw refusedField(["url"], "Must not contain a user name or password");
      await checkItem(item);
      const options = { ...scrapeOptions.parse({}), formats: formatsFor(item), maxAge: 0, onlyMainContent: false };
      const answer = await scrape({ url, scrapeOptions: options, origin, integration: undefined }, caller, signal);
      const { metadata } = answer.data ?? {};
      const found = answer.data ? await findItems(answer.data, item, { url, teamId, signal }) : [];
      if (found.length === 0) throw new ServiceError("FEED_NO_ITEMS", nothingOn(url, item, metadata?.statusCode));
      const { items } = mergeItems(id, [], found, now);
      const { runsPerMonth: _, ...schedule } = reading.schedule;
      const { name = metadata?.title || new URL(url).host } = input;
      const feed: ListFeedRow = {
        ...{ id, teamId, keyId, name: name.slice(0, longestName), url, baseUrl },
        item: item === null ? null : JSON.stringify(item),
        ...schedule,
        nextRunAt: nextRun(schedule, now),
        ...{ lastRunAt: now, lastSuccessAt: now, jobId: null, error: null },
        ...newToken(sealer),
        items: JSON.stringify(items),
        itemCount: items.length,
        changedAt: now,
        createdAt: now,
      };
      await store.listFeeds.insert(feed);
      return { success: true, feed: showFeed(feed, sealer, baseUrl), ...warningOf([answer.warning]) };
    },

    async listFeeds({ limit, cursor }, { teamId, baseUrl }) {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const rows = await store.listFeeds.list(teamId, limit + 1, before);
      const { page, cursor: next, hasMore } = cutPage(rows, limit, ({ id, createdAt }) => ({ createdAt, rowId: id }));
      const data = page.map((feed) => showFeed(feed, sealer, baseUrl));
      return { success: true, data, cursor: next, has_more: hasMore };
    },

    async readFeed(input, { teamId, baseUrl }) {
      return { success: true, feed: showFeed(await find(input, teamId), sealer, baseUrl) };
    },

    async deleteFeed(input, caller) {
      const { id, jobId } = await find(input, caller.teamId);
      await store.listFeeds.remove(id);
      if (jobId === null) return { success: true };
      await cancelBatch({ id: jobId }, caller).catch((error: unknown) => {
        const isOver = error instanceof ServiceError && ["JOB_ALREADY_ENDED", "JOB_NOT_FOUND"].includes(error.code);
        if (!isOver) throw error;
      });
      return { success: true };
    },
  } satisfies ServedOperations;
}

function nothingOn(url: string, item: WantedItem | null, status: number | undefined): string {
  const answered = status !== undefined && status >= 400 ? ` It answered with status ${status}.` : "";
  return `Nothing was found on ${url} for a feed. Looked for: ${describeWanted(item)}.${answered}`;
}
