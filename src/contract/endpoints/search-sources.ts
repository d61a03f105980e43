// Around search: its open sources, and files for the local index.
import * as z from "zod";
import { senderKeys, success } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const source = z.object({
  name: z.string(),
  title: z.string(),
  tier: z.enum(["open", "scraped", "keyed"]).describe("Asked by default, only when named, or only with a key"),
  serves: z.array(z.string()).describe("Kinds of results and categories"),
  state: z.enum(["ready", "resting"]),
  restsUntil: z.string().nullable(),
  failures: z.int().describe("In a row, since its last answer"),
  lastError: z.string().nullable(),
  lastErrorAt: z.string().nullable(),
  pace: z
    .array(z.object({ requests: z.int(), seconds: z.int(), used: z.int() }))
    .describe("Most requests in so many seconds, and how many of them are used, by all servers"),
  asked: z.object({ requests: z.int(), failures: z.int(), rests: z.int() }).describe("By this server since it started"),
});

/** Of one request together. */
export const mostFiles = 100;
const longestName = 1024;

export const fileToIndex = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(longestName)
    .regex(/^\P{Cc}+$/u, "Must not contain control characters")
    .describe("Name or path of the file; its bytes or its ending say what it is: any kind of file that is parsed"),
  content: z.string().describe("Content of the file"),
  encoding: z.enum(["utf8", "base64"]).default("utf8").describe("How content is written"),
  url: z
    .string()
    .max(8192)
    .refine((text) => URL.canParse(text) && /^(?:https?|file):$/.test(new URL(text).protocol), {
      message: "Must be a URL that starts with http://, https:// or file://",
    })
    .optional()
    .describe("URL that search results show; file:/// and the name unless given"),
});

const indexBody = z.strictObject({
  files: z
    .array(fileToIndex)
    .min(1)
    .max(mostFiles)
    .describe("Files to add; one that was added before under the same URL is replaced"),
  ...senderKeys,
});

const endpoint = section({ tag: "Search", group: "search", rateGroup: "status" });

export const searchSourceEndpoints = [
  endpoint("GET /v2/search/sources", "listSearchSources", "List the open sources that searches ask", {
    response: z.object({ success, sources: z.array(source) }),
  }),
  endpoint("POST /v2/search/index", "addToIndex", "Add files to the local index", {
    body: indexBody,
    response: z.object({
      success,
      added: z.int().describe("Number of files that searches find from now on"),
      refused: z
        .array(z.object({ name: z.string(), error: z.string() }))
        .describe("Files that cannot be read, with the reason"),
    }),
    rateGroup: "scrape",
  }),
];
