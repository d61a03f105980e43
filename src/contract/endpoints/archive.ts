// Web archives: what jobs have kept, lists of it, and the files that go out and come in.
import * as z from "zod";
import { archiveFormats } from "../fields/archive-fields.ts";
import { idParams, success, time } from "../fields/common-fields.ts";
import { exportFile } from "../fields/job.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import { section } from "../table/endpoint.ts";

const count = z.int();

const archive = z
  .object({
    id: z.string().describe("That of the scrape, batch or crawl"),
    name: z.string(),
    source: z.enum(["scrape", "batch", "crawl", "import"]),
    status: z.enum(["capturing", "ready"]),
    pages: count,
    records: count,
    bytes: z.number(),
    firstAt: time.nullable(),
    lastAt: time.nullable(),
    createdAt: time,
    expiresAt: time.nullable(),
    missing: count.describe("Pages that were read and not archived"),
    mismatched: count.describe("Records whose digest is wrong"),
    indexed: count.describe("Pages that search finds"),
  })
  .meta({ id: "Archive" });

const page = z.object({
  url: z.string(),
  at: time,
  status: z.int().nullable(),
  mime: z.string(),
  title: z.string(),
  bytes: z.number(),
});

const one = z.object({ success, archive });

const endpoint = section({ tag: "Archive", group: "crawl", rateGroup: "status", notFound: "ARCHIVE_NOT_FOUND" });

export const archiveEndpoints = [
  endpoint("GET /v2/archive", "listArchives", "List web archives, the newest first", {
    query: z.strictObject(cursorQuery),
    response: z.object({ success, archives: z.array(archive), ...cursorEnd }),
  }),
  endpoint("GET /v2/archive/{id}", "readArchive", "Get a web archive", { params: idParams, response: one }),
  endpoint("GET /v2/archive/{id}/pages", "listArchivePages", "List the pages of a web archive", {
    params: idParams,
    query: z.strictObject({
      url: z.string().max(8192).optional().describe("Only captures of this page"),
      ...cursorQuery,
    }),
    response: z.object({ success, pages: z.array(page), ...cursorEnd }),
  }),
  endpoint("GET /v2/archive/{id}/export", "exportArchive", "Download a web archive", {
    params: idParams,
    query: z.strictObject({ format: z.enum(archiveFormats).default("wacz").describe("Format of the file") }),
    response: exportFile,
    responseType: "application/octet-stream",
    isFile: true,
  }),
  endpoint("DELETE /v2/archive/{id}", "deleteArchive", "Delete a web archive", {
    params: idParams,
    response: z.object({ success }),
  }),
];
