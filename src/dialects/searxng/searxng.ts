// SearXNG's search API. A provider that fails is part of the answer, as there: the status stays 200.
import * as z from "zod";
import { ServiceError } from "../../base/index.ts";
import { below, type Dialect, type DialectAnswer, type DialectCall, dialectRow } from "../frame/dialect.ts";
import { failureText, silent } from "../frame/dialect-fields.ts";
import { listResults, runSearch, type SearchOutput } from "../frame/results.ts";
import { type GroupResult, resultOf, unresponsiveOf } from "./answer.ts";
import { type Group, type Parameters, type ReadParameters, readParameters, searchParameters } from "./parameters.ts";

const result = z.looseObject({
  url: z.string(),
  title: z.string(),
  content: z.string(),
  engine: z.string(),
  score: z.number(),
  category: z.string(),
  publishedDate: z.string().nullable(),
});
const response = z.object({
  query: z.string(),
  number_of_results: z.int(),
  results: z.array(result),
  answers: z.array(z.unknown()),
  corrections: z.array(z.unknown()),
  infoboxes: z.array(z.unknown()),
  suggestions: z.array(z.unknown()),
  unresponsive_engines: z.array(z.array(z.string())),
});

/** What is found for the groups that one search can serve together. */
interface Found {
  results: GroupResult[];
  unresponsive: [string, string][];
  warning: string | null | undefined;
}

async function find(call: DialectCall, asked: ReadParameters, groups: readonly Group[]): Promise<Found> {
  const category = groups[0]?.category ?? null;
  const { query, lang, country, tbs, safe, timeout, offset, count } = asked;
  try {
    const output = await runSearch(call, {
      query,
      sources: groups.map(({ source }) => source),
      categories: category === null ? [] : [category],
      part: { offset, count },
      lang,
      country,
      tbs,
      safe,
      timeout,
      trace: true,
    });
    return { results: inGroups(output, groups), unresponsive: unresponsiveOf(output), warning: output.warning };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "SEARCH_UNAVAILABLE") throw error;
    return { results: [], unresponsive: [["search", error.message]], warning: null };
  }
}

function inGroups(output: SearchOutput, groups: readonly Group[]): GroupResult[] {
  const listed = listResults(output);
  return groups.flatMap(({ source, name }) =>
    listed.filter((each) => each.source === source).map((each) => ({ ...each, category: name })),
  );
}

/** Web, news and images are one search; a category narrows the web, so each is a separate search. */
function together(groups: readonly Group[]): Group[][] {
  const sets = new Map<string, Group[]>();
  for (const group of groups) {
    const key = group.category ?? "";
    sets.set(key, [...(sets.get(key) ?? []), group]);
  }
  return [...sets.values()];
}

async function answerSearch(fields: Parameters, call: DialectCall): Promise<DialectAnswer> {
  const asked = readParameters(fields);
  const found =
    asked.count === 0 ? [] : await Promise.all(together(asked.groups).map((groups) => find(call, asked, groups)));
  const all = found.flatMap(({ results }) => results);
  const ordered = asked.groups.flatMap(({ name }) => all.filter((each) => each.category === name));
  const warnings = found.flatMap(({ warning }) => (warning ? [warning] : []));
  return {
    body: {
      query: fields.q,
      number_of_results: ordered.length,
      results: ordered.map((each, index) => resultOf(each, asked.before + index + 1)),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [
        // Each once, however many searches it failed in.
        ...new Map(found.flatMap(({ unresponsive }) => unresponsive)),
        ...asked.unserved.map((name) => [name, "not served"]),
      ],
    },
    ignored: asked.ignored,
    warning: [...new Set(warnings)].join(" "),
  };
}

export const searxng: Dialect = {
  name: "searxng",
  tag: "SearXNG",
  group: "search",
  owns: (path) => below("/searxng")(path) || path === "/search",
  rows: [
    dialectRow("GET /searxng /searxng/search", "searxngSearch", "Search as SearXNG does", {
      request: searchParameters,
      response,
      answer: ({ fields }, call) => answerSearch(fields, call),
    }),
    dialectRow("POST /searxng /searxng/search", "searxngSearchByForm", "Search as SearXNG does", {
      request: searchParameters,
      response,
      answer: ({ fields }, call) => answerSearch(fields, call),
    }),
    dialectRow(
      "GET /search",
      "searxngSearchAtRoot",
      "Search as SearXNG does, for tools that drop the path of its base URL; needs q",
      {
        request: searchParameters,
        response,
        async answer({ fields }, call) {
          if (fields.q === undefined) throw new ServiceError("NOT_FOUND", "This path needs the parameter q.");
          return answerSearch(fields, call);
        },
      },
    ),
    dialectRow("GET /searxng/healthz", "searxngHealth", "Whether the server answers", {
      rateGroup: null,
      response: z.string(),
      responseType: "text/plain; charset=utf-8",
      answer: async () => ({ type: "text/plain; charset=utf-8", body: "OK" }),
    }),
    dialectRow("GET /searxng/config", "searxngConfig", "Categories and engines, as SearXNG lists them", {
      rateGroup: "status",
      response: z.looseObject({
        categories: z.array(z.string()),
        engines: z.array(z.looseObject({ name: z.string() })),
      }),
      answer: async () => ({ body: config }),
    }),
    dialectRow("GET /searxng/autocompleter", "searxngAutocomplete", "No suggestions, in the shape of SearXNG's", {
      rateGroup: "status",
      request: z.strictObject({
        q: z.string().max(2000).default("").describe("What was typed so far"),
        autocomplete: silent(),
      }),
      response: z.array(z.unknown()),
      answer: async ({ fields, headers }) => ({
        body: headers["x-requested-with"] === "XMLHttpRequest" ? [] : [fields.q, []],
      }),
    }),
  ],
  failure: ({ message }) => ({ error: message }),
  failureSchema: z.object({ error: failureText }),
};

const categories = ["general", "news", "images", "science", "it"];
const config = {
  categories,
  engines: categories.map((category) => ({
    name: `trawl ${category}`,
    categories: [category],
    shortcut: category,
    enabled: true,
    paging: true,
    language_support: true,
    safesearch: true,
    time_range_support: true,
    timeout: 60,
  })),
  plugins: [],
  instance_name: "Trawl",
  locales: {},
  default_locale: "",
  autocomplete: "",
  safe_search: 0,
  default_theme: "simple",
  version: "2026.8.22",
  public_instance: false,
};
