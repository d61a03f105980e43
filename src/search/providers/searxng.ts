// SearXNG, a metasearch that the operator runs. It asks other engines, so it may apply no operator of the query.
// https://docs.searxng.org/dev/search_api.html
import { type Service, serviceFailure } from "./call.ts";
import { withDomains } from "./domains.ts";
import { googleOperators } from "./google-operators.ts";
import { type AnswerObject, asText, listAt } from "./json.ts";
import { readLocale } from "./locale.ts";
import { type RawResult, searchPages } from "./paged-search.ts";
import type { ProviderDeps, ProviderRequest, SearchProvider, TimeUnit } from "./search-provider.ts";
import { coveringPreset, exactPreset, isBounded } from "./time-words.ts";

const categories = { web: "general", news: "news", images: "images" };
const timeRanges: Partial<Record<TimeUnit, string>> = { d: "day", w: "week", m: "month", y: "year" };
const timeUnits = Object.keys(timeRanges) as TimeUnit[];

export function createSearxng(deps: ProviderDeps, endpoint: string): SearchProvider {
  const { password } = new URL(endpoint);
  const service: Service = {
    name: "SearXNG",
    endpoint,
    setting: "SEARXNG_ENDPOINT",
    secrets: [password],
    statuses: {
      401: "needs a user and a password in SEARXNG_ENDPOINT (http://user:password@host)",
      403: "does not answer with JSON: add `- json` below `formats:` in the section `search:` of its settings.yml and restart it",
      429: "is rate-limited: set `limiter: false` in the section `server:` of its settings.yml, or wait",
    },
  };
  return {
    name: service.name,
    supports: {
      operators: new Set(),
      understood: googleOperators,
      sources: new Set(["web", "news", "images"]),
      timeRange: "preset",
      maxPerCall: 20,
    },
    async search(request, signal) {
      const { timeFilter } = request;
      const preset = isBounded(timeFilter) ? coveringPreset(timeFilter, timeUnits, deps.clock.now()) : null;
      let { outcome, silent } = await searchWith(preset, request, signal);
      // With a time range SearXNG skips every engine without support for it, which may be all of them.
      if (preset !== null && outcome.ok && outcome.results.length === 0) {
        ({ outcome, silent } = await searchWith(null, request, signal));
      }
      if (!outcome.ok || outcome.results.length > 0 || silent.length === 0) return outcome;
      return serviceFailure(service, `found nothing because its engines failed (${silent.join(", ")})`, true);
    },
  };

  async function searchWith(preset: TimeUnit | null, request: ProviderRequest, signal: AbortSignal) {
    const { source, timeFilter, safe } = request;
    const { country, language, region, place, warnings } = readLocale(request);
    let silent: string[] = [];
    const outcome = await searchPages(
      deps,
      {
        service,
        question: (page) => ({
          path: "/search",
          query: {
            q: withoutCommands(withDomains(request)),
            format: "json",
            categories: categories[source],
            pageno: page + 1,
            language:
              language === null
                ? undefined
                : [language, region?.length === 2 ? region : country].filter(Boolean).join("-"),
            time_range: preset === null ? undefined : timeRanges[preset],
            safesearch: safe === undefined ? undefined : safe ? 2 : 0,
          },
        }),
        read: (json) => {
          silent = enginesIn(json);
          return Array.isArray(json.results)
            ? (listAt(json, "results") ?? []).map((each) => rawResult(each, source))
            : null;
        },
        appliedTime: !isBounded(timeFilter) || (preset !== null && exactPreset(timeFilter) === preset),
        warnings: place === null ? warnings : [...warnings, "SearXNG does not support places: location was ignored."],
      },
      request,
      signal,
    );
    return { outcome, silent };
  }
}

/** Words that begin with `!`, `:` or `<` choose engines, languages and timeouts, or redirect, which callers must not do. */
function withoutCommands(text: string): string {
  return text.replace(/(^|\s)[!:<?]+/g, "$1").trim();
}

function enginesIn(json: AnswerObject): string[] {
  const engines = Array.isArray(json.unresponsive_engines) ? json.unresponsive_engines : [];
  return engines.slice(0, 5).flatMap((each) =>
    Array.isArray(each)
      ? [
          each
            .map(asText)
            .filter((word) => word !== "")
            .slice(0, 2)
            .join(": "),
        ]
      : [],
  );
}

function rawResult(each: AnswerObject, source: ProviderRequest["source"]): RawResult {
  const [, width, height] = /^(\d+)\s*[x×]\s*(\d+)/.exec(asText(each.resolution)) ?? [];
  const isWeb = source === "web";
  return {
    url: each.url,
    title: each.title,
    description: each.content,
    dates: [each.publishedDate, each.pubdate],
    imageUrl: isWeb ? undefined : asText(each.img_src) || each.thumbnail_src || each.thumbnail,
    imageWidth: width,
    imageHeight: height,
  };
}
