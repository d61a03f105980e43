// Search the web, and optionally scrape each result.
import * as z from "zod";
import {
  agentHints,
  auditMetadata,
  hostnamesField,
  idParams,
  ignoredScrapeKeys,
  queryInteger,
  senderKeys,
  success,
  threatProtection,
  timeoutField,
  uuidField,
} from "../fields/common-fields.ts";
import { contentFields, metadata, trace } from "../fields/document.ts";
import { checkZeroDataRetention, optionalScrapeOptions, withoutRetention } from "../fields/scrape-options.ts";
import { timeFilter } from "../fields/time-filter.ts";
import { section } from "../table/endpoint.ts";

/** At least one character that is not a space. */
export function queryField() {
  return z
    .string()
    .min(1)
    .regex(/\S/, "Must not be blank")
    .describe('Search query; operators such as site: and "exact phrase" are supported');
}

export const invalidSearch = "Invalid request body";

const place = (description: string) => z.string().max(1024).optional().describe(description);

/** Fields that v1 has with the same meaning and default. */
export const sharedSearchFields = {
  tbs: timeFilter.optional(),
  location: place('Location of the searcher: a country, or "city,region,country"'),
  country: place("Country code of the searcher; default US, unless location is set"),
  lang: place("Language of the results"),
  timeout: timeoutField().default(60_000).describe("Timeout of the whole request, in milliseconds"),
  ignoreInvalidURLs: z.boolean().default(false).describe("Omit results whose URLs cannot be scraped"),
};

const webSource = z.strictObject({
  type: z.literal("web"),
  tbs: timeFilter.optional(),
  location: place("Location of the searcher"),
  country: place("Country code of the searcher"),
  lang: place("Language of the results"),
  filter: z.string().max(1024).optional().describe("Accepted and ignored"),
});
const sourceObject = z.discriminatedUnion("type", [
  webSource,
  z.strictObject({ type: z.literal("news") }),
  z.strictObject({ type: z.literal("images") }),
  z.strictObject({ type: z.literal("alexandria"), options: z.unknown().optional().describe("Accepted and ignored") }),
]);
type Source = z.output<typeof sourceObject>;
const source = z
  .union([
    z.enum(["web", "news", "images", "alexandria"]).transform((type): Source => sourceObject.parse({ type })),
    sourceObject,
  ])
  .meta({ id: "SearchSource", description: "A type of result: its name, or an object with its name as type" });

const developerNames = ["developer", "docs", "repo", "code", "devdex", "repo_search", "developer_index"] as const;
const isDeveloper = (name: string) => developerNames.some((one) => one === name);
const categoryName = z
  .enum(["github", "research", "pdf", "gov", ...developerNames])
  .transform((name): "github" | "research" | "pdf" | "developer" | "gov" =>
    isDeveloper(name) ? "developer" : (name as "github"),
  );
/** Those that are searched in their own sources, so no other can join them. */
const aloneCategories = ["developer", "gov"] as const;
const category = z
  .union([
    categoryName,
    z.strictObject({ type: categoryName.describe("Name of the category") }).transform(({ type }) => type),
  ])
  .meta({ id: "SearchCategory", description: "A category of results" });

const enterpriseMode = z.enum(["default", "anon", "zdr"]);
type EnterpriseMode = z.output<typeof enterpriseMode>;

function keepsNothing(modes: EnterpriseMode | readonly EnterpriseMode[] = []): boolean {
  return [modes].flat().some((mode) => mode !== "default");
}

type Options = z.output<typeof optionalScrapeOptions>;

/** Passages of each page that match the query; a caller's own highlights come first. */
function withHighlights(options: Options, query: string, maxTokens: number | undefined): Options {
  if (maxTokens === undefined || options.formats.some(({ type }) => type === "highlights")) return options;
  return { ...options, formats: [...options.formats, { type: "highlights", query, maxTokens }] };
}

const searchBody = z
  .strictObject({
    query: queryField().max(500),
    objective: z
      .string()
      .min(1)
      .max(2000)
      .regex(/\S/, "Must not be blank")
      .optional()
      .describe(
        "What the results are for: orders them, and picks the passages that are shown; sources are asked for query",
      ),
    limit: z.int().min(1).max(100).default(10).describe("Maximum number of results per source"),
    sources: z.array(source).max(64).prefault(["web"]).describe("Types of results to return"),
    categories: z.array(category).max(64).prefault([]).describe("Categories to restrict results to"),
    includeDomains: hostnamesField("Only results from these hosts").default([]),
    excludeDomains: hostnamesField("No results from these hosts").default([]),
    safe: z.boolean().optional().describe("Omit explicit results"),
    highlights: z.boolean().default(true).describe("Use the passages that match the query as descriptions"),
    maxTokens: z
      .int()
      .min(50)
      .max(100_000)
      .optional()
      .describe(
        "Read the pages of results, and return as highlights the passages that match the query, up to so many tokens each",
      ),
    excludeSeen: z
      .array(uuidField("Id of an earlier search"))
      .max(100)
      .default([])
      .describe("Ids of earlier searches whose results are left out"),
    ...sharedSearchFields,
    scrapeOptions: optionalScrapeOptions.prefault({}),
    asyncScraping: z
      .boolean()
      .default(false)
      .describe("Answer before the pages of results are read, with scrapeIds to read each at GET /v2/scrape/{id}"),
    enterprise: z
      .union([enterpriseMode, z.array(enterpriseMode).max(64)])
      .optional()
      .describe("zdr or anon: store nothing about this search, like scrapeOptions.zeroDataRetention"),
    trace: z.boolean().default(false).describe("Include the steps that were taken"),
    extras: z
      .boolean()
      .default(false)
      .describe("Include fields that official clients do not know: engines, and date of web results"),
    threatProtection: threatProtection.optional().describe("URL policy for this request"),
    auditMetadata: auditMetadata.optional().describe("Tags for audit logs, accepted without effect"),
    ...ignoredScrapeKeys,
    ...senderKeys,
  })
  .superRefine((body, context) => {
    const problem = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (body.includeDomains.length > 0 && body.excludeDomains.length > 0) {
      problem("excludeDomains", "Cannot be combined with includeDomains");
    }
    if (keepsNothing(body.enterprise) && !body.scrapeOptions.zeroDataRetention) {
      checkZeroDataRetention(body.scrapeOptions, (path, message) =>
        context.addIssue({ code: "custom", path: ["scrapeOptions", ...path], message }),
      );
    }
    if (body.asyncScraping && (keepsNothing(body.enterprise) || body.scrapeOptions.zeroDataRetention)) {
      problem("asyncScraping", "Cannot be combined with zeroDataRetention: nothing is kept that could be read later");
    }
    for (const alone of aloneCategories) {
      const others = body.categories.filter((one) => one !== alone);
      if (others.length > 0 && others.length < body.categories.length) {
        problem("categories", `${alone} cannot be combined with other categories`);
        break;
      }
    }
  })
  .transform(({ domainTools, toolDetail, safeMode, useMock, agent, enterprise, maxTokens, ...body }) => ({
    ...body,
    categories: [...new Set(body.categories)],
    scrapeOptions: withHighlights(
      keepsNothing(enterprise) ? withoutRetention(body.scrapeOptions) : body.scrapeOptions,
      body.objective ?? body.query,
      maxTokens,
    ),
    // The hosted service's data catalogue is a source that official clients name by default.
    sources: body.sources.filter((one) => one.type !== "alexandria"),
    country: body.country ?? (body.location === undefined ? "US" : undefined),
  }));

const scraped = { ...contentFields, metadata: metadata.optional() };
const rank = {
  position: z.int().optional(),
  category: z.string().optional(),
  engines: z
    .array(z.string())
    .optional()
    .describe("With extras: open sources by name, index for the local index, or the search service"),
};
const date = z.string().optional().describe("When it was published, where that is known; for web results with extras");

export const webResult = z.object({
  ...scraped,
  url: z.string(),
  title: z.string(),
  description: z.string(),
  date,
  ...rank,
});
const newsResult = z.object({
  ...scraped,
  title: z.string(),
  url: z.string(),
  snippet: z.string().optional(),
  date,
  imageUrl: z.string().optional(),
  ...rank,
});
const imageResult = z.object({
  title: z.string().optional(),
  imageUrl: z.string().optional(),
  imageWidth: z.int().optional(),
  imageHeight: z.int().optional(),
  url: z.string(),
  position: rank.position,
  engines: rank.engines,
});

const laterIds = z.array(z.string().nullable()).optional();

export const searchResponse = z.object({
  success,
  data: z.object({
    web: z.array(webResult).optional(),
    news: z.array(newsResult).optional(),
    images: z.array(imageResult).optional(),
  }),
  warning: z.string().nullish().describe("What is missing or may be wrong"),
  id: z.string(),
  creditsUsed: z.number(),
  scrapeIds: z
    .object({ web: laterIds, news: laterIds, images: laterIds })
    .optional()
    .describe("With asyncScraping: ids of scrapes, in the order of the results; null where a result is not read"),
  trace: trace.optional(),
  agent_hints: agentHints,
});

const govFields = {
  query: queryField().max(500),
  k: z.int().min(1).max(100).default(10).describe("Maximum number of results"),
};
const govResponse = z.object({
  success,
  data: z.object({
    web: z.array(
      z.object({
        url: z.string(),
        title: z.string(),
        description: z.string(),
        position: z.int(),
        category: z.literal("gov"),
      }),
    ),
  }),
  warning: z.string().optional().describe("Sources that failed"),
});
const toGovSearch = ({ query, k }: { query: string; k: number }) =>
  searchBody.parse({ query, limit: k, categories: ["gov"] });

const endpoint = section({ tag: "Search", group: "search", rateGroup: "scrape" });
const govEndpoint = section({
  tag: "Search",
  group: "search",
  rateGroup: "scrape",
  activity: "search",
  badRequest: "Invalid query parameters",
  response: govResponse,
  toInput: toGovSearch,
});

export const searchEndpoints = [
  endpoint("POST /v2/search", "search", "Search the web", {
    body: searchBody,
    badRequest: invalidSearch,
    response: searchResponse,
    activity: "search",
    hasAgentHints: true,
  }),
  govEndpoint("POST /v2/search/gov", "searchGov", "Search the pages of governments", {
    body: z.strictObject({ ...govFields, ...senderKeys }),
  }),
  govEndpoint("GET /v2/search/gov", "searchGov", "Search the pages of governments", {
    query: z.strictObject({
      ...govFields,
      k: queryInteger(z.int().min(1).max(100)).prefault(10).describe("Maximum number of results"),
      origin: z.string().optional().describe("Who sends the request; accepted without effect"),
      integration: z.string().optional().describe("Who sends the request; accepted without effect"),
    }),
  }),
  endpoint("GET /v2/search/{id}", "readSearch", "Get the results of a search again", {
    params: idParams,
    response: searchResponse,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
];
