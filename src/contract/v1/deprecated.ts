// Two features that exist only in v1 and are deprecated there: a run of the agent, and the map and pages of a site.
import * as z from "zod";
import {
  idParams,
  jsonSchemaField,
  promptField,
  senderKeys,
  success,
  time,
  urlField,
} from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const within = (least: number, most: number, otherwise: number, description: string) =>
  z.int().min(least).max(most).default(otherwise).describe(description);

const researchBody = z
  .strictObject({
    query: promptField("Question to research").optional(),
    topic: promptField("Older name of query").optional(),
    maxDepth: within(1, 12, 7, "Maximum number of rounds: a search, and the pages that it found"),
    maxUrls: within(1, 1000, 20, "Maximum number of pages to read"),
    timeLimit: within(30, 600, 300, "Timeout of the whole job, in seconds"),
    analysisPrompt: promptField("Instructions for the answer").optional(),
    systemPrompt: promptField("Instructions for the language model").optional(),
    formats: z
      .array(z.enum(["markdown", "json"]))
      .max(64)
      .default(["markdown"])
      .describe("Formats of the answer"),
    jsonOptions: z
      .strictObject({
        schema: jsonSchemaField().optional(),
        prompt: promptField("What to look for").optional(),
        systemPrompt: z.string().optional().describe("Accepted and ignored"),
      })
      .optional()
      .describe("Options of the format json"),
    ...senderKeys,
  })
  .superRefine(({ query, topic, formats, jsonOptions }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (query === undefined && topic === undefined) refuse("query", "Required");
    if (formats.includes("json") && !jsonOptions) refuse("jsonOptions", "Required with the format json");
    if (jsonOptions && !formats.includes("json")) refuse("formats", "Must contain json, because jsonOptions is given");
  })
  .transform(({ topic = "", query = topic, ...body }) => ({ ...body, query }));
const llmsTextBody = z.strictObject({
  url: urlField("URL of the site"),
  maxUrls: within(1, 5000, 10, "Maximum number of pages to read"),
  showFullText: z.boolean().default(false).describe("Also return the text of the pages"),
  cache: z.boolean().default(true).describe("Whether cached copies of pages are acceptable"),
  __experimental_stream: z.boolean().optional().describe("Accepted and ignored"),
  ...senderKeys,
});

const deprecation = {
  warnings: z.array(z.string()).optional(),
  replacement: z.string().optional().describe("What to use instead"),
};
const started = z.object({ success, id: z.string(), ...deprecation });
const ended = {
  success,
  status: z.enum(["processing", "completed", "failed"]),
  error: z.string().optional(),
  expiresAt: time,
  ...deprecation,
};

const activities = z.array(
  z.object({
    type: z.enum(["search", "extract", "analyze", "synthesis", "thought"]),
    status: z.string(),
    message: z.string(),
    timestamp: time,
    depth: z.int(),
  }),
);
const sources = z.array(z.object({ url: z.string(), title: z.string(), description: z.string() }));
const research = z.object({
  ...ended,
  data: z.object({ finalAnalysis: z.string(), sources, activities, json: z.unknown().optional() }),
  currentDepth: z.int(),
  maxDepth: z.int(),
  totalUrls: z.int(),
  sources,
  activities,
  summaries: z.array(z.string()),
});
const llmsText = z.object({ ...ended, data: z.object({ llmstxt: z.string(), llmsfulltxt: z.string().optional() }) });

const endpoint = section({ tag: "Other", group: "agent", rateGroup: "job", response: started });
const status = section({ tag: "Other", group: "agent", rateGroup: "status", params: idParams });

export const v1DeprecatedEndpoints = [
  endpoint("POST /v1/deep-research", "startDeepResearch", "Start a research job", {
    body: researchBody,
    activity: "deep_research",
  }),
  status("GET /v1/deep-research/{id}", "readDeepResearch", "Get the result of a research job", {
    response: research,
    notFound: "RESEARCH_NOT_FOUND",
  }),
  endpoint("POST /v1/llmstxt", "startLlmsText", "Start generating an llms.txt", {
    group: "crawl",
    body: llmsTextBody,
    activity: "llmstxt",
  }),
  status("GET /v1/llmstxt/{id}", "readLlmsText", "Get the llms.txt of a site", {
    group: "crawl",
    response: llmsText,
    notFound: "LLMSTXT_NOT_FOUND",
  }),
];
