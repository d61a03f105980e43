// Sources of the local index: a site, a list of pages or documents that a team keeps in it.
import * as z from "zod";
import { patternsField, senderKeys, success, time, urlField, uuid } from "../fields/common-fields.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import { section } from "../table/endpoint.ts";
import { batchBody } from "./batch.ts";
import { crawlBody } from "./crawl.ts";
import { fileToIndex, mostFiles } from "./search-sources.ts";

const name = z.string().min(1).max(256);
const refresh = z.enum(["daily", "weekly", "monthly"]);
const named = {
  name: name.optional().describe("Name of the source; made of what is read unless given"),
  ...senderKeys,
};
const renewed = { refresh: refresh.optional().describe("How often it is read again; never unless given"), ...named };

const siteBody = z.strictObject({
  url: urlField("URL of the site"),
  limit: z.int().min(1).max(10_000).default(100).describe("Maximum number of pages"),
  includePaths: patternsField("Regular expressions: only matching paths"),
  excludePaths: patternsField("Regular expressions: no matching paths"),
  ...renewed,
});
const pagesBody = z.strictObject({
  urls: z.array(urlField("URL of a page")).min(1).max(1000).describe("URLs of the pages"),
  ...renewed,
});
const documentsBody = z.strictObject({
  documents: z.array(fileToIndex).min(1).max(mostFiles).describe("Documents, as files of POST /v2/search/index"),
  ...named,
});
const changes = z.strictObject({
  name: name.optional().describe("New name"),
  enabled: z.boolean().optional().describe("Whether searches find its pages"),
  refresh: refresh.nullable().optional().describe("How often it is read again; null: never"),
  ...senderKeys,
});

const source = z.object({
  id: z.string(),
  type: z.enum(["site", "pages", "documents"]),
  name: z.string(),
  url: z.string().optional().describe("URL of a site"),
  status: z.enum(["queued", "indexing", "ready", "failed"]),
  enabled: z.boolean(),
  pageCount: z.int().describe("Pages of it in the index"),
  refresh: refresh.nullable(),
  lastIndexedAt: time.nullable(),
  error: z.string().nullable().describe("Why its last reading failed"),
  createdAt: time,
  updatedAt: time,
});
const answer = z.object({ success, data: source, warning: z.string().optional() });

const endpoint = section({ tag: "Search", group: "search", rateGroup: "status", response: answer });
const starting = section({ tag: "Search", group: "search", rateGroup: "job", response: answer });
const one = {
  params: z.strictObject({ id: uuid.describe("Id of the source") }),
  notFound: "SOURCE_NOT_FOUND",
} as const;

type Site = z.output<typeof siteBody>;
type Pages = z.output<typeof pagesBody>;
/** What reads a source are the operations that read a site or a list of pages for anybody, each time from the web. */
const read = { maxAge: 0 };
const toSite = ({ url, limit, includePaths, excludePaths, name, refresh }: Site) => ({
  ...{ name, refresh },
  crawl: {
    ...crawlBody.parse({ url, limit, includePaths, excludePaths, scrapeOptions: read, origin: "index" }),
    given: [] as string[],
  },
});
const toPages = ({ urls, name, refresh }: Pages) => ({
  ...{ name, refresh },
  batch: batchBody.parse({ urls, ignoreInvalidURLs: true, ...read, origin: "index" }),
});

export const indexedSourceEndpoints = [
  starting("POST /v2/search/data/sites", "addIndexedSite", "Keep a site in the local index", {
    body: siteBody,
    toInput: toSite,
  }),
  starting("POST /v2/search/data/pages", "addIndexedPages", "Keep pages in the local index", {
    body: pagesBody,
    toInput: toPages,
  }),
  endpoint("POST /v2/search/data/documents", "addIndexedDocuments", "Keep documents in the local index", {
    body: documentsBody,
    rateGroup: "scrape",
  }),
  endpoint("GET /v2/search/data", "listIndexedSources", "List the sources of the local index, the newest first", {
    query: z.strictObject(cursorQuery),
    response: z.object({ success, data: z.array(source), ...cursorEnd }),
  }),
  endpoint("GET /v2/search/data/{id}", "readIndexedSource", "Get a source of the local index", one),
  endpoint("PATCH /v2/search/data/{id}", "updateIndexedSource", "Change a source of the local index", {
    ...one,
    body: changes,
  }),
  endpoint(
    "DELETE /v2/search/data/{id}",
    "deleteIndexedSource",
    "Delete a source and take its pages out of the index",
    one,
  ),
  starting("POST /v2/search/data/{id}/refresh", "refreshIndexedSource", "Read a source again", one),
];
