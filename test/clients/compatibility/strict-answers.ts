// Judges what the SDK is answered by schemas that are made from its own types, strict: a field too many or too few is a fault.
// What the wire has beside those types is listed with its reason; the envelope is not part of them.
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { fileOf } from "./rows.ts";

interface Judged {
  /** The SDK's name of the type. */
  type: string;
  /** The field that holds it, where it is not the whole answer; the envelope around it is listed. */
  at?: string;
  /** Fields that the SDK adds itself. */
  added?: readonly string[];
  /** Fields of the wire beside the type. */
  beside?: readonly string[];
}

/** Whether it succeeded is in every answer. */
const envelope = ["success"];
const ofJobs = ["createdAt", "completedAt", "duration", "warning"];

/** The first that fits, by method and path. */
const judged: readonly (readonly [RegExp, Judged])[] = [
  [/^POST \/v2\/(?:scrape|parse)$/, { type: "Document", at: "data", beside: ["warning", "scrape_id"] }],
  [/^POST \/v2\/search$/, { type: "SearchData", at: "data", beside: ["warning", "id", "creditsUsed"] }],
  [/^POST \/v2\/map$/, { type: "MapData", beside: ["warning"] }],
  [/^POST \/v2\/(?:crawl|batch\/scrape)$/, { type: "BatchScrapeResponse$1", beside: ["warning"] }],
  [/^GET \/v2\/crawl\/active$/, { type: "ActiveCrawlsResponse" }],
  [/^GET \/v2\/(?:crawl|batch\/scrape)\/[\w-]+\/errors$/, { type: "CrawlErrorsResponse$1" }],
  [/^GET \/v2\/(?:crawl|batch\/scrape)\/[\w-]{36}(?:\?.*)?$/, { type: "CrawlJob", added: ["id"], beside: ofJobs }],
  [
    /^POST \/v2\/monitor$|^(?:GET|PATCH) \/v2\/monitor\/[\w-]{36}$/,
    { type: "Monitor", at: "data", beside: ["warning"] },
  ],
  [/^POST \/v2\/monitor\/[\w-]{36}\/run$/, { type: "MonitorCheck", at: "data", beside: ["id"] }],
  [
    /^GET \/v2\/monitor\/[\w-]{36}\/checks\/[\w-]{36}(?:\?.*)?$/,
    { type: "MonitorCheckDetail", at: "data", beside: ["next"] },
  ],
  [/^POST \/v2\/extract$/, { type: "ExtractResponse$1", beside: ["invalidURLs", "urlTrace"] }],
  [/^GET \/v2\/extract\/[\w-]{36}$/, { type: "ExtractResponse$1", beside: ["tokensUsed"] }],
  [/^POST \/v2\/agent$/, { type: "AgentResponse" }],
  [/^GET \/v2\/agent(?:\?.*)?$/, { type: "AgentListResponse" }],
  [/^GET \/v2\/agent\/[\w-]{36}\/trace/, { type: "AgentTraceResponse", beside: ["tokensUsed"] }],
  [/^GET \/v2\/agent\/threads\//, { type: "AgentThreadResponse" }],
  [/^GET \/v2\/agent\/[\w-]{36}\/snapshots\//, { type: "AgentSnapshotResponse" }],
  [
    /^GET \/v2\/agent\/[\w-]{36}$/,
    { type: "AgentStatusResponse", beside: ["tokensUsed", "partial", "partialSchemaValid", "stopReason"] },
  ],
  [/^POST \/v2\/browser$/, { type: "BrowserCreateResponse", beside: ["warning"] }],
  [/^GET \/v2\/browser(?:\?.*)?$/, { type: "BrowserListResponse" }],
  [
    /^POST \/v2\/(?:browser\/[\w-]+\/execute|scrape\/[\w-]+\/interact)$/,
    { type: "BrowserExecuteResponse", beside: ["sessionId"] },
  ],
  [/^DELETE \/v2\/(?:browser\/[\w-]+|scrape\/[\w-]+\/interact)$/, { type: "BrowserDeleteResponse" }],
  [/^POST \/v2\/(?:feedback|search\/[\w-]+\/feedback)$/, { type: "FeedbackResponse" }],
  [/^GET \/v2\/team\/credit-usage$/, { type: "CreditUsage", at: "data" }],
  [/^GET \/v2\/team\/token-usage$/, { type: "TokenUsage", at: "data" }],
  [/^GET \/v2\/team\/credit-usage\/historical/, { type: "CreditUsageHistoricalResponse" }],
  [/^GET \/v2\/team\/token-usage\/historical/, { type: "TokenUsageHistoricalResponse" }],
  [/^GET \/v2\/team\/queue-status$/, { type: "QueueStatusResponse$1" }],
  [/^GET \/v2\/search\/research\/papers\?/, { type: "SearchPapersResponse" }],
  [/^GET \/v2\/search\/research\/papers\/[^/?]+\/similar/, { type: "SimilarPapersResponse" }],
  [/^GET \/v2\/search\/research\/papers\/[^/?]+\?query/, { type: "ReadPaperResponse" }],
];

/** Fields inside of a type that the written contract has and the SDK's types lack: by the end of their path. */
const contracted: readonly (readonly [RegExp, string])[] = [
  [/^\/crawls\/\d+$/, "created_at"],
  [/^\/periods\/\d+$/, "totalCredits"],
  [/^\/periods\/\d+$/, "totalTokens"],
  // The loader of LangChain looks for it in the document.
  [/^$/, "success"],
  // The address of the monitor's Atom feed, which holds its key.
  [/^$/, "feedUrl"],
  // How far a target of a check is.
  [/^\/targetResults\/\d+$/, "jobId"],
  [/^\/targetResults\/\d+$/, "status"],
  [/^\/targetResults\/\d+$/, "error"],
];

/** A session that has ended has no addresses. */
const knownDeviations = [/^GET \/v2\/browser \/sessions\/\* must have/];

interface Definition {
  properties?: Record<string, unknown>;
  required?: string[];
}

export interface StrictJudge {
  judge(method: string, path: string, body: unknown): void;
  /** Each fault once: the endpoint, the place and what is wrong there. */
  faults(): string[];
  /** Types that were met. */
  met(): string[];
}

export async function createStrictJudge(): Promise<StrictJudge> {
  const { createGenerator } = await import(fileOf("ts-json-schema-generator", "dist/index.js"));
  const generator = createGenerator({
    path: fileOf("firecrawl", "dist/index.d.ts"),
    expose: "all",
    type: "*",
    skipTypeCheck: true,
    additionalProperties: false,
    functions: "hide",
    encodeRefs: false,
  });
  const ajv = new Ajv({ strict: false, allErrors: true, allowUnionTypes: true });
  const compiled = new Map<string, ValidateFunction>();
  const found = new Set<string>();
  const types = new Set<string>();

  function schemaOf({ type, at, added = [], beside = [] }: Judged): ValidateFunction {
    const key = JSON.stringify([type, at, added, beside]);
    const known = compiled.get(key);
    if (known) return known;
    // By its name alone, the generator would find the Document of browsers.
    const schema = structuredClone(generator.createSchema(type === "Document" ? "CrawlJob" : type));
    schema.$ref = `#/definitions/${type}`;
    const own: Definition = schema.definitions[type];
    const extra = at === undefined ? [...envelope, ...beside] : [];
    for (const name of extra) if (own.properties && !(name in own.properties)) own.properties[name] = {};
    own.required = (own.required ?? []).filter((name) => !added.includes(name));
    const validate = ajv.compile(schema);
    compiled.set(key, validate);
    return validate;
  }

  function note(where: string, errors: readonly ErrorObject[] | null | undefined): void {
    for (const { instancePath, keyword, params, message } of errors ?? []) {
      const name = String(params.additionalProperty ?? params.missingProperty ?? "");
      if (
        keyword === "additionalProperties" &&
        contracted.some(([path, field]) => field === name && path.test(instancePath))
      )
        continue;
      // What a union says of each of its members is said again by them.
      if (keyword === "anyOf" || keyword === "oneOf") continue;
      // Targets of a check are a union by their type: members of another type always complain.
      if (keyword === "const" && /^\/targetResults\/\d+\/type$/.test(instancePath)) continue;
      found.add(`${where} ${instancePath.replace(/\/\d+/g, "/*")} ${message}${name === "" ? "" : `: ${name}`}`);
    }
  }

  return {
    judge(method, path, body) {
      const row = judged.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
      if (!row || typeof body !== "object" || body === null || (body as { success?: boolean }).success === false)
        return;
      const { type, at, beside = [] } = row;
      types.add(type);
      const where = `${method} ${path.replace(/[0-9a-f-]{36}/g, "{id}").replace(/\?.*/, "")}`;
      const known = new Set([...envelope, ...beside, at]);
      if (at !== undefined)
        for (const name of Object.keys(body)) if (!known.has(name)) found.add(`${where} has ${name} beside ${at}`);
      const validate = schemaOf(row);
      if (!validate(at === undefined ? body : (body as Record<string, unknown>)[at])) note(where, validate.errors);
    },
    faults: () => [...found].filter((fault) => !knownDeviations.some((known) => known.test(fault))).sort(),
    met: () => [...types].sort(),
  };
}
