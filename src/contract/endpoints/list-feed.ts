// Feeds of list pages: the items of a page as Atom and JSON Feed, refreshed on a schedule.
import * as z from "zod";
import { idParams, jsonSchemaField, senderKeys, success, time, urlField, warning } from "../fields/common-fields.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import { schedule } from "../fields/monitor-targets.ts";
import { section } from "../table/endpoint.ts";

const body = z.strictObject({
  url: urlField("URL of the list page"),
  item: z
    .union([z.string().min(1).max(1024), jsonSchemaField()])
    .optional()
    .describe(
      "What an item is: a CSS selector, or a JSON Schema of one item; without it, the page's list is found by itself",
    ),
  schedule: schedule.prefault({ text: "hourly" }).describe("When the page is read again"),
  name: z.string().min(1).max(256).optional().describe("Title of the feed; that of the page unless given"),
  ...senderKeys,
});

const feed = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().describe("URL of the list page"),
    feedUrl: z
      .string()
      .describe("Atom feed, for any reader; ending in .json instead of .atom it is a JSON Feed. Keep it secret"),
    item: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    itemCount: z.int(),
    status: z
      .enum(["active", "failing"])
      .describe("failing: the last refresh failed, and the items are those from before"),
    error: z.string().nullable().describe("Why the last refresh failed"),
    schedule: z.object({ cron: z.string(), timezone: z.string() }),
    nextRunAt: time.nullable(),
    lastRunAt: time.nullable(),
    lastSuccessAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: "ListFeed", description: "A feed of a list page" });

const one = z.object({ success, feed, warning });
const endpoint = section({ tag: "Monitor", group: "monitor", rateGroup: "status", notFound: "FEED_NOT_FOUND" });

export const listFeedEndpoints = [
  endpoint("POST /v2/feed", "createFeed", "Make a feed of a list page", { body, response: one, rateGroup: "scrape" }),
  endpoint("GET /v2/feed", "listFeeds", "List feeds, the newest first", {
    query: z.strictObject(cursorQuery),
    response: z.object({ success, data: z.array(feed), ...cursorEnd }),
  }),
  endpoint("GET /v2/feed/{id}", "readFeed", "Get a feed", { params: idParams, response: one }),
  endpoint("DELETE /v2/feed/{id}", "deleteFeed", "Delete a feed and end its URL", {
    params: idParams,
    response: z.object({ success }),
  }),
];
