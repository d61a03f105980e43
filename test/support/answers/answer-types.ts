// What the newest official clients take each answer for, and what ours have besides. A field that is not here is a fault of the
// product; a test holds that every endpoint has its row.

export interface AnswerType {
  /** The SDK's name of the type. */
  type: string;
  /** Each entry of a list has it. */
  isList?: true;
  /** The field that holds it, where it is not the whole answer. */
  at?: string;
  /** Fields that the SDK adds itself. */
  added?: readonly string[];
  /** The tool of firecrawl-mcp that returns it, too: the same part of the answer, or all of it. */
  tool?: string;
  toolTakesAll?: true;
  /** An answer with this field has another form: it was asked for with an option that no client has. */
  unlessIt?: { has: string };
}

const document: AnswerType = { type: "Document", at: "data", tool: "firecrawl_scrape" };
const parsed: AnswerType = { type: "Document", at: "data", tool: "firecrawl_parse", toolTakesAll: true };
const found: AnswerType = { type: "SearchData", at: "data", tool: "firecrawl_search", toolTakesAll: true };
const errors: AnswerType = { type: "CrawlErrorsResponse$1" };
const program: AnswerType = { type: "BrowserExecuteResponse" };
const session: AnswerType = { type: "BrowserCreateResponse" };
const sessions: AnswerType = { type: "BrowserListResponse" };
const ended: AnswerType = { type: "BrowserDeleteResponse", tool: "firecrawl_interact_stop" };
const active: AnswerType = { type: "ActiveCrawlsResponse" };
const developer: AnswerType = { type: "DeveloperSearchResponse", tool: "firecrawl_developer_search" };
const feedback: AnswerType = { type: "FeedbackResponse", tool: "firecrawl_feedback" };
const monitor = (tool: string, more: Partial<AnswerType> = {}): AnswerType => ({
  type: "Monitor",
  at: "data",
  tool: `firecrawl_monitor_${tool}`,
  toolTakesAll: true,
  ...more,
});
const oldDocument = "FirecrawlDocument<any>";
const oldErrors: AnswerType = { type: "CrawlErrorsResponse" };

const crawlErrors = "/v2/crawl/{id}/errors";
const batchErrors = "/v2/batch/scrape/{id}/errors";

/** By method and path of the endpoint table. */
export const answerTypes: Readonly<Record<string, AnswerType>> = {
  "POST /v2/scrape": document,
  "GET /v2/scrape/{id}": { ...document, unlessIt: { has: "status" } },
  "POST /v2/scrape/{id}/interact": { ...program, tool: "firecrawl_interact" },
  "DELETE /v2/scrape/{id}/interact": ended,
  "POST /v2/parse": parsed,
  "POST /v2/batch/scrape": { type: "BatchScrapeResponse$1" },
  "GET /v2/batch/scrape/{id}": { type: "BatchScrapeJob", added: ["id"] },
  [`GET ${batchErrors}`]: errors,
  "POST /v2/crawl": { type: "CrawlResponse$1", tool: "firecrawl_crawl", unlessIt: { has: "estimate" } },
  "GET /v2/crawl/active": active,
  "GET /v2/crawl/ongoing": active,
  "GET /v2/crawl/{id}": { type: "CrawlJob", added: ["id"], tool: "firecrawl_check_crawl_status" },
  [`GET ${crawlErrors}`]: errors,
  "POST /v2/map": { type: "MapData", tool: "firecrawl_map" },
  "GET /v2/search/developer": developer,
  "POST /v2/search/developer": developer,
  "GET /v2/search/research/papers": { type: "SearchPapersResponse", tool: "firecrawl_research_search_papers" },
  "GET /v2/search/research/papers/{id}/similar": {
    type: "SimilarPapersResponse",
    tool: "firecrawl_research_related_papers",
  },
  "POST /v2/search": found,
  "POST /v2/search/gov": found,
  "GET /v2/search/gov": found,
  "GET /v2/search/{id}": found,
  "POST /v2/extract": { type: "ExtractResponse$1" },
  "GET /v2/extract/{id}": { type: "ExtractResponse$1" },
  "POST /v2/agent": { type: "AgentResponse", tool: "firecrawl_agent" },
  "GET /v2/agent": { type: "AgentListResponse" },
  "GET /v2/agent/threads/{threadId}": { type: "AgentThreadResponse" },
  "GET /v2/agent/{id}": { type: "AgentStatusResponse", tool: "firecrawl_agent_status" },
  "GET /v2/agent/{id}/trace": { type: "AgentTraceResponse" },
  "GET /v2/agent/{id}/snapshots/{snapshotId}": { type: "AgentSnapshotResponse" },
  "POST /v2/browser": session,
  "GET /v2/browser": sessions,
  "DELETE /v2/browser": ended,
  "DELETE /v2/browser/{sessionId}": ended,
  "POST /v2/browser/{sessionId}/execute": program,
  "POST /v2/interact": session,
  "GET /v2/interact": sessions,
  "DELETE /v2/interact": ended,
  "DELETE /v2/interact/{sessionId}": ended,
  "POST /v2/interact/{sessionId}/execute": program,
  "GET /v2/team/credit-usage": { type: "CreditUsage", at: "data", tool: "firecrawl_credit_usage" },
  "GET /v2/team/credit-usage/historical": { type: "CreditUsageHistoricalResponse", tool: "firecrawl_credit_usage" },
  "GET /v2/team/token-usage": { type: "TokenUsage", at: "data" },
  "GET /v2/team/token-usage/historical": { type: "TokenUsageHistoricalResponse" },
  "GET /v2/team/queue-status": { type: "QueueStatusResponse$1" },
  "GET /v2/concurrency-check": { type: "ConcurrencyCheck" },
  "POST /v2/monitor": monitor("create", { unlessIt: { has: "estimate" } }),
  "GET /v2/monitor": monitor("list", { isList: true }),
  "GET /v2/monitor/{id}": monitor("get"),
  "PATCH /v2/monitor/{id}": monitor("update"),
  "POST /v2/monitor/{id}/run": monitor("run", { type: "MonitorCheck" }),
  "GET /v2/monitor/{id}/checks": monitor("checks", { type: "MonitorCheck", isList: true }),
  "GET /v2/monitor/{id}/checks/{checkId}": monitor("check", { type: "MonitorCheckDetail" }),
  "POST /v2/feedback": feedback,
  "POST /v2/search/{id}/feedback": { ...feedback, tool: "firecrawl_search_feedback" },
  "POST /v1/scrape": { type: oldDocument, at: "data" },
  "GET /v1/scrape/{id}": { type: oldDocument, at: "data", unlessIt: { has: "status" } },
  "POST /v1/batch/scrape": { type: "BatchScrapeResponse" },
  "GET /v1/batch/scrape/{id}": { type: "BatchScrapeStatusResponse" },
  "GET /v1/batch/scrape/{id}/errors": oldErrors,
  "DELETE /v1/batch/scrape/{id}/errors": oldErrors,
  "POST /v1/crawl": { type: "CrawlResponse" },
  "GET /v1/crawl/active": active,
  "GET /v1/crawl/{id}": { type: "CrawlStatusResponse" },
  "GET /v1/crawl/{id}/errors": oldErrors,
  "DELETE /v1/crawl/{id}/errors": oldErrors,
  "POST /v1/map": { type: "MapResponse" },
  "POST /v1/search": { type: "SearchResponse" },
  // Their types of v1 depend on the schema of the caller, and are those of v2 but for `sources`.
  "POST /v1/extract": { type: "ExtractResponse$1" },
  "GET /v1/extract/{id}": { type: "ExtractResponse$1" },
  "GET /v1/team/credit-usage": { type: "CreditUsageResponseV1" },
  "GET /v1/team/credit-usage/historical": { type: "CreditUsageHistoricalResponseV1" },
  "GET /v1/team/token-usage": { type: "TokenUsageResponseV1" },
  "GET /v1/team/token-usage/historical": { type: "TokenUsageHistoricalResponseV1" },
  "GET /v1/team/queue-status": { type: "QueueStatusResponse" },
  "GET /v1/concurrency-check": { type: "ConcurrencyCheck" },
  "POST /v1/deep-research": { type: "DeepResearchResponse" },
  "GET /v1/deep-research/{id}": { type: "DeepResearchStatusResponse" },
  "POST /v1/llmstxt": { type: "GenerateLLMsTextResponse" },
  "GET /v1/llmstxt/{id}": { type: "GenerateLLMsTextStatusResponse" },
};

/** Answers for which the official clients have no type, by reason. */
export const untypedAnswers: Readonly<Record<string, readonly string[]>> = {
  "it is no JSON": [
    "GET /r/{url+}",
    "GET /v2/batch/scrape/{id}/export",
    "GET /v2/crawl/{id}/export",
    "GET /v2/monitor/{id}/feed/{token}",
  ],
  "clients look at `success` or `status` only": [
    "DELETE /v2/batch/scrape/{id}",
    "DELETE /v2/crawl/{id}",
    "DELETE /v2/agent/{id}",
    "DELETE /v2/monitor/{id}",
    "DELETE /v1/batch/scrape/{id}",
    "DELETE /v1/crawl/{id}",
  ],
  "clients take any object": ["POST /v2/crawl/params-preview"],
  "newer than the types of the clients": [
    "GET /v2/parse/formats",
    "GET /v2/batch/scrape",
    "POST /v2/monitor/email/confirm",
    "POST /v2/monitor/email/unsubscribe",
  ],
  "the hosted service's clients alone ask for it": [
    "POST /v2/parse/upload-url",
    "PUT /v2/parse/upload/{uploadId}",
    "POST /v2/support/ask",
    "POST /v2/support/docs-search",
    "GET /exchange/{path+}",
    "POST /exchange/{path+}",
    "GET /v2/search/research/github",
    "GET /v2/team/threat-protection",
    "PUT /v2/team/threat-protection",
  ],
  "one path has two types, by its query": ["GET /v2/search/research/papers/{id}"],
  "ours, or written down without a client that asks for it": [
    "POST /v2/apirequest",
    "POST /v2/batch/scrape/{id}/pause",
    "POST /v2/batch/scrape/{id}/resume",
    "GET /v2/crawl",
    "POST /v2/crawl/{id}/pause",
    "POST /v2/crawl/{id}/resume",
    "GET /v2/search/sources",
    "POST /v2/search/index",
    "POST /v2/search/data/sites",
    "POST /v2/search/data/pages",
    "POST /v2/search/data/documents",
    "GET /v2/search/data",
    "GET /v2/search/data/{id}",
    "PATCH /v2/search/data/{id}",
    "DELETE /v2/search/data/{id}",
    "POST /v2/search/data/{id}/refresh",
    "GET /v2/archive",
    "GET /v2/archive/{id}",
    "GET /v2/archive/{id}/pages",
    "GET /v2/archive/{id}/export",
    "DELETE /v2/archive/{id}",
    "POST /v2/feed",
    "GET /v2/feed",
    "GET /v2/feed/{id}",
    "DELETE /v2/feed/{id}",
    "DELETE /v2/browser/profiles/{name}",
    "GET /v2/browser/{sessionId}",
    "GET /v2/browser/{sessionId}/replay",
    "GET /v2/browser/{sessionId}/replay/{pageId}",
    "DELETE /v2/browser/{sessionId}/replay",
    "GET /v2/interact/{sessionId}/replay",
    "GET /v2/interact/{sessionId}/replay/{pageId}",
    "DELETE /v2/interact/{sessionId}/replay",
    "DELETE /v2/interact/profiles/{name}",
    "GET /v2/interact/{sessionId}",
    "GET /v2/browser/{sessionId}/har",
    "GET /v2/interact/{sessionId}/har",
    "POST /v2/flow",
    "GET /v2/flow",
    "GET /v2/flow/{id}",
    "PATCH /v2/flow/{id}",
    "DELETE /v2/flow/{id}",
    "GET /v2/flow/{id}/versions",
    "POST /v2/flow/{id}/versions/{version}/restore",
    "POST /v2/flow/{id}/run",
    "GET /v2/flow/{id}/runs",
    "GET /v2/flow/{id}/export",
    "GET /v2/team/ip-allowlist",
    "PUT /v2/team/ip-allowlist",
    "GET /v2/team/audit",
    "GET /v2/team/audit/export",
    "GET /v2/team/activity",
    "GET /v2/team/hosts",
    "GET /v2/team/extractors",
    "DELETE /v2/team/extractors/{extractorId}",
    "POST /v2/team/secrets",
    "GET /v2/team/secrets",
    "DELETE /v2/team/secrets/{name}",
    "GET /v2/team/notify",
    "PUT /v2/team/notify",
    "POST /v2/team/notify/{notifyId}/test",
    "GET /v2/team/webhooks",
    "POST /v2/team/webhooks/{deliveryId}/redeliver",
    "DELETE /v2/monitor/{id}/checks/{checkId}",
    "GET /v2/jobs/{id}/trace",
  ],
};

const documents = ["Document", oldDocument];
const jobs = ["CrawlJob", "BatchScrapeJob", "CrawlStatusResponse", "BatchScrapeStatusResponse"];
const started = ["CrawlResponse$1", "BatchScrapeResponse$1", "CrawlResponse", "BatchScrapeResponse"];
const endpointsWith = (at: string) => Object.keys(answerTypes).filter((endpoint) => answerTypes[endpoint]?.at === at);

/**
 * What answers have beside the SDK's types, or otherwise: of a type, of what a field of it holds (`Type.field`), or beside the part
 * of the answer that has one.
 */
export const besideTypes: readonly { of: readonly string[]; fields: readonly string[]; reason: string }[] = [
  {
    of: [
      ...endpointsWith("data"),
      ...documents,
      ...jobs,
      ...started,
      "MapData",
      "MapResponse",
      "CrawlErrorsResponse$1",
      "CrawlErrorsResponse",
      "SearchPapersResponse",
      "SimilarPapersResponse",
      "DeveloperSearchResponse",
    ],
    fields: ["warning"],
    reason: "What was ignored, left out or may be wrong stands in `warning`, wherever it is",
  },
  {
    of: [...endpointsWith("data"), "MapData"],
    fields: ["agent_hints", "scrape_id", "trace"],
    reason: "Beside a document: hints and the id are read by firecrawl-mcp, and the trace was asked for with `trace`",
  },
  {
    of: ["POST /v2/search", "GET /v2/search/{id}", "SearchResponse"],
    fields: ["id", "creditsUsed", "warning", "trace", "scrapeIds"],
    reason: "Feedback names the search by its id; in v1 the warning is null where there is none, as specified",
  },
  {
    of: jobs,
    fields: ["createdAt", "completedAt", "duration", "error"],
    reason: "The written API has them; the SDK leaves them unread",
  },
  {
    of: jobs,
    fields: ["stopReason", "paused", "removed"],
    reason: "Ours: what ended a job early by its own limits, paused jobs, and pages that are gone",
  },
  {
    of: ["CrawlResponse$1", "CrawlResponse"],
    fields: ["promptGeneratedOptions", "finalCrawlerOptions"],
    reason: "The written API has them for a crawl with a prompt",
  },
  {
    of: documents,
    fields: ["rawBase64", "attributes", "summary", "images", "warning", "branding"],
    reason: "Formats that were asked for by a name that these types do not have",
  },
  {
    of: documents,
    fields: ["tables", "chunks", "videos", "audios", "passages", "evidence", "trace", "network"],
    reason: "Ours: formats and options of our own that were asked for",
  },
  {
    of: ["SearchResultWeb", "SearchResultNews", "SearchResultImages"],
    fields: ["engines", "date"],
    reason: "Ours: with `extras`",
  },
  {
    of: ["ExtractResponse$1"],
    fields: ["invalidURLs", "urlTrace", "tokensUsed"],
    reason: "The written API has them; the SDK passes them on",
  },
  { of: ["ExtractResponse$1"], fields: ["evidence", "trace"], reason: "Ours: with `evidence`, with `trace`" },
  {
    of: ["DeepResearchStatusResponse", "DeepResearchStatusResponse.data"],
    fields: ["totalUrls", "json"],
    reason: "The written API has them: how many pages were read, and data that were asked for",
  },
  {
    of: ["AgentStatusResponse", "AgentTraceResponse", "AgentThreadRun"],
    fields: ["tokensUsed", "stopReason", "partial", "partialSchemaValid"],
    reason: "The written API has them; newer SDKs do, too",
  },
  {
    of: ["AgentStatusResponse", "AgentListItem"],
    fields: ["status"],
    reason: "An agent that was cancelled says so, as the written API has it",
  },
  {
    of: [
      "CreditUsageHistoricalPeriod",
      "TokenUsageHistoricalPeriod",
      "CreditUsageHistoricalResponseV1.periods",
      "TokenUsageHistoricalResponseV1.periods",
    ],
    fields: ["totalCredits", "totalTokens"],
    reason: "The specification's names for the same figures",
  },
  {
    of: ["BrowserListResponse.sessions", "BrowserSession"],
    fields: ["replayUrl"],
    reason: "Ours: where the recording of a session is played",
  },
  {
    of: ["BrowserExecuteResponse"],
    fields: ["sessionId"],
    reason: "The written API has it: the session that the code ran in",
  },
  { of: ["ActiveCrawl"], fields: ["created_at"], reason: "The specification has it" },
  {
    of: ["Monitor"],
    fields: ["feedUrl", "rules", "notify"],
    reason: "Ours: the Atom feed, rules for what counts as a change, and channels that are told",
  },
  { of: ["POST /v2/monitor/{id}/run"], fields: ["id"], reason: "The command line reads the id of the check there" },
  { of: ["GET /v2/monitor/{id}/checks/{checkId}"], fields: ["next"], reason: "The SDK pages by it" },
  {
    of: ["MonitorScrapeTargetResult", "MonitorCrawlTargetResult", "MonitorSearchTargetResult"],
    fields: ["jobId", "status", "error"],
    reason: "Ours: how far the target of a check is",
  },
  {
    of: ["ChangeTrackingFormat"],
    fields: ["tag"],
    reason: "Null was asked for, as the written API allows, and is shown again",
  },
  {
    of: ["ScrapeOptions", 'Omit<ScrapeOptions,"toolDetail">'],
    fields: ["checkPromptInjection", "trace", "evidence"],
    reason: "Options that were asked for and are shown again",
  },
];

/** Faults that are known and not mended yet. */
export const notMended: readonly { fault: RegExp; reason: string }[] = [];
