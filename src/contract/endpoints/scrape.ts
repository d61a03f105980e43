// Scrape one page, get its result again, and interact with it in a browser.

import * as z from "zod";
import { readUrl, remember } from "../../base/index.ts";
import { archiveKeys, archiveOf, checkArchive } from "../fields/archive-fields.ts";
import {
  agentHints,
  idParams,
  nameField,
  promptField,
  senderKeys,
  success,
  urlField,
  warning,
} from "../fields/common-fields.ts";
import { deepFrozen } from "../fields/deep-frozen.ts";
import { document, trace } from "../fields/document.ts";
import {
  checkScrapeOptions,
  proxyUrl,
  resolveScrapeOptions,
  scrapeFields,
  scrapeOptions,
} from "../fields/scrape-options.ts";
import { executionFields, executionResult, sessionEnd, sessionLife, sessionLinks } from "../fields/session.ts";
import { section } from "../table/endpoint.ts";

const scrapeBody = z
  .strictObject({
    url: urlField("URL of the page").optional(),
    alexandria: z
      .union([z.record(z.string(), z.unknown()), z.array(z.unknown()).max(1000)])
      .optional()
      .describe("Data catalog of the hosted service; not available"),
    ...scrapeFields,
    ...archiveKeys,
    proxyUrl,
    ...senderKeys,
  })
  .superRefine(checkScrapeOptions)
  .superRefine((fields, context) => checkArchive(fields, fields, context))
  .transform((fields, context) => {
    const { url, alexandria, origin, integration } = fields;
    if (alexandria !== undefined) {
      context.issues.push({
        code: "custom",
        input: alexandria,
        path: ["alexandria"],
        message: "Exchange is not enabled for this team.",
        params: { code: "EXCHANGE_NOT_ENABLED" },
      });
      return z.NEVER;
    }
    if (url === undefined) {
      context.issues.push({ code: "custom", input: url, path: ["url"], message: "Required: text" });
      return z.NEVER;
    }
    return { url, ...archiveOf(fields), scrapeOptions: resolveScrapeOptions(fields), origin, integration };
  })
  // Optional only for the parser, so that the other form gets its own answer.
  .meta({ required: ["url"] });

const usualBodies = 100;
const longestText = 100;
const mostEntries = 10;

/** What the schema makes of options: most requests have the same few, and reading them takes a tenth of a cached page. */
const readOptions = remember((options) => {
  const { success: isRead, data } = scrapeBody.safeParse({ url: "http://localhost", ...JSON.parse(options) });
  return isRead ? deepFrozen(data) : null;
}, usualBodies);

/** Of a few short texts, numbers and flags beside the URL: only that is parsed again. */
function readUsualBody(body: unknown): z.output<typeof scrapeBody> | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { url, ...options } = body as Record<string, unknown>;
  if (typeof url !== "string" || !isUsual(options)) return null;
  const reading = readUrl(url);
  const known = "url" in reading ? readOptions(JSON.stringify(options)) : null;
  return known && "url" in reading ? { ...known, url: reading.url } : null;
}

/** Nothing that may be secret is remembered: neither headers nor a proxy. */
function isUsual(options: Record<string, unknown>): boolean {
  if (options.proxyUrl !== undefined) return false;
  return Object.values(options).every((value) =>
    Array.isArray(value) ? value.length <= mostEntries && value.every(isShort) : isShort(value),
  );
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length <= longestText;
  return value == null || typeof value === "boolean" || Number.isFinite(value);
}

export const scrapeResponse = z.object({
  success,
  data: document,
  warning,
  scrape_id: z.string().optional().describe("Id of this scrape"),
  trace: trace.optional(),
  agent_hints: agentHints,
});

/** Of a page that a search had read later. */
export const readScrapeResponse = scrapeResponse.extend({
  data: document.optional(),
  status: z.literal("scraping").optional().describe("While the page is being read; then there is no data yet"),
});

type ScrapeResponse = z.output<typeof scrapeResponse>;

/** As a header can carry it; undefined when there is nothing to say. */
function asciiLine(sentences: readonly (string | undefined)[]): string | undefined {
  const text = sentences.filter((sentence) => sentence).join(" ");
  return text.replace(/[^\x20-\x7e]+/g, "?") || undefined;
}

const interactBody = z
  .strictObject({
    prompt: promptField("What to do on the page, in plain language").optional(),
    ...executionFields,
    code: executionFields.code.optional(),
    ...sessionLife,
    existingSessionId: nameField("Id of a browser session to use instead of a new one").optional(),
    ...senderKeys,
  })
  .refine((body) => body.prompt !== undefined || body.code !== undefined, {
    message: "Either prompt or code is required",
    path: ["prompt"],
  });

const interactResponse = executionResult.extend({
  sessionId: z.string().optional(),
  ...sessionLinks,
  output: z.string().optional().describe("What was done, when a prompt was given"),
  warning,
});

const endpoint = section({ tag: "Scrape", group: "scrape", rateGroup: "scrape" });

export const scrapeEndpoints = [
  endpoint("POST /v2/scrape", "scrape", "Scrape one page", {
    body: scrapeBody,
    readUsual: readUsualBody,
    response: scrapeResponse,
    activity: "scrape",
    hasAgentHints: true,
  }),
  endpoint("GET /v2/scrape/{id}", "readScrape", "Get the result of a scrape again", {
    params: idParams,
    response: readScrapeResponse,
    rateGroup: "status",
    notFound: "JOB_NOT_FOUND",
  }),
  endpoint("POST /v2/scrape/{id}/interact", "interact", "Interact with a scraped page in a browser", {
    group: "browser",
    params: idParams,
    body: interactBody,
    response: interactResponse,
    rateGroup: "execute",
    activity: "interact",
    notFound: "JOB_NOT_FOUND",
  }),
  endpoint("DELETE /v2/scrape/{id}/interact", "stopInteraction", "End the browser session of a scraped page", {
    group: "browser",
    params: idParams,
    response: sessionEnd,
    rateGroup: "status",
    notFound: "SESSION_NOT_FOUND",
  }),
  endpoint(
    "GET /r/{url+}",
    "scrape",
    "Scrape one page as markdown text; the API key may also be sent as the password of HTTP Basic",
    {
      params: z.strictObject({ url: urlField("URL of the page, with its query") }),
      response: z.string(),
      responseType: "text/markdown; charset=utf-8",
      responseHeaders: {
        "X-Target-Status": {
          description: "HTTP status of the page",
          read: ({ data }: ScrapeResponse) => data.metadata.statusCode?.toString(),
        },
        "X-Trawl-Warning": {
          description: "What is missing or may be wrong, such as an empty page or a 4xx or 5xx from the page's server",
          read: ({ data }: ScrapeResponse) => asciiLine([data.metadata.error, data.warning]),
        },
      },
      acceptsBasicAuth: true,
      toInput: ({ url }: { url: string }) => ({
        url,
        scrapeOptions: scrapeOptions.parse({}),
        origin: "api",
        integration: undefined,
      }),
      toResponse: (answer: ScrapeResponse) => answer.data.markdown ?? "",
      activity: "scrape",
    },
  ),
];
