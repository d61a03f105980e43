// Tavily, a search for programs: it reads the query as plain language. https://docs.tavily.com/documentation/api-reference/endpoint/search
import type { Service } from "./call.ts";
import { type AnswerObject, listAt } from "./json.ts";
import { countryName, readLocale } from "./locale.ts";
import { searchPages } from "./paged-search.ts";
import type { ProviderDeps, ProviderTime, SearchProvider, TimeUnit } from "./search-provider.ts";
import { coveringPreset, daysOf, exactPreset, isBounded, isWholeDays } from "./time-words.ts";

/** There is no second page. */
const perCall = 20;
const maxLength = 400;
const ranges: Partial<Record<TimeUnit, string>> = { d: "day", w: "week", m: "month", y: "year" };
/** Its countries; any other is answered with 400. */
const countries = new Set(
  (
    "AF AL DZ AD AO AR AM AU AT AZ BS BH BD BB BY BE BZ BJ BT BO BA BW BR BN BG BF BI KH CM CA CV CF TD CL CN CO KM CR HR CU " +
    "CY CZ DK DJ DO EC EG SV GQ ER EE ET FJ FI FR GA GM GE DE GH GR GT GN HT HN HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KW " +
    "KG LV LB LS LR LY LI LT LU MG MW MY MV ML MT MR MU MX MD MC MN ME MA MZ MM NA NP NL NZ NI NE NG KP MK NO OM PK PA PG PY " +
    "PE PH PL PT QA RO RU RW SA SN RS SG SK SI SO ZA KR SS ES LK SD SE CH SY TW TJ TZ TH TG TT TN TR TM UG UA AE GB US UY UZ " +
    "VE VN YE ZM ZW"
  ).split(" "),
);
const otherNames: Readonly<Record<string, string>> = { CZ: "czech republic", MM: "myanmar", TR: "turkey" };

export function createTavily(deps: ProviderDeps, key: string, endpoint: string): SearchProvider {
  const service: Service = {
    name: "Tavily",
    endpoint,
    setting: "TAVILY_API_KEY",
    secrets: [key],
    statuses: { 432: "has used up the plan of its key", 433: "has used up the pay-as-you-go limit of its key" },
  };
  return {
    name: service.name,
    supports: {
      operators: new Set(),
      understood: new Set(),
      sources: new Set(["web", "news"]),
      timeRange: "custom",
      maxPerCall: perCall,
    },
    search(request, signal) {
      const { country, place, warnings: ignored } = readLocale(request);
      const { source, safe, includeDomains = [], excludeDomains = [] } = request;
      const time = isBounded(request.timeFilter) ? request.timeFilter : null;
      const warnings = [...ignored];
      if (place !== null) warnings.push("Tavily supports countries only: the place in location was ignored.");
      if (safe === true) warnings.push("Tavily has no safe search: safe was ignored.");
      if (request.text.length > maxLength) {
        warnings.push("Tavily reads 400 characters: the rest of the query was ignored.");
      }
      const body = {
        query: request.text.slice(0, maxLength),
        max_results: Math.min(perCall, Math.max(1, request.limit)),
        search_depth: "basic",
        topic: source === "news" ? "news" : "general",
        country: source === "web" && country !== null && countries.has(country) ? nameOf(country) : undefined,
        include_domains: includeDomains.length === 0 ? undefined : includeDomains,
        exclude_domains: excludeDomains.length === 0 ? undefined : excludeDomains,
        ...(time === null ? {} : rangeOf(time, deps.clock.now())),
      };
      const plan = {
        service,
        maxCalls: 1,
        question: () => ({ path: "/search", headers: { authorization: `Bearer ${key}` }, body }),
        read: (json: AnswerObject) =>
          "results" in json
            ? (listAt(json, "results")?.map(({ url, title, content, published_date: published }) => ({
                url,
                title,
                description: content,
                dates: [published],
              })) ?? null)
            : null,
        appliedTime: time === null || isWholeDays(time, deps.clock.now()),
        warnings,
      };
      return searchPages(deps, plan, request, signal);
    },
  };
}

function rangeOf(time: ProviderTime, now: number) {
  const units = Object.keys(ranges) as TimeUnit[];
  const preset = isWholeDays(time, now) ? exactPreset(time) : coveringPreset(time, units, now);
  if (preset !== null) return { time_range: ranges[preset] };
  const { first, last } = daysOf(time, now);
  return { start_date: first, ...(time.toMs === null || time.toMs >= now ? {} : { end_date: last }) };
}

function nameOf(code: string): string {
  return otherNames[code] ?? countryName(code).toLowerCase().replaceAll("&", "and");
}
