// The targets of a monitor: checked when they are given, shown as they were given, and read without the cache.
import { prices } from "../../accounts/index.ts";
import { bareUrl, isObject, newId, refusedField, withoutFragment } from "../../base/index.ts";
import {
  type ChangeRules,
  type Format,
  type MonitorTarget,
  monitorTarget,
  type ScrapeOptions,
} from "../../contract/index.ts";
import { pagePrice, planOutputs } from "../../pages/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import { noModel, type OperationParts } from "../parts/operation-parts.ts";
import { checkFormatSchemas } from "../parts/schema-check.ts";

export type WatchedTarget = MonitorTarget & { id: string };

const masked = "***";
export const defaultResults = 10;

/** Throws 400, 403 or 501 with the field for what cannot be watched. Answers the targets with ids, and warnings. */
export async function acceptTargets(
  parts: OperationParts,
  given: readonly MonitorTarget[],
  now: number,
): Promise<{ targets: WatchedTarget[]; warnings: string[] }> {
  const ids = new Set<string>();
  const warnings: string[] = [];
  for (const [place, target] of given.entries()) {
    const at = ["targets", String(place)];
    if (target.id !== undefined && ids.has(target.id)) throw refusedField([...at, "id"], "Two targets have this ID");
    if (target.id !== undefined) ids.add(target.id);
    if (target.type === "search") continue;
    if (target.type === "crawl") {
      requireAllowedUrl(parts.checkUrl, target.url, [...at, "url"]);
      if (target.crawlOptions.prompt !== undefined && parts.model === null) throw noModel("A prompt");
    } else {
      for (const [index, url] of target.urls.entries()) requireAllowedUrl(parts.checkUrl, url, [...at, "urls", index]);
    }
    warnings.push(...(await checkOptions(parts, target.scrapeOptions, [...at, "scrapeOptions"])));
  }
  const targets = given.map((target) => ({ ...withEachUrlOnce(target), id: target.id ?? newId(now) }));
  return { targets, warnings: [...new Set(warnings)] };
}

async function checkOptions(
  { model, extraction, requireBrowser }: OperationParts,
  options: ScrapeOptions,
  at: string[],
): Promise<string[]> {
  if (options.lockdown) throw refusedField([...at, "lockdown"], "A monitor never reads pages from the cache");
  if (options.zeroDataRetention)
    throw refusedField([...at, "zeroDataRetention"], "A monitor keeps the last version of each page to compare with");
  const base64 = options.formats.findIndex(({ type }) => type === "rawBase64");
  if (base64 >= 0)
    throw refusedField([...at, "formats", base64], "A monitor compares markdown, which rawBase64 excludes");
  const { warnings } = planOutputs(options, model?.name, at);
  await checkFormatSchemas(extraction, options, at);
  requireBrowser(options);
  return [...warnings];
}

function withEachUrlOnce(target: MonitorTarget): MonitorTarget {
  if (target.type !== "scrape") return target;
  const byPage = new Map(target.urls.map((url) => [withoutFragment(bareUrl(url)), url]));
  return { ...target, urls: [...byPage.values()] };
}

/** What a check reads: never from the cache, with markdown to compare, and only the parts that count. */
export function watchedOptions(options: ScrapeOptions, { selectors = [] }: ChangeRules): ScrapeOptions {
  const tracking = trackedFields(options);
  const { minAge: _, ...kept } = options;
  const others = options.formats.filter(({ type }) => type !== "changeTracking" && type !== "markdown");
  const hasJson = others.some(({ type }) => type === "json");
  const fields = tracking && !hasJson ? [jsonFormat(tracking)] : [];
  const parts = selectors.length > 0 ? { includeTags: [...selectors], onlyMainContent: false } : {};
  return { ...kept, formats: [{ type: "markdown" }, ...others, ...fields], maxAge: 0, ...parts };
}

type Tracking = Extract<Format, { type: "changeTracking" }>;

function trackedFields({ formats }: Pick<ScrapeOptions, "formats">): Tracking | undefined {
  const tracking = formats.find((format): format is Tracking => format.type === "changeTracking");
  const isAsked = tracking?.modes.includes("json") && (tracking.schema ?? tracking.prompt) !== undefined;
  return isAsked ? tracking : undefined;
}

function jsonFormat({ schema, prompt }: Tracking): Format {
  const asked = { ...(schema === undefined ? {} : { schema }), ...(prompt === undefined ? {} : { prompt }) };
  return { type: "json", evidence: false, ...asked } as Format;
}

/** Whether only fields of the JSON data decide what is a change. */
export function comparesFieldsOnly(options: ScrapeOptions): boolean {
  const tracking = trackedFields(options);
  return tracking !== undefined && !tracking.modes.includes("git-diff");
}

export function asksForJson(target: MonitorTarget): boolean {
  if (target.type === "search") return false;
  return (
    target.scrapeOptions.formats.some(({ type }) => type === "json") ||
    trackedFields(target.scrapeOptions) !== undefined
  );
}

/** Credits of one check, as far as can be known: a crawl is taken to reach its limit. */
export function priceOfCheck(targets: readonly MonitorTarget[], rules: ChangeRules, isJudged: boolean): number {
  return targets.reduce((sum, target) => {
    if (target.type === "search") {
      const most = target.maxResults ?? defaultResults;
      return sum + Math.ceil(most / 10) * prices.searchTen + (isJudged ? most * prices.judgement : 0);
    }
    const pages = target.type === "scrape" ? target.urls.length : target.crawlOptions.limit;
    return sum + pages * (pagePrice(watchedOptions(target.scrapeOptions, rules)) + (isJudged ? prices.judgement : 0));
  }, 0);
}

/** As it was sent: without what stands for nothing said, and without secrets. */
export function shownTarget({ id, ...target }: WatchedTarget): Record<string, unknown> {
  const least =
    target.type === "scrape"
      ? { type: target.type, urls: target.urls }
      : target.type === "crawl"
        ? { type: target.type, url: target.url }
        : { type: target.type, queries: target.queries };
  const plain = monitorTarget.parse(least) as Record<string, unknown>;
  const { urls, url, ...rest } = given(target, plain);
  const shown = {
    id,
    ...(target.type === "scrape" ? { urls: target.urls.map((each) => bareUrl(each)) } : {}),
    ...(target.type === "crawl" ? { url: bareUrl(target.url) } : {}),
    ...(target.type === "search" ? { queries: target.queries } : {}),
    ...rest,
    type: target.type,
  };
  const { scrapeOptions } = shown as { scrapeOptions?: Record<string, unknown> };
  if (!scrapeOptions) return shown;
  const { headers, formats } = scrapeOptions as { headers?: object; formats?: object[] };
  const masks = headers && Object.fromEntries(Object.keys(headers).map((name) => [name, masked]));
  const own = { ...(masks ? { headers: masks } : {}), ...(formats ? { formats: formats.map(withoutOffFlags) } : {}) };
  return { ...shown, scrapeOptions: { ...scrapeOptions, ...own } };
}

/** Every flag of a format is off when nothing is said, and official clients know only some of them. */
function withoutOffFlags(format: object): object {
  return Object.fromEntries(Object.entries(format).filter(([, value]) => value !== false));
}

/** The fields that are not what they are when nothing is said. */
function given(value: object, plain: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const usual = plain[name];
    if (JSON.stringify(inner) === JSON.stringify(usual)) continue;
    kept[name] = isObject(inner) && isObject(usual) ? given(inner, usual) : inner;
  }
  return kept;
}
