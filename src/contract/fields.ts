// Small fields that many requests share. Request objects are strict everywhere: an unknown key becomes an
// `unrecognized_keys` issue with its path, which read-request.ts removes and names (API.md D1).
// Every list has a `max`: zod looks at it before the entries, so a list of millions costs one issue and no time.
import { z } from "zod";
import { isUuid, readUrl } from "../base/index.ts";

/** Longest delay a timer of the platform can hold; a larger one would fire at once. */
const maxTimerMs = 2_147_483_647;

/** Sent by official clients with every body; only logged. */
export const senderKeys = {
  origin: z.string().default("api").describe("Name of the calling program, only logged"),
  integration: z.string().nullish().describe("Name of the integration that calls, only logged"),
};

/**
 * What a field is when it is not sent, as a caller would write it. Read once and not with every request, as `prefault` does:
 * the defaults of a scrape took a third of the time of its reading.
 */
export function absentMeans<Schema extends z.ZodType>(schema: Schema, written: z.input<Schema>) {
  const meant = frozen(schema.parse(written)) as z.core.util.NoUndefined<z.output<Schema>>;
  return schema.default(meant).meta({ absentMeans: written });
}

/** With everything in it: all requests that leave the field out share it. */
function frozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

const ignored = () => z.unknown().optional().describe("Accepted and ignored");

/** Keys of the hosted service that mean nothing here (API.md 2.1): accepted without a warning. */
export const ignoredScrapeKeys = {
  domainTools: ignored(),
  toolDetail: ignored(),
  safeMode: ignored(),
  useMock: ignored(),
  agent: ignored(),
};

/** Body of a POST that needs nothing from its body. */
export const emptyBody = z.strictObject(senderKeys).transform(() => ({}));

/** An address as callers write it; comes out normalised. */
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

/** Adds an issue for every address of a list that cannot be read (used where bad addresses fail the request). */
export function checkUrlList(urls: readonly string[], path: string, context: z.RefinementCtx): void {
  for (const [index, text] of urls.entries()) {
    const reading = readUrl(text);
    if ("problem" in reading) {
      context.addIssue({ code: "custom", path: [path, index], message: reading.problem, input: text });
    }
  }
}

/** The id of a job in a path: any version of UUID; anything else is the INVALID_ID failure. */
export const uuid = z.string().superRefine((text, context) => {
  if (isUuid(text)) return;
  context.addIssue({
    code: "custom",
    message: "Invalid job ID format. Job ID must be a valid UUID.",
    params: { code: "INVALID_ID" },
  });
});

export const idParams = z.strictObject({ id: uuid.describe("Id of the job") });

/** An id that a job body names; a wrong one is an ordinary bad field. */
export function uuidField(description: string) {
  return z.string().refine(isUuid, "Must be a UUID").describe(description);
}

/** Ids that are not ours to shape: session ids, profile names, snapshot ids. An unknown one is a 404, not a 400. */
export function nameField(description: string) {
  return z.string().min(1).max(256).describe(description);
}

/** An integer that travels as text in a query string. */
export function queryInteger(inner: z.ZodInt) {
  const isNumber = (value: unknown) => typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value);
  return z.preprocess((value) => (isNumber(value) ? Number(value) : value), inner);
}

/** A boolean that travels as text in a query string. */
export function queryBoolean() {
  return z.preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean());
}

/** Part of a list: used by crawls and batches (API.md 4.4). */
export const pageQuery = z.strictObject({
  skip: queryInteger(z.int().min(0)).prefault(0).describe("How many finished documents to leave out"),
  limit: queryInteger(z.int().min(1).max(1000)).optional().describe("Most documents in one answer"),
});

export function timeoutField() {
  return z.int().min(1).max(maxTimerMs);
}

/** A users' JSON Schema; what is inside is checked where it is used. */
export function jsonSchemaField() {
  return z.record(z.string(), z.unknown()).describe("JSON Schema of the wanted data");
}

export function promptField(description: string) {
  return z.string().min(1).max(10_000).describe(description);
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const unsafeHeaderValue = /[^\t\x20-\x7e\x80-\xff]/;

/** HTTP headers that we are asked to send: what could break out of its header line is refused. */
export function headersField(description: string) {
  return z
    .record(z.string(), z.string())
    .superRefine((headers, context) => {
      for (const [name, value] of Object.entries(headers)) {
        if (!headerName.test(name)) {
          context.addIssue({ code: "custom", path: [name], message: "Not a valid header name" });
        } else if (unsafeHeaderValue.test(value)) {
          context.addIssue({
            code: "custom",
            path: [name],
            message: "A header value takes Latin-1 text without control characters",
          });
        }
      }
    })
    .describe(description);
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** Users' path patterns. Only the syntax is checked here; they are never run by this process's own engine (D13). */
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
    .array(z.string().max(253).regex(hostname, "Must be a host name such as example.com, without scheme or path"))
    .max(1000)
    .describe(description);
}

export const location = z
  .strictObject({
    country: z
      .string()
      .regex(/^[a-z]{2}$/i, "Must be a country code of two letters (ISO 3166-1 alpha-2)")
      .transform((code) => code.toUpperCase())
      .prefault("US")
      .describe("Country code of two letters"),
    languages: z.array(z.string().max(64)).max(64).default([]).describe("Preferred languages, best first"),
  })
  .meta({ id: "Location", description: "Where the request should seem to come from" });

export const profile = z
  .strictObject({
    name: z.string().min(1).max(128).describe("Name under which browser storage is kept"),
    saveChanges: z.boolean().default(true).describe("Keep what the pages store"),
  })
  .meta({ id: "Profile", description: "Browser storage that outlives one request" });

const hostList = () => z.array(z.string()).max(1000);

/** Per-request address policy of the hosted service: understood, not acted on (D19). */
export const threatProtection = z
  .strictObject({
    mode: z.enum(["off", "manual-only", "normal", "zscaler"]).optional().describe("Whether addresses are judged"),
    riskScoreThreshold: z.number().min(0).max(100).optional().describe("Addresses above this risk are refused"),
    blacklist: hostList().optional().describe("Hosts always refused"),
    whitelist: hostList().optional().describe("Hosts never refused"),
    blockedTlds: hostList().optional().describe("Top-level domains always refused"),
    failurePolicy: z.enum(["open", "closed"]).optional().describe("What happens when no judgement can be had"),
  })
  .meta({ id: "ThreatProtection", description: "Address policy of this request" });

export const auditMetadata = z
  .strictObject({ username: z.string().max(1024).optional().describe("Who asked") })
  .meta({ id: "AuditMetadata", description: "Tags for the log" });

export const success = z.boolean().describe("Whether the request worked");
export const time = z.string().describe("ISO 8601 time in UTC");
export const warning = z.string().optional().describe("What was left out or may be wrong");

/** The body of every failure. */
export const failure = z
  .object({
    success: z.literal(false),
    error: z.string().describe("What went wrong, in words"),
    code: z.string().optional().describe("What went wrong, for programs"),
    details: z.unknown().optional().describe("Issues by field, or guidance for a retry"),
    title: z.string().optional(),
    detail: z.string().optional(),
  })
  .meta({ id: "Failure", description: "The body of every failure" });
