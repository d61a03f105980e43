// Small fields that many requests share. Request objects are strict everywhere: an unknown key becomes an
// `unrecognized_keys` issue with its path, which read-request.ts removes and reports.
// Every list has a `max`: zod checks it before the entries, so a list of millions costs one issue and no time.

import * as z from "zod";
import { isRegularExpression, isUuid, readIpRange, readUrl } from "../../base/index.ts";
import { deepFrozen } from "./deep-frozen.ts";

/** The longest delay that a timer supports; a longer one would fire at once. */
const maxTimerMs = 2_147_483_647;

/** Sent by official clients with every body. */
export const senderKeys = {
  origin: z.string().default("api").describe("Name of the calling program, for logs only"),
  integration: z.string().nullish().describe("Name of the calling integration, for logs only"),
};

/**
 * A field's default, as a caller would write it. Parsed once and not with every request, as `prefault` does:
 * parsing the defaults took a third of the time of reading a scrape request.
 */
export function absentMeans<Schema extends z.ZodType>(schema: Schema, written: z.input<Schema>) {
  const meant = deepFrozen(schema.parse(written)) as z.core.util.NoUndefined<z.output<Schema>>;
  return schema.default(meant).meta({ absentMeans: written });
}

export const agentHints = z
  .array(z.string())
  .optional()
  .describe("What to do next, with the header X-Firecrawl-Agent-Hints: true, or mcp for names of tools");

const ignored = () => z.unknown().optional().describe("Accepted and ignored");

/** Keys of the hosted service that have no meaning here: accepted without a warning. */
export const ignoredScrapeKeys = {
  domainTools: ignored(),
  toolDetail: ignored(),
  safeMode: ignored(),
  useMock: ignored(),
  agent: ignored(),
};

/** Body of a POST that takes no input. */
export const emptyBody = z.strictObject(senderKeys).transform(() => ({}));

/** A URL as callers write it; comes out normalized. */
export function urlField(description: string) {
  return z
    .string()
    .transform((text, context) => {
      const reading = readUrl(text);
      if ("url" in reading) return reading.url;
      context.issues.push({ code: "custom", input: text, message: reading.problem });
      return z.NEVER;
    })
    .describe(description);
}

/** Adds an issue for every invalid URL of a list, where invalid URLs fail the request. */
export function checkUrlList(urls: readonly string[], path: string, context: z.RefinementCtx): void {
  for (const [index, text] of urls.entries()) {
    const reading = readUrl(text);
    if ("problem" in reading) {
      context.addIssue({ code: "custom", path: [path, index], message: reading.problem, input: text });
    }
  }
}

/** One plain address: no name, no list, nothing that could end its header line. */
export const emailAddress = z
  .string()
  .max(320)
  .regex(/^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/, "Must be an email address");

export function timeZoneField() {
  return z.string().refine(isTimeZone, "Must be an IANA time zone name").default("UTC").describe("IANA time zone");
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The id of a job in a path: a UUID of any version; anything else is INVALID_ID. */
export const uuid = z.string().superRefine((text, context) => {
  if (isUuid(text)) return;
  context.addIssue({
    code: "custom",
    message: "Invalid job ID format. Job ID must be a valid UUID.",
    params: { code: "INVALID_ID" },
  });
});

export const idParams = z.strictObject({ id: uuid.describe("Id of the job") });

/** An id in a body; a malformed one is an ordinary field error. */
export function uuidField(description: string) {
  return z.string().refine(isUuid, "Must be a UUID").describe(description);
}

/** Ids of any shape: session ids, profile names, snapshot ids. An unknown one is a 404, not a 400. */
export function nameField(description: string) {
  return z.string().min(1).max(256).describe(description);
}

/** An integer in a query string. */
export function queryInteger(inner: z.ZodInt) {
  const isNumber = (value: unknown) => typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value);
  return z.preprocess((value) => (isNumber(value) ? Number(value) : value), inner);
}

/** A boolean in a query string. */
export function queryBoolean() {
  return z.preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean());
}

/** A list in a query string: one value, or the same name several times; with a separator also several in one value. */
export function queryList<List extends z.ZodType<unknown, string[]>>(list: List, separator?: string) {
  const valuesOf = (text: string) =>
    separator === undefined ? [text] : text.split(separator).map((each) => each.trim());
  return z
    .union([z.string(), z.array(z.string()).max(1000)])
    .transform((value) => [value].flat().flatMap(valuesOf))
    .pipe(list);
}

/** Which part of a job's documents to return: used by crawls and batches. */
export const pageQuery = z.strictObject({
  skip: queryInteger(z.int().min(0)).prefault(0).describe("Number of documents to skip"),
  limit: queryInteger(z.int().min(1).max(1000)).optional().describe("Maximum number of documents in one response"),
});

export function timeoutField() {
  return z.int().min(1).max(maxTimerMs);
}

/** A caller's JSON Schema; its content is checked where it is used. */
export function jsonSchemaField() {
  return z.record(z.string(), z.unknown()).describe("JSON Schema of the data to return");
}

export function promptField(description: string) {
  return z.string().min(1).max(10_000).describe(description);
}

/** Programs with a form send an empty prompt where none was written. */
export function optionalPromptField(description: string) {
  return z
    .string()
    .max(10_000)
    .transform((text) => (text === "" ? undefined : text))
    .optional()
    .describe(description);
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const unsafeHeaderValue = /[^\t\x20-\x7e\x80-\xff]/;

/** HTTP headers to send: anything that could break out of its header line is refused. */
export function headersField(description: string) {
  return z
    .record(z.string(), z.string())
    .superRefine((headers, context) => {
      for (const [name, value] of Object.entries(headers)) {
        if (!headerName.test(name)) {
          context.addIssue({ code: "custom", path: [name], message: "Invalid header name" });
        } else if (unsafeHeaderValue.test(value)) {
          context.addIssue({
            code: "custom",
            path: [name],
            message: "Header values must be Latin-1 text without control characters",
          });
        }
      }
    })
    .describe(description);
}

/** Callers' path patterns. Only the syntax is checked here; they never run in V8's backtracking engine. */
export function patternsField(description: string) {
  return z
    .array(z.string().max(1024).refine(isRegularExpression, "Must be a valid JavaScript regular expression"))
    .max(1000)
    .default([])
    .describe(description);
}

const hostname =
  /^(?:\*\.)?(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)*[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.?$/u;

export function hostnamesField(description: string) {
  return z
    .array(z.string().max(253).regex(hostname, "Must be a hostname such as example.com, without scheme or path"))
    .max(1000)
    .describe(description);
}

const defaultCountry = "US";

export const location = z
  .strictObject({
    country: z
      .string()
      .regex(/^[a-z]{2}$/i, "Must be a two-letter country code (ISO 3166-1 alpha-2)")
      .transform((code) => code.toUpperCase())
      .optional()
      .describe("Two-letter country code")
      .meta({ absentMeans: defaultCountry }),
    languages: z.array(z.string().max(64)).max(64).default([]).describe("Preferred languages, most preferred first"),
  })
  // Only a country that is named needs a proxy in it.
  .transform(({ country, languages }) => ({
    country: country ?? defaultCountry,
    languages,
    ...(country === undefined ? {} : { isNamed: true }),
  }))
  .meta({ id: "Location", description: "Location to emulate: language and country of the visitor" });

export const profile = z
  .strictObject({
    name: z.string().min(1).max(128).describe("Name of the profile"),
    saveChanges: z.boolean().default(true).describe("Save cookies and storage back to the profile"),
  })
  .meta({ id: "Profile", description: "Cookies and browser storage that persist between requests" });

const hostList = () => z.array(z.string()).max(1000);

/** URL policy of the hosted service: accepted, without effect. */
export const threatProtection = z
  .strictObject({
    mode: z.enum(["off", "manual-only", "normal", "zscaler"]).optional().describe("How URLs are checked"),
    riskScoreThreshold: z.number().min(0).max(100).optional().describe("Block URLs above this risk score"),
    blacklist: hostList().optional().describe("Hosts to always block"),
    whitelist: hostList().optional().describe("Hosts to always allow"),
    blockedTlds: hostList().optional().describe("Top-level domains to always block"),
    failurePolicy: z
      .enum(["open", "closed"])
      .optional()
      .describe("Whether to allow or block a URL that cannot be checked"),
  })
  .meta({ id: "ThreatProtection", description: "URL policy for this request" });

export const auditMetadata = z
  .strictObject({ username: z.string().max(1024).optional().describe("Name of the user") })
  .meta({ id: "AuditMetadata", description: "Tags for audit logs, accepted without effect" });

export const success = z.boolean().describe("Whether the request succeeded");
export const time = z.string().describe("ISO 8601 time in UTC");
export const warning = z.string().optional().describe("What is missing or may be wrong");

/** An IP address or a range of them. */
export const ipRange = z
  .string()
  .max(64)
  .refine((text) => readIpRange(text) !== null, "Must be an IP address or a range such as 10.0.0.0/8");

/** Comes out as milliseconds since 1970. */
export const isoInstant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "Must be an ISO 8601 time")
  .transform((text) => Date.parse(text));

export const futureTime = isoInstant.refine((at) => at > Date.now(), "Must be in the future");

/** The body of every error response. */
export const errorBody = z
  .object({
    success: z.literal(false),
    error: z.string().describe("What went wrong, for humans"),
    code: z.string().optional().describe("What went wrong, for programs"),
    details: z.unknown().optional().describe("Field errors, or hints for a retry"),
    title: z.string().optional(),
    detail: z.string().optional(),
  })
  .meta({ id: "Failure", description: "The body of every error response" });

/** What people call something of theirs. */
export const shortLabel = (description: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(64)
    .regex(/^[^\p{C}]*$/u, "Must not contain control characters")
    .describe(description);
