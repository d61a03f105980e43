// SearchApi: Google's results. https://www.searchapi.io/docs/google
import type { Service } from "./call.ts";
import { withDomains } from "./domains.ts";
import { googleResultPages } from "./google-operators.ts";
import { type AnswerObject, listAt, objectAt } from "./json.ts";
import { googleLanguage, readLocale } from "./locale.ts";
import { type RawResult, searchPages } from "./paged-search.ts";
import type { ProviderDeps, ProviderTime, SearchProvider } from "./search-provider.ts";
import { daysOf, exactPreset, isBounded, isWholeDays } from "./time-words.ts";

const engines = { web: "google", news: "google_news", images: "google_images" };
const lists = { web: "organic_results", news: "organic_results", images: "images" };
const periods = { h: "last_hour", d: "last_day", w: "last_week", m: "last_month", y: "last_year" };

export function createSearchApi(deps: ProviderDeps, key: string, endpoint: string): SearchProvider {
  const service: Service = { name: "SearchApi", endpoint, setting: "SEARCHAPI_API_KEY", secrets: [key] };
  return {
    name: service.name,
    supports: googleResultPages,
    search(request, signal) {
      const locale = readLocale(request);
      const { country, place, warnings } = locale;
      const { source, timeFilter, safe } = request;
      const time = isBounded(timeFilter) ? timeFilter : null;
      const query = {
        engine: engines[source],
        q: withDomains(request),
        gl: country?.toLowerCase(),
        hl: googleLanguage(locale),
        location: place ?? undefined,
        safe: safe === undefined ? undefined : safe ? "active" : "off",
        ...(time === null ? {} : periodOf(time, deps.clock.now())),
        sort_by: source === "news" && timeFilter?.isNewestFirst === true ? "most_recent" : undefined,
      };
      const plan = {
        service,
        question: (page: number) => ({
          path: "/api/v1/search",
          headers: { authorization: `Bearer ${key}` },
          query: { ...query, page: page + 1 },
        }),
        read: (json: AnswerObject) => {
          const isAnswer = "search_metadata" in json || "search_parameters" in json || lists[source] in json;
          const list = isAnswer ? listAt(json, lists[source]) : null;
          return list?.map(source === "images" ? rawImage : rawResult) ?? null;
        },
        appliedTime: time === null || exactPreset(time) !== null || isWholeDays(time, deps.clock.now()),
        warnings,
      };
      return searchPages(deps, plan, request, signal);
    },
  };
}

function periodOf(time: ProviderTime, now: number) {
  const preset = exactPreset(time);
  if (preset !== null) return { time_period: periods[preset] };
  const { first, last } = daysOf(time, now);
  return { time_period_min: monthFirst(first), time_period_max: monthFirst(last) };
}

function monthFirst(day: string): string {
  const [year, month, date] = day.split("-");
  return `${month}/${date}/${year}`;
}

function rawResult(each: AnswerObject): RawResult {
  const { link, title, snippet, date, iso_date: isoDate, thumbnail } = each;
  return { url: link, title, description: snippet, dates: [isoDate, date], imageUrl: thumbnail };
}

function rawImage(each: AnswerObject): RawResult {
  const { link: imageUrl, width, height } = objectAt(each, "original");
  const { link } = objectAt(each, "source");
  return { url: link, title: each.title, imageUrl, imageWidth: width, imageHeight: height };
}
