// Serper: Google's results. https://serper.dev
import type { Service } from "./call.ts";
import { withDomains } from "./domains.ts";
import { googleResultPages } from "./google-operators.ts";
import { type AnswerObject, listAt } from "./json.ts";
import { googleLanguage, readLocale } from "./locale.ts";
import { type RawResult, searchPages } from "./paged-search.ts";
import type { ProviderDeps, ProviderTime, SearchProvider } from "./search-provider.ts";
import { daysOf, isBounded, slashDay } from "./time-words.ts";

const paths = { web: "/search", news: "/news", images: "/images" };
const lists = { web: "organic", news: "news", images: "images" };

export function createSerper(deps: ProviderDeps, key: string, endpoint: string): SearchProvider {
  const service: Service = { name: "Serper", endpoint, setting: "SERPER_API_KEY", secrets: [key] };
  return {
    name: service.name,
    supports: googleResultPages,
    search(request, signal) {
      const locale = readLocale(request);
      const { country, place, warnings } = locale;
      const { source, timeFilter, safe } = request;
      const body = {
        q: withDomains(request),
        num: googleResultPages.maxPerCall,
        gl: country?.toLowerCase(),
        hl: googleLanguage(locale),
        location: place ?? undefined,
        tbs: timeFilter === null ? undefined : tbsOf(timeFilter, deps.clock.now()),
      };
      const plan = {
        service,
        question: (page: number) => ({
          path: paths[source],
          headers: { "x-api-key": key },
          body: { ...body, page: page + 1 },
        }),
        read: (json: AnswerObject) => {
          const isAnswer = "searchParameters" in json || lists[source] in json;
          return isAnswer ? (listAt(json, lists[source])?.map(rawResult) ?? null) : null;
        },
        appliedTime: true,
        warnings: safe === true ? [...warnings, "Serper has no safe search: safe was ignored."] : warnings,
      };
      return searchPages(deps, plan, request, signal);
    },
  };
}

function tbsOf(time: ProviderTime, now: number): string | undefined {
  const { recent, isNewestFirst } = time;
  const parts: string[] = [];
  if (recent) parts.push(`qdr:${recent.unit}${recent.count === 1 ? "" : recent.count}`);
  else if (isBounded(time)) {
    const { first, last } = daysOf(time, now);
    parts.push("cdr:1", `cd_min:${slashDay(first)}`, `cd_max:${slashDay(last)}`);
  }
  if (isNewestFirst) parts.push("sbd:1");
  return parts.length === 0 ? undefined : parts.join(",");
}

function rawResult(each: AnswerObject): RawResult {
  const { link, title, snippet, date, imageUrl, imageWidth, imageHeight } = each;
  return { url: link, title, description: snippet, dates: [date], imageUrl, imageWidth, imageHeight };
}
