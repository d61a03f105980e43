// How one page is read (API.md 2.1): the fields, the rules between them, and the resolved form in which
// everything is present. Flat in scrape and batch, as `scrapeOptions` elsewhere.
import { z } from "zod";
import { dayMs } from "../base/index.ts";
import { action } from "./actions.ts";
import {
  absentMeans,
  auditMetadata,
  headersField,
  ignoredScrapeKeys,
  location,
  profile,
  threatProtection,
} from "./fields.ts";
import { type Format, format } from "./format-field.ts";
import { parsers } from "./parsers.ts";

const selectors = () => z.array(z.string().min(1).max(4096)).max(1000).default([]);

export const zeroDataRetention = z.boolean().default(false).describe("Keep nothing of this request");

const redactPii = z.union([
  z.boolean(),
  z.strictObject({
    mode: z.enum(["accurate", "aggressive", "fast"]).optional().describe("How careful to be"),
    entities: z
      .array(z.enum(["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]))
      .max(64)
      .optional()
      .describe("What to remove"),
    replaceStyle: z.enum(["tag", "mask", "remove"]).optional().describe("What stands in its place"),
  }),
]);

/** The fields of 2.1 except `formats`, whose default differs by endpoint. */
export const pageFields = {
  onlyMainContent: z.boolean().default(true).describe("Leave out navigation, header, footer and boilerplate"),
  onlyCleanContent: z.boolean().default(false).describe("Let a language model remove leftover boilerplate"),
  includeTags: selectors().describe("CSS selectors: keep only these elements"),
  excludeTags: selectors().describe("CSS selectors: remove these elements"),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .describe("A stored copy younger than this many milliseconds will do; 2 days, or 2 years with lockdown"),
  minAge: z.int().min(0).optional().describe("Only a stored copy at least this many milliseconds old will do"),
  headers: headersField("HTTP headers to send to the page").default({}),
  waitFor: z.int().min(0).max(60_000).default(0).describe("Milliseconds to wait before the page is read"),
  mobile: z.boolean().default(false).describe("Look like a mobile device"),
  skipTlsVerification: z
    .boolean()
    .optional()
    .describe("Ignore certificate errors; true unless headers, actions or profile are given"),
  timeout: z.int().min(1000).max(300_000).default(60_000).describe("Milliseconds for the whole request"),
  parsers,
  actions: absentMeans(z.array(action).max(50), []).describe("Browser steps before the page is read"),
  location: absentMeans(location, {}).describe("Where the request should seem to come from"),
  removeBase64Images: z.boolean().default(true).describe("Leave inline pictures out of the markdown"),
  blockAds: z.boolean().default(true).describe("Block advertisements and cookie banners"),
  proxy: absentMeans(
    z.enum(["basic", "enhanced", "stealth", "auto"]).transform((kind) => (kind === "stealth" ? "enhanced" : kind)),
    "auto",
  ).describe("Kind of proxy; auto tries basic, then enhanced; stealth is another name of enhanced"),
  storeInCache: z.boolean().default(true).describe("Keep the result; never with headers, actions or profile"),
  lockdown: z.boolean().default(false).describe("Stored copies only, no traffic to the page"),
  profile: profile.optional().describe("Browser storage to use"),
  fastMode: z.boolean().default(false).describe("Skip slow ways of reading"),
  redactPII: redactPii.default(false).describe("Remove personal data from the markdown"),
  zeroDataRetention,
  threatProtection: threatProtection.optional().describe("Address policy of this request"),
  auditMetadata: auditMetadata.optional().describe("Tags for the log"),
  trace: z.boolean().default(false).describe("Answer the steps that were taken, with their durations"),
  ...ignoredScrapeKeys,
};

const formats = absentMeans(z.array(format).max(64), ["markdown"]).describe("Which outputs to answer");

export const scrapeFields = { formats, ...pageFields };

const fieldObject = z.strictObject(scrapeFields);
type ParsedFields = z.output<typeof fieldObject>;

type Dependent = "maxAge" | "skipTlsVerification";
type IgnoredKey = keyof typeof ignoredScrapeKeys;

/** How one page is read, with nothing left open. */
export type ScrapeOptions = Omit<ParsedFields, Dependent | IgnoredKey> & {
  maxAge: number;
  skipTlsVerification: boolean;
};

type Problem = (path: (string | number)[], message: string) => void;
type Checked = Pick<
  ParsedFields,
  "formats" | "actions" | "profile" | "fastMode" | "waitFor" | "timeout" | "onlyCleanContent" | "zeroDataRetention"
>;

const maxWaitMs = 60_000;

/** The rules between fields, all of them. */
export function checkScrapeOptions(options: Checked, context: z.RefinementCtx): void {
  const problem: Problem = (path, message) => context.addIssue({ code: "custom", path, message });
  checkFormats(options.formats, problem);
  if (options.zeroDataRetention) checkZeroDataRetention(options, problem);
  if (options.fastMode) checkFastMode(options, problem);
  if (options.waitFor > options.timeout / 2) problem(["waitFor"], "waitFor may be at most half of timeout");
  const waits = options.actions.map((step) => (step.type === "wait" ? (step.milliseconds ?? 0) : 0));
  const waited = waits.reduce((sum, wait) => sum + wait, 0);
  if (waited > 0 && waited + options.waitFor > maxWaitMs) {
    problem(["actions"], "All waits together, waitFor included, may take at most 60000 milliseconds");
  }
}

function checkFormats(formats: readonly Format[], problem: Problem): void {
  const indexesOf = (type: Format["type"]) => formats.flatMap((one, index) => (one.type === type ? [index] : []));
  const secondScreenshot = indexesOf("screenshot")[1];
  if (secondScreenshot !== undefined) problem(["formats", secondScreenshot], "Only one screenshot can be asked for");
  const tracking = indexesOf("changeTracking")[0];
  if (tracking !== undefined && indexesOf("markdown").length === 0) {
    problem(["formats", tracking], "changeTracking needs the markdown format too");
  }
  const base64 = indexesOf("rawBase64")[0];
  if (base64 !== undefined && formats.length > 1) {
    problem(["formats", base64], "rawBase64 must be the only format");
  }
}

/** Also used where the flag stands beside the options (crawl). */
export function checkZeroDataRetention(options: Pick<Checked, "onlyCleanContent">, problem: Problem) {
  if (options.onlyCleanContent)
    problem(["onlyCleanContent"], "onlyCleanContent is not possible with zeroDataRetention");
}

/** The same, with nothing kept of the pages. */
export function withoutRetention(options: ScrapeOptions): ScrapeOptions {
  return { ...options, zeroDataRetention: true, storeInCache: false };
}

/** Whoever wants it fast gets no browser, so nothing that only a browser has. */
function checkFastMode({ formats, actions, profile }: Checked, problem: Problem): void {
  const screenshot = formats.findIndex(({ type }) => type === "screenshot");
  if (screenshot >= 0) problem(["formats", screenshot], "A screenshot needs a browser, and fastMode never starts one");
  if (actions.length > 0) problem(["actions"], "actions need a browser, and fastMode never starts one");
  if (profile !== undefined) problem(["profile"], "A profile needs a browser, and fastMode never starts one");
}

const optionNames = Object.keys(scrapeFields).filter((name) => !(name in ignoredScrapeKeys)) as (keyof ParsedFields)[];

/**
 * Settles what depends on other fields (D6) and leaves out what is ignored, and what stands beside the options. Name by name: the
 * rest of an object, taken by `...`, is one whose properties V8 has to look up in a dictionary for as long as it lives.
 */
export function resolveScrapeOptions(fields: ParsedFields): ScrapeOptions {
  const options: Record<string, unknown> = {};
  for (const name of optionNames) if (fields[name] !== undefined) options[name] = fields[name];
  const { headers, actions, profile: storage, lockdown, minAge, zeroDataRetention: isForgotten } = fields;
  const isPersonal = Object.keys(headers).length > 0 || actions.length > 0 || storage !== undefined;
  // Whoever asks for a copy of some age, or for copies only, does not mean the default freshness of two days.
  options.maxAge ??= lockdown || minAge !== undefined ? 2 * 365 * dayMs : 2 * dayMs;
  options.skipTlsVerification ??= !isPersonal;
  options.storeInCache = fields.storeInCache && !isPersonal && !isForgotten;
  return options as ScrapeOptions;
}

/** As the field `scrapeOptions` of another request. */
export const scrapeOptions = fieldObject
  .superRefine(checkScrapeOptions)
  .transform(resolveScrapeOptions)
  .meta({ id: "ScrapeOptions", description: "How each page is read" });

/** The same where nothing is read unless outputs are named. */
export const optionalScrapeOptions = fieldObject
  .safeExtend({
    formats: z.array(format).max(64).prefault([]).describe("Which outputs to answer; none: nothing is read"),
  })
  .superRefine(checkScrapeOptions)
  .transform(resolveScrapeOptions)
  .meta({ id: "OptionalScrapeOptions", description: "How each result is read; nothing is read without formats" });
