// How one page is scraped: the fields, the rules between them, and the resolved form in which
// everything is present. Flat in scrape and batch, as `scrapeOptions` elsewhere.
import * as z from "zod";
import { dayMs } from "../../base/index.ts";
import { action } from "./actions.ts";
import {
  absentMeans,
  auditMetadata,
  headersField,
  ignoredScrapeKeys,
  location,
  profile,
  threatProtection,
} from "./common-fields.ts";
import { flowUse } from "./flow.ts";
import { type Format, format } from "./format-field.ts";
import { type FormatRow, formats as formatTable } from "./formats.ts";
import { parsers } from "./parsers.ts";

const selectors = () => z.array(z.string().min(1).max(4096)).max(1000).default([]);

export const zeroDataRetention = z.boolean().default(false).describe("Do not store anything about this request");

const redactPii = z.union([
  z.boolean(),
  z.strictObject({
    mode: z
      .enum(["accurate", "aggressive", "fast"])
      .optional()
      .describe(
        "accurate: rules, and names by the language model; fast: rules alone; aggressive: also what only may be personal",
      ),
    entities: z
      .array(z.enum(["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]))
      .max(64)
      .optional()
      .describe("What to redact"),
    replaceStyle: z.enum(["tag", "mask", "remove"]).optional().describe("What to put in its place"),
  }),
]);

/** Jobs store their options, and this must never be stored; so only the scrape, which stores none, takes it. */
const refusedProxyUrl = z
  .unknown()
  .optional()
  .superRefine((value, context) => {
    if (value === undefined) return;
    const message =
      "proxyUrl is accepted by POST /v2/scrape only, with ALLOW_CALLER_PROXY=1. Other endpoints store their options, and a caller's proxy is never stored.";
    context.addIssue({ code: "custom", message });
  })
  .describe("Not supported here; send it to POST /v2/scrape");

export const proxyUrl = z
  .string()
  .max(2048)
  .regex(/^(https?|socks5):\/\/\S+$/i, "Must be a URL that starts with http://, https:// or socks5://")
  .optional()
  .describe("Your own proxy for this page, if the operator of this server permits it; never logged or stored");

/** All fields except `formats`, whose default differs by endpoint. */
export const pageFields = {
  onlyMainContent: z
    .boolean()
    .default(true)
    .describe("Return only the main content, without navigation, header, footer and boilerplate"),
  onlyCleanContent: z.boolean().default(false).describe("Let a language model remove leftover boilerplate"),
  includeTags: selectors().describe("CSS selectors of elements to keep"),
  excludeTags: selectors().describe("CSS selectors of elements to remove"),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .describe("Use a cached copy younger than this, in milliseconds; default 2 days, or 2 years with lockdown"),
  minAge: z.int().min(0).optional().describe("Use only a cached copy at least this old, in milliseconds"),
  headers: headersField("HTTP headers to send to the page").default({}),
  waitFor: z.int().min(0).max(60_000).default(0).describe("Wait before reading the page, in milliseconds"),
  mobile: z.boolean().default(false).describe("Emulate a mobile device"),
  skipTlsVerification: z
    .boolean()
    .optional()
    .describe("Ignore TLS certificate errors; defaults to true unless headers, actions or profile are set"),
  timeout: z.int().min(1000).max(300_000).default(60_000).describe("Timeout of the whole request, in milliseconds"),
  parsers,
  actions: absentMeans(z.array(action).max(50), []).describe("Browser actions to run before the page is read"),
  flow: flowUse.optional().describe("Flow to run on the page, or before it is opened"),
  location: absentMeans(location, {}).describe("Location to emulate: language and country of the visitor"),
  removeBase64Images: z.boolean().default(true).describe("Remove base64 images from the markdown"),
  blockAds: z.boolean().default(true).describe("Block ads and cookie banners"),
  proxy: absentMeans(
    z.enum(["basic", "enhanced", "stealth", "auto"]).transform((kind) => (kind === "stealth" ? "enhanced" : kind)),
    "auto",
  ).describe("Type of proxy; auto tries basic, then enhanced; stealth is an alias of enhanced"),
  proxyUrl: refusedProxyUrl,
  storeInCache: z
    .boolean()
    .default(true)
    .describe("Store the page in the cache; never with headers, actions or profile"),
  lockdown: z.boolean().default(false).describe("Use only cached copies, without any request to the page"),
  profile: profile.optional().describe("Browser profile to use"),
  fastMode: z.boolean().default(false).describe("Fetch pages over plain HTTP only, without a browser"),
  checkPromptInjection: z
    .boolean()
    .default(false)
    .describe("Refuse a page that appears to contain a prompt injection (403)"),
  redactPII: redactPii
    .default(false)
    .describe("Redact personal data from every text that is returned; nothing unredacted is kept"),
  zeroDataRetention,
  threatProtection: threatProtection.optional().describe("URL policy for this request"),
  auditMetadata: auditMetadata.optional().describe("Tags for audit logs, accepted without effect"),
  trace: z.boolean().default(false).describe("Include the steps that were taken, with their durations"),
  ...ignoredScrapeKeys,
};

const formats = absentMeans(z.array(format).max(64), ["markdown"]).describe("Formats to return");

export const scrapeFields = { formats, ...pageFields };

const fieldObject = z.strictObject(scrapeFields);
type ParsedFields = z.output<typeof fieldObject>;

type Dependent = "maxAge" | "skipTlsVerification" | "proxyUrl";
type IgnoredKey = keyof typeof ignoredScrapeKeys;

/** How one page is scraped, with every option resolved. */
export type ScrapeOptions = Omit<ParsedFields, Dependent | IgnoredKey> & {
  maxAge: number;
  skipTlsVerification: boolean;
  /** Of a scrape only. */
  proxyUrl?: string | undefined;
};

/** Whether a page that talks to the model that reads it is refused. The format json can ask for it, too. */
export function refusesInjection({
  checkPromptInjection,
  formats,
}: Pick<ScrapeOptions, "checkPromptInjection" | "formats">) {
  return checkPromptInjection || formats.some((one) => one.type === "json" && one.checkPromptInjection);
}

/** Whether names of persons are to be redacted: only a language model can find them. */
export function namesPersons({ redactPII }: Pick<ScrapeOptions, "redactPII">): boolean {
  if (typeof redactPII === "boolean") return redactPII;
  return redactPII.mode !== "fast" && (redactPII.entities?.includes("PERSON") ?? true);
}

/** What the caller named, and PDFs. */
export function namedParsers({ parsers }: Pick<ScrapeOptions, "parsers">): ScrapeOptions["parsers"] {
  return parsers.filter((each) => each.type !== "image" || each.isDefault !== true);
}

/** Whether the language model is to read the images of pages. */
export function asksModelToRead({ parsers }: Pick<ScrapeOptions, "parsers">): boolean {
  return parsers.some((each) => each.type !== "attachments" && each.recognizer === "model");
}

type Problem = (path: (string | number)[], message: string) => void;
type Checked = Pick<
  ParsedFields,
  | "formats"
  | "actions"
  | "profile"
  | "flow"
  | "fastMode"
  | "waitFor"
  | "timeout"
  | "onlyCleanContent"
  | "zeroDataRetention"
  | "checkPromptInjection"
  | "redactPII"
>;

const maxWaitMs = 60_000;

/** All rules between fields. */
export function checkScrapeOptions(options: Checked, context: z.RefinementCtx): void {
  const problem: Problem = (path, message) => context.addIssue({ code: "custom", path, message });
  checkFormats(options.formats, problem);
  if (options.checkPromptInjection && options.formats.some(({ type }) => type === "rawBase64"))
    problem(["checkPromptInjection"], "checkPromptInjection cannot be used with rawBase64, whose bytes are not parsed");
  if (options.redactPII !== false && options.formats.some(({ type }) => type === "rawBase64"))
    problem(["redactPII"], "redactPII cannot be used with rawBase64, whose bytes are not parsed");
  if (options.zeroDataRetention) checkZeroDataRetention(options, problem);
  if (options.fastMode) checkFastMode(options, problem);
  if (options.flow !== undefined && options.actions.length > 0)
    problem(["flow"], "flow cannot be used together with actions");
  if (options.waitFor > options.timeout / 2) problem(["waitFor"], "waitFor must be at most half of timeout");
  const waits = options.actions.map((step) => (step.type === "wait" ? (step.milliseconds ?? 0) : 0));
  const waited = waits.reduce((sum, wait) => sum + wait, 0);
  if (waited > 0 && waited + options.waitFor > maxWaitMs) {
    problem(["actions"], "All waits, including waitFor, must add up to at most 60000 milliseconds");
  }
}

function checkFormats(asked: readonly Format[], problem: Problem): void {
  const all = asked.map(({ type }) => type);
  for (const [index, one] of asked.entries()) {
    const row: FormatRow = formatTable[one.type];
    const found = row.problem?.(one, { all, before: all.slice(0, index) });
    if (found) problem(["formats", index, ...(found.option ? [found.option] : [])], found.message);
  }
}

/** Also used where the flag is a sibling of the options (crawl). */
export function checkZeroDataRetention(options: Pick<Checked, "onlyCleanContent">, problem: Problem) {
  if (options.onlyCleanContent)
    problem(["onlyCleanContent"], "onlyCleanContent cannot be combined with zeroDataRetention");
}

/** The same options, with nothing stored about the pages. */
export function withoutRetention(options: ScrapeOptions): ScrapeOptions {
  return { ...options, zeroDataRetention: true, storeInCache: false };
}

/** fastMode never starts a browser, so what needs one is refused. */
function checkFastMode({ formats, actions, profile, flow }: Checked, problem: Problem): void {
  for (const [index, { type }] of formats.entries()) {
    if (formatTable[type].madeFrom === "browser")
      problem(["formats", index], `${type} requires a browser, which fastMode does not use`);
  }
  if (actions.length > 0) problem(["actions"], "actions require a browser, which fastMode does not use");
  if (flow !== undefined) problem(["flow"], "flow requires a browser, which fastMode does not use");
  if (profile !== undefined) problem(["profile"], "profile requires a browser, which fastMode does not use");
}

const optionNames = Object.keys(scrapeFields).filter((name) => !(name in ignoredScrapeKeys)) as (keyof ParsedFields)[];

/**
 * Resolves defaults that depend on other fields and drops ignored fields and siblings of the options. Name by name: the
 * rest of an object, taken by `...`, is one whose properties V8 has to look up in a dictionary for as long as it lives.
 */
export function resolveScrapeOptions(fields: ParsedFields): ScrapeOptions {
  const options: Record<string, unknown> = {};
  for (const name of optionNames) if (fields[name] !== undefined) options[name] = fields[name];
  const {
    headers,
    actions,
    profile: storage,
    flow,
    lockdown,
    minAge,
    zeroDataRetention: isForgotten,
    proxyUrl: own,
  } = fields;
  const isPersonal =
    Object.keys(headers).length > 0 || actions.length > 0 || storage !== undefined || flow !== undefined;
  // A request for an old copy, or for cached copies only, does not mean the default of two days.
  options.maxAge ??= lockdown || minAge !== undefined ? 2 * 365 * dayMs : 2 * dayMs;
  options.skipTlsVerification ??= !isPersonal;
  options.storeInCache = fields.storeInCache && !isPersonal && !isForgotten && own === undefined;
  return options as ScrapeOptions;
}

/** As the field `scrapeOptions` of another request. */
export const scrapeOptions = fieldObject
  .superRefine(checkScrapeOptions)
  .transform(resolveScrapeOptions)
  .meta({ id: "ScrapeOptions", description: "How each page is scraped" });

/** The same, where nothing is scraped unless formats are given. */
export const optionalScrapeOptions = fieldObject
  .safeExtend({
    formats: z.array(format).max(64).prefault([]).describe("Formats to return; without any, results are not scraped"),
  })
  .superRefine(checkScrapeOptions)
  .transform(resolveScrapeOptions)
  .meta({
    id: "OptionalScrapeOptions",
    description: "How each result is scraped; without formats, results are not scraped",
  });

/** Whether only the bill of a page is kept. */
export function keepsNothing(options: Pick<ScrapeOptions, "zeroDataRetention" | "lockdown">): boolean {
  return options.zeroDataRetention || options.lockdown;
}
