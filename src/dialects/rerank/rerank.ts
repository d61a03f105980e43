// Reranking in the shapes of Jina and Cohere: texts of the caller by how well they fit a query. No page is read, nothing is charged.
import * as z from "zod";
import { newId } from "../../base/index.ts";
import { type Dialect, type DialectAnswer, type DialectCall, dialectRow } from "../frame/dialect.ts";
import { failureText, searchQuery, silent } from "../frame/dialect-fields.ts";
import { countTokens } from "../frame/texts.ts";

const document = z.union([
  z.string(),
  z.looseObject({ text: z.string().describe("The text") }).transform(({ text }) => text),
]);

function requestOf(returnsDocuments: boolean) {
  return z.strictObject({
    query: searchQuery(),
    documents: z.array(document).min(1).max(1000).describe("Texts, or objects with a text"),
    top_n: z.int().min(1).optional().describe("How many to return; all by default"),
    model: z.string().max(256).default("trawl").describe("Any name; it is returned as it is"),
    return_documents: z.boolean().default(returnsDocuments).describe("Whether results have their texts"),
    rank_fields: silent(),
  });
}

type Fields = z.output<ReturnType<typeof requestOf>>;

const response = z.object({
  id: z.string(),
  object: z.literal("list"),
  model: z.string(),
  usage: z.object({ total_tokens: z.int(), prompt_tokens: z.int() }),
  results: z.array(
    z.object({ index: z.int(), relevance_score: z.number(), document: z.object({ text: z.string() }).optional() }),
  ),
  meta: z.object({
    api_version: z.object({ version: z.string() }),
    billed_units: z.object({ search_units: z.number() }),
  }),
});

async function answerRerank(fields: Fields, call: DialectCall): Promise<DialectAnswer> {
  const { query, documents, top_n: count = documents.length, model, return_documents: withTexts } = fields;
  const ranked = await call.rankTexts(query, documents);
  const tokens = countTokens(query + documents.join(""));
  return {
    body: {
      id: newId(call.now()),
      object: "list",
      model,
      usage: { total_tokens: tokens, prompt_tokens: tokens },
      results: ranked.slice(0, count).map(({ index, score }) => ({
        index,
        relevance_score: Math.round(score * 1e6) / 1e6,
        ...(withTexts ? { document: { text: documents[index] } } : {}),
      })),
      meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
    },
  };
}

export const rerank: Dialect = {
  name: "rerank",
  tag: "Rerank",
  group: "search",
  owns: (path) => ["/v1/rerank", "/rerank", "/v2/rerank"].includes(path),
  rows: [
    dialectRow("POST /v1/rerank /rerank", "rerank", "Rank texts by how well they fit a query", {
      response,
      request: requestOf(true),
      answer: ({ fields }, call) => answerRerank(fields, call),
    }),
    dialectRow(
      "POST /v2/rerank",
      "rerankAsCohere",
      "Rank texts by how well they fit a query; texts are returned only when asked for",
      { response, request: requestOf(false), answer: ({ fields }, call) => answerRerank(fields, call) },
    ),
  ],
  failure: ({ message }) => ({ detail: message, message }),
  failureSchema: z.object({ detail: failureText, message: failureText }),
};
