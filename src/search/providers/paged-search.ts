// How every provider searches: page after page until there are enough results, each of them once.
import { bareUrl, isoTime, maxUrlLength, parseUrl, withoutFragment } from "../../base/index.ts";
import { ask, type Service, type ServiceCall, unknownShape } from "./call.ts";
import { type AnswerObject, asText } from "./json.ts";
import { loadPlainText } from "./plain-text.ts";
import { readPublished } from "./published.ts";
import type { ProviderDeps, ProviderOutcome, ProviderRequest, ProviderResult } from "./search-provider.ts";

/** A result as the service sends it: any field may be missing or of another type. */
export interface RawResult {
  url: unknown;
  title: unknown;
  description?: unknown;
  /** What there is to say of it when no source has a description. */
  about?: string;
  /** Its dates; the first that can be read counts. */
  dates?: readonly unknown[];
  imageUrl?: unknown;
  imageWidth?: unknown;
  imageHeight?: unknown;
}

export interface PagedSearch {
  service: Service;
  /** Fewer than 10 when the service has no more pages. */
  maxCalls?: number;
  question(page: number): ServiceCall;
  /** Null when the answer has an unknown shape. */
  read(json: AnswerObject): RawResult[] | null;
  /** Whether the service says that this page is its last. */
  isLast?(json: AnswerObject): boolean;
  appliedTime: boolean;
  warnings: readonly string[];
}

const maxResults = 100;
const maxCalls = 10;

export async function searchPages(
  deps: ProviderDeps,
  plan: PagedSearch,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderOutcome> {
  const plainText = await loadPlainText();
  const limit = Math.min(request.limit, maxResults);
  const calls = Math.min(plan.maxCalls ?? maxCalls, maxCalls);
  const warnings = [...plan.warnings];
  const found = new Map<string, ProviderResult>();
  for (let page = 0; page < calls && found.size < limit; page += 1) {
    const answer = await ask(deps, plan.service, plan.question(page), signal);
    const raw = answer.ok ? plan.read(answer.json) : null;
    if (!answer.ok || raw === null) {
      const problem = answer.ok ? unknownShape(plan.service) : answer;
      if (page === 0) return problem;
      warnings.push(`${problem.cause} Its first ${found.size} results are included.`);
      break;
    }
    const sizeBefore = found.size;
    for (const each of raw) {
      const result = readResult(each, request, deps.clock.now(), plainText);
      const key =
        result === null
          ? ""
          : request.source === "images"
            ? (result.imageUrl ?? result.url)
            : withoutFragment(result.url);
      if (result !== null && !found.has(key)) found.set(key, result);
    }
    // A page that is not full may have a next one, because services filter; a page without new results has none.
    if (found.size === sizeBefore || plan.isLast?.(answer.json) === true) break;
  }
  return { ok: true, results: [...found.values()].slice(0, limit), appliedTime: plan.appliedTime, warnings };
}

/** Null when it names no page, or no image where images are wanted. */
export function readResult(
  raw: RawResult,
  { source }: Pick<ProviderRequest, "source">,
  now: number,
  plainText: (text: string) => string,
): ProviderResult | null {
  const url = readResultUrl(raw.url);
  const imageUrl = readResultUrl(raw.imageUrl);
  if (url === null || (source === "images" && imageUrl === null)) return null;
  const dates = raw.dates ?? [];
  const published = dates.map((date) => readPublished(date, now)).find((time) => time !== null) ?? null;
  return {
    url,
    title: plainText(asText(raw.title)),
    description: plainText(asText(raw.description)),
    ...(raw.about ? { about: raw.about } : {}),
    published,
    date: plainText(dates.map(asText).find((text) => text !== "") ?? (published === null ? "" : isoTime(published))),
    ...(imageUrl === null ? {} : { imageUrl }),
    ...sizeOf("imageWidth", raw.imageWidth),
    ...sizeOf("imageHeight", raw.imageHeight),
  };
}

/** Any URL of a host: whether it may be scraped is for the caller to decide. `javascript:` and `data:` name no host. */
function readResultUrl(value: unknown): string | null {
  const url = typeof value !== "string" || value.length > maxUrlLength ? null : parseUrl(value);
  if (!url || url.hostname === "") return null;
  // A text fragment marks the passage that was found; it is not part of the page.
  url.hash = url.hash.replace(/:~:.*$/, "");
  if (url.hash === "") url.hash = "";
  return bareUrl(url);
}

function sizeOf<Name extends string>(name: Name, value: unknown): Partial<Record<Name, number>> {
  const pixels = typeof value === "string" ? Number(value) : value;
  const isSize = typeof pixels === "number" && Number.isInteger(pixels) && pixels > 0;
  return isSize ? ({ [name]: pixels } as Record<Name, number>) : {};
}
