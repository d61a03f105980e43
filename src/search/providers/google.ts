// Google Programmable Search. Its key is part of the URL, which therefore never leaves `call.ts`.
// https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list
import type { Service } from "./call.ts";
import { withDomains } from "./domains.ts";
import { googleOperators } from "./google-operators.ts";
import { type AnswerObject, asText, listAt, objectAt } from "./json.ts";
import { type Locale, readLocale } from "./locale.ts";
import { type RawResult, searchPages } from "./paged-search.ts";
import type { ProviderDeps, ProviderTime, SearchProvider } from "./search-provider.ts";
import { coveringPreset, daysOf, isBounded, isWholeDays } from "./time-words.ts";

const perCall = 10;
/** The most that start + num may be. */
const lastResult = 100;
const languages = new Set(
  "ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW".split(
    " ",
  ),
);
const otherLanguages: Readonly<Record<string, string>> = {
  he: "iw",
  nb: "no",
  zh: "zh-CN",
  "zh-HANS": "zh-CN",
  "zh-HANT": "zh-TW",
  "zh-HK": "zh-TW",
};
const dates = ["article:published_time", "datepublished", "date", "article:modified_time", "og:updated_time"];

export function createGoogle(deps: ProviderDeps, key: string, cx: string, endpoint: string): SearchProvider {
  const service: Service = {
    name: "Google Programmable Search",
    endpoint,
    setting: "GOOGLE_SEARCH_KEY and GOOGLE_SEARCH_CX",
    secrets: [key, encodeURIComponent(key)],
  };
  return {
    name: service.name,
    supports: {
      operators: googleOperators,
      understood: googleOperators,
      sources: new Set(["web", "images"]),
      timeRange: "custom",
      maxPerCall: perCall,
    },
    search(request, signal) {
      const locale = readLocale(request);
      const { source, safe, timeFilter } = request;
      const time = isBounded(timeFilter) ? timeFilter : null;
      const restriction = time === null ? {} : restrictionOf(time, deps.clock.now());
      const query = {
        key,
        cx,
        q: withDomains(request),
        gl: locale.country?.toLowerCase(),
        lr: languageOf(locale),
        safe: safe === undefined ? undefined : safe ? "active" : "off",
        searchType: source === "images" ? "image" : undefined,
        sort: timeFilter?.isNewestFirst === true ? "date" : undefined,
        ...restriction,
      };
      const plan = {
        service,
        question: (page: number) => {
          const start = page * perCall + 1;
          return { path: "/customsearch/v1", query: { ...query, start, num: Math.min(perCall, lastResult - start) } };
        },
        read: (json: AnswerObject) => {
          const isAnswer = "searchInformation" in json || "items" in json || json.kind === "customsearch#search";
          const list = isAnswer ? listAt(json, "items") : null;
          return list?.map(source === "images" ? rawImage : rawResult) ?? null;
        },
        isLast: (json: AnswerObject) => "queries" in json && !("nextPage" in objectAt(json, "queries")),
        appliedTime: time === null || isWholeDays(time, deps.clock.now()),
        warnings:
          locale.place === null
            ? locale.warnings
            : [...locale.warnings, `${service.name} supports countries only: the place in location was ignored.`],
      };
      return searchPages(deps, plan, request, signal);
    },
  };
}

function restrictionOf(time: ProviderTime, now: number) {
  if (time.recent && isWholeDays(time, now)) return { dateRestrict: `${time.recent.unit}${time.recent.count}` };
  const preset = isWholeDays(time, now) ? null : coveringPreset(time, ["d", "w", "m", "y"], now);
  if (preset !== null) return { dateRestrict: `${preset}1` };
  const { first, last } = daysOf(time, now);
  return { sort: `date:r:${first.replaceAll("-", "")}:${last.replaceAll("-", "")}` };
}

function languageOf({ language, region }: Locale): string | undefined {
  const known = [`${language}-${region}`, language ?? ""].map((each) => otherLanguages[each] ?? each);
  const code = known.find((each) => languages.has(each));
  return code === undefined ? undefined : `lang_${code}`;
}

function rawResult(each: AnswerObject): RawResult {
  const snippet = asText(each.snippet);
  const [metatags = {}] = listAt(objectAt(each, "pagemap"), "metatags") ?? [];
  // "Mar 2, 2026 ... the text"
  const [, opening] = /^(\w{3} \d{1,2}, \d{4}|\d+ \w+ ago)\s+(?:\.\.\.|…|—)/.exec(snippet) ?? [];
  return {
    url: each.link,
    title: each.title,
    description: snippet,
    dates: [...dates.map((name) => metatags[name]), opening],
  };
}

function rawImage(each: AnswerObject): RawResult {
  const { contextLink, width, height } = objectAt(each, "image");
  return {
    url: contextLink,
    title: each.title,
    description: each.snippet,
    imageUrl: each.link,
    imageWidth: width,
    imageHeight: height,
  };
}
