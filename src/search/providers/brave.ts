// Brave Search, which has its own index. https://api-dashboard.search.brave.com/app/documentation
import type { Operator } from "../query/express-query.ts";
import type { Service } from "./call.ts";
import { withDomains } from "./domains.ts";
import { type AnswerObject, isAnswerObject, listAt, objectAt } from "./json.ts";
import { type Locale, readLocale } from "./locale.ts";
import { type RawResult, searchPages } from "./paged-search.ts";
import type { ProviderDeps, ProviderSource, ProviderTime, SearchProvider } from "./search-provider.ts";
import { coveringPreset, daysOf, exactPreset, isBounded, isWholeDays } from "./time-words.ts";

const paths = { web: "/res/v1/web/search", news: "/res/v1/news/search", images: "/res/v1/images/search" };
const perCall = { web: 20, news: 50, images: 100 };
/** The offset counts pages, up to 9; images have none. */
const maxCalls = { web: 10, news: 10, images: 1 };
const presets = { h: undefined, d: "pd", w: "pw", m: "pm", y: "py" };
const operators: ReadonlySet<Operator> = new Set<Operator>(["phrase", "negation", "site", "intitle"]);
const maxWords = 50;
const maxLength = 400;
/** Any other country or language is answered with 422. */
const countries = new Set(
  "AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US".split(
    " ",
  ),
);
const languages = new Set(
  (
    "ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb pl " +
    "pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi"
  ).split(" "),
);
const otherLanguages: Readonly<Record<string, string>> = {
  ja: "jp",
  no: "nb",
  pt: "pt-pt",
  zh: "zh-hans",
  "zh-cn": "zh-hans",
  "zh-sg": "zh-hans",
  "zh-tw": "zh-hant",
  "zh-hk": "zh-hant",
};

export function createBrave(deps: ProviderDeps, key: string, endpoint: string): SearchProvider {
  const service: Service = { name: "Brave", endpoint, setting: "BRAVE_API_KEY", secrets: [key] };
  return {
    name: service.name,
    supports: {
      operators,
      understood: operators,
      sources: new Set(["web", "news", "images"]),
      timeRange: "custom",
      maxPerCall: perCall.web,
    },
    search(request, signal) {
      const locale = readLocale(request);
      const { source, safe } = request;
      const time = isBounded(request.timeFilter) ? request.timeFilter : null;
      const asked = withDomains(request);
      const text = shortened(asked);
      const warnings = [...locale.warnings];
      if (locale.place !== null) warnings.push("Brave supports countries only: the place in location was ignored.");
      if (text !== asked) warnings.push("Brave reads 50 words or 400 characters: the rest of the query was ignored.");
      const query = {
        q: text,
        count: Math.min(perCall[source], Math.max(1, request.limit)),
        country: locale.country !== null && countries.has(locale.country) ? locale.country : undefined,
        search_lang: languageOf(locale),
        safesearch: safe === undefined ? undefined : safe ? "strict" : "off",
        freshness: time === null || source === "images" ? undefined : freshnessOf(time, deps.clock.now()),
        text_decorations: source === "web" ? "false" : undefined,
        result_filter: source === "web" ? "web" : undefined,
      };
      const plan = {
        service,
        maxCalls: maxCalls[source],
        question: (page: number) => ({
          path: paths[source],
          headers: { "x-subscription-token": key },
          query: { ...query, offset: source === "images" ? undefined : page },
        }),
        read: (json: AnswerObject) => readAnswer(json, source),
        isLast: (json: AnswerObject) => objectAt(json, "query").more_results_available === false,
        appliedTime: time === null || (source !== "images" && isWholeDays(time, deps.clock.now())),
        warnings,
      };
      return searchPages(deps, plan, request, signal);
    },
  };
}

function shortened(text: string): string {
  const words = text.split(/\s+/).slice(0, maxWords);
  while (words.length > 1 && words.join(" ").length > maxLength) words.pop();
  return words.join(" ").slice(0, maxLength);
}

function languageOf({ language, region }: Locale): string | undefined {
  const full = region === null ? "" : `${language}-${region.toLowerCase()}`;
  const known = [full, language ?? ""].map((each) => otherLanguages[each] ?? each);
  return known.find((each) => languages.has(each));
}

function freshnessOf(time: ProviderTime, now: number): string | undefined {
  const preset = isWholeDays(time, now) ? exactPreset(time) : coveringPreset(time, ["d", "w", "m", "y"], now);
  if (preset !== null) return presets[preset];
  const { first, last } = daysOf(time, now);
  return `${first}to${last}`;
}

function readAnswer(json: AnswerObject, source: ProviderSource): RawResult[] | null {
  const isAnswer =
    source === "web"
      ? isAnswerObject(json.web ?? (json.type === "search" ? {} : null))
      : "results" in json || "type" in json;
  const list = isAnswer ? listAt(source === "web" ? objectAt(json, "web") : json, "results") : null;
  return list?.map(source === "images" ? rawImage : (each) => rawResult(each, source)) ?? null;
}

function rawResult(each: AnswerObject, source: ProviderSource): RawResult {
  const { url, title, description, page_age: pageAge, age } = each;
  const { src, original } = objectAt(each, "thumbnail");
  const imageUrl = source === "news" ? (original ?? src) : undefined;
  return { url, title, description, dates: [pageAge, age], imageUrl };
}

function rawImage(each: AnswerObject): RawResult {
  const { url, width, height } = objectAt(each, "properties");
  return {
    url: each.url,
    title: each.title,
    imageUrl: url,
    imageWidth: width,
    imageHeight: height,
    dates: [each.page_fetched],
  };
}
