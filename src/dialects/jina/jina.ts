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

const reader = { rateGroup: "scrape", response: readerResponse } as const;
const finder = {
  rateGroup: "scrape",
  response: searchResponse,
  request: jinaSearchFields,
  summary: "Search as Jina does",
} as const;

const usageLines = "Read a page: GET /jina/https://example.com/\nSearch the web: GET /jina/s?q=words\n";

export const jina: Dialect = {
  name: "jina",
  tag: "Jina",
  owns: below("/jina"),
  statuses: jinaStatuses,
  rows: [
    dialectRow({
      method: "GET",
      name: "jinaUsage",
      summary: "How to use Jina's paths",
      paths: ["/jina"],
      rateGroup: null,
      request: z.strictObject({}),
      response: z.string(),
      responseType: "text/plain; charset=utf-8",
      answer: async () => ({ type: "text/plain; charset=utf-8", body: usageLines }),
    }),
    dialectRow({
      ...reader,
      method: "GET",
      name: "jinaRead",
      summary: "Read a page as Jina Reader does; options are its headers, such as X-Return-Format",
      paths: ["/jina/{url+}"],
      restHasQuery: true,
      request: z.strictObject({}),
      answer: ({ headers, rest }, call) => answerReader({ url: urlOfPath(rest) }, headers, call),
    }),
    dialectRow({
      ...reader,
      method: "POST",
      name: "jinaReadByBody",
      summary: "Read a page, HTML or a file as Jina Reader does",
      paths: ["/jina"],
      request: readerBody,
      answer: ({ fields, headers }, call) => answerReader(fields, headers, call),
    }),
    dialectRow({
      ...reader,
      method: "POST",
      name: "jinaReadWithBody",
      summary: "Read a page as Jina Reader does, with options in the body",
      paths: ["/jina/{url+}"],
      restHasQuery: true,
      request: readerBody,
      answer: ({ fields, headers, rest }, call) => answerReader({ ...fields, url: urlOfPath(rest) }, headers, call),
    }),
    dialectRow({
      ...finder,
      method: "GET",
      name: "jinaSearch",
      paths: ["/jina/s", "/jina/search"],
      answer: ({ fields, headers }, call) => answerJinaSearch(fields, headers, call),
    }),
    dialectRow({
      ...finder,
      method: "POST",
      name: "jinaSearchByBody",
      paths: ["/jina/s", "/jina/search"],
      answer: ({ fields, headers }, call) => answerJinaSearch(fields, headers, call),
    }),
    dialectRow({
      ...finder,
      method: "GET",
      name: "jinaSearchByPath",
      paths: ["/jina/s/{q+}"],
      answer: ({ fields, headers, rest }, call) => answerJinaSearch({ ...fields, q: rest }, headers, call),
    }),
  ],
  failure: jinaFailure,
  failureSchema: jinaFailureSchema,
};
