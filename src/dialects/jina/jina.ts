// Jina Reader and Jina's search, as r.jina.ai and s.jina.ai.
import * as z from "zod";
import { below, type Dialect, dialectRow } from "../frame/dialect.ts";
import { jinaFailure, jinaFailureSchema } from "./failures.ts";
import { readerBody } from "./options.ts";
import { answerReader, jinaStatuses, urlOfPath } from "./reader.ts";
import { answerJinaSearch, jinaSearchFields } from "./search.ts";

const usage = z.object({ tokens: z.int() });
const readJinaPage = z.looseObject({
  title: z.string(),
  description: z.string(),
  url: z.string(),
  content: z.string().optional(),
  usage,
});
const readerResponse = z.union([
  z.string().describe("Without Accept: application/json"),
  z.object({ code: z.int(), status: z.int(), data: readJinaPage, meta: z.object({ usage }) }),
]);
const foundPage = z.looseObject({
  title: z.string(),
  url: z.string(),
  description: z.string(),
  content: z.string(),
  usage,
});
const searchResponse = z.union([
  z.string().describe("Without Accept: application/json"),
  z.object({ code: z.int(), status: z.int(), data: z.array(foundPage), meta: z.object({ usage }) }),
]);

const usageLines = "Read a page: GET /jina/https://example.com/\nSearch the web: GET /jina/s?q=words\n";

export const jina: Dialect = {
  name: "jina",
  tag: "Jina",
  group: "scrape",
  owns: below("/jina"),
  statuses: jinaStatuses,
  rows: [
    dialectRow("GET /jina", "jinaUsage", "How to use Jina's paths", {
      rateGroup: null,
      response: z.string(),
      responseType: "text/plain; charset=utf-8",
      answer: async () => ({ type: "text/plain; charset=utf-8", body: usageLines }),
    }),
    dialectRow(
      "GET /jina/{url+}",
      "jinaRead",
      "Read a page as Jina Reader does; options are its headers, such as X-Return-Format",
      {
        response: readerResponse,
        restHasQuery: true,
        answer: ({ headers, rest }, call) => answerReader({ url: urlOfPath(rest) }, headers, call),
      },
    ),
    dialectRow("POST /jina", "jinaReadByBody", "Read a page, HTML or a file as Jina Reader does", {
      response: readerResponse,
      request: readerBody,
      answer: ({ fields, headers }, call) => answerReader(fields, headers, call),
    }),
    dialectRow("POST /jina/{url+}", "jinaReadWithBody", "Read a page as Jina Reader does, with options in the body", {
      response: readerResponse,
      restHasQuery: true,
      request: readerBody,
      answer: ({ fields, headers, rest }, call) => answerReader({ ...fields, url: urlOfPath(rest) }, headers, call),
    }),
    dialectRow("GET /jina/s /jina/search", "jinaSearch", "Search as Jina does", {
      group: "search",
      request: jinaSearchFields,
      response: searchResponse,
      answer: ({ fields, headers }, call) => answerJinaSearch(fields, headers, call),
    }),
    dialectRow("POST /jina/s /jina/search", "jinaSearchByBody", "Search as Jina does", {
      group: "search",
      request: jinaSearchFields,
      response: searchResponse,
      answer: ({ fields, headers }, call) => answerJinaSearch(fields, headers, call),
    }),
    dialectRow("GET /jina/s/{q+}", "jinaSearchByPath", "Search as Jina does", {
      group: "search",
      request: jinaSearchFields,
      response: searchResponse,
      answer: ({ fields, headers, rest }, call) => answerJinaSearch({ ...fields, q: rest }, headers, call),
    }),
  ],
  failure: jinaFailure,
  failureSchema: jinaFailureSchema,
};
