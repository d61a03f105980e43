// What holds for every row of the table of sources.
import { describe, expect, it } from "vitest";
import { defaultSources, scrapedSources } from "../../config/search-source-names.ts";
import { parseQuery } from "../query/parse-query.ts";
import type { SourceQuestion } from "./source.ts";
import { openSources } from "./source-table.ts";
import { askedWords, expressTerms, termsOf } from "./terms.ts";

const namesOf = (tier: string) => openSources.filter((source) => source.tier === tier).map(({ name }) => name);

function questionOf(text: string, more: Partial<SourceQuestion> = {}): SourceQuestion {
  const terms = termsOf(parseQuery(text));
  return {
    ...{ kind: "web", category: null, terms, text: askedWords(terms, true), count: 10, fromMs: null, toMs: null },
    ...{ isNewestFirst: false, now: Date.UTC(2026, 10, 15), language: "en", isLanguageAsked: false, country: null },
    ...{ site: null, safe: false, base: "https://source.example", mail: null, key: null },
    ...more,
  } as SourceQuestion;
}

describe("the table of sources", () => {
  it("has the names that settings know, each once, in one order", () => {
    expect(namesOf("open")).toEqual(defaultSources);
    expect(namesOf("scraped")).toEqual(scrapedSources);
    expect(namesOf("keyed")).toEqual(["marginalia"]);
    expect(new Set(openSources.map(({ title }) => title)).size).toBe(openSources.length);
  });

  it.each(openSources.map((source) => [source.name, source] as const))("%s is complete", (name, source) => {
    expect(name).toMatch(/^[a-z]+$/);
    expect(new URL(source.base.replace("{language}", "en")).protocol).toBe("https:");
    expect(source.base).not.toMatch(/\/$/);
    expect(source.serves.size).toBeGreaterThan(0);
    expect(source.pace.length).toBeGreaterThan(0);
    for (const { most, seconds } of source.keyedPace ?? []) {
      expect(most).toBeGreaterThanOrEqual(source.pace.find((one) => one.seconds === seconds)?.most ?? most);
    }
    expect(source.terms).toMatch(/\.$/);
    const { path } = source.ask(questionOf("sea otters"), null);
    expect(path).toMatch(/^\//);
    // Whatever comes, nothing is thrown further than the caller that expects it.
    for (const json of [null, [], {}, 1, "x", { results: "x", items: 1, hits: {}, message: [] }]) {
      const read = () => source.read({ text: "x", json, tree: null }, questionOf("x"), null);
      expect(() => {
        const found = read();
        expect(found === null || found === "refused" || Array.isArray(found.results)).toBe(true);
      }).not.toThrow();
    }
  });

  it("puts dates, phrases and titles as each source says them", () => {
    const [fromMs, toMs] = [Date.UTC(2026, 0, 2), Date.UTC(2026, 1, 3)];
    const asked = (name: string, text: string, more: Partial<SourceQuestion> = {}) => {
      const source = openSources.find((each) => each.name === name);
      return source?.ask(questionOf(text, more), null);
    };
    expect(asked("arxiv", 'intitle:otters "sea ice" the north', { fromMs, toMs })?.query?.["search_query"]).toBe(
      'ti:otters AND all:"sea ice" AND all:north AND submittedDate:[202601020000 TO 202602030000]',
    );
    expect(asked("arxiv", "sea/otters of")?.query?.["search_query"]).toBe("all:sea AND all:otters");
    expect(asked("arxiv", "", { text: "arxiv.org" })?.query?.["search_query"]).toBe('all:"arxiv.org"');
    expect(asked("wikipedia", '"sea ice" -salt intitle:otter')?.query?.["srsearch"]).toBe(
      '"sea ice" -salt intitle:otter',
    );
    expect(asked("europepmc", "otters (AND: sea)", { fromMs })?.query?.["query"]).toBe(
      "otters sea AND FIRST_PDATE:[2026-01-02 TO 2026-11-15]",
    );
    expect(asked("github", "sea user:evil otters", { fromMs, toMs })?.query?.["q"]).toBe(
      "sea user evil otters pushed:>=2026-01-02 pushed:<=2026-02-03",
    );
    expect(asked("crossref", "otters", { fromMs, toMs, mail: "a@b.example" })?.query).toMatchObject({
      filter: "from-pub-date:2026-01-02,until-pub-date:2026-02-03",
      mailto: "a@b.example",
    });
    expect(asked("govuk", "otters", { fromMs })?.query).toMatchObject({
      filter_public_timestamp: "from:2026-01-02",
      fields: ["title", "link", "description", "public_timestamp"],
    });
    expect(asked("federalregister", "otters", { toMs })?.query?.["conditions[publication_date][lte]"]).toBe(
      "2026-02-03",
    );
    expect(asked("gdelt", "otters", { fromMs, toMs })?.query).toMatchObject({
      startdatetime: "20260102000000",
      enddatetime: "20260203000000",
    });
    expect(asked("keenable", "otters", { kind: "news" })?.body).toMatchObject({
      query: "otters",
      max_results: 10,
      published_after: "2026-10-16T00:00:00.000Z",
    });
    expect(expressTerms(termsOf(parseQuery("-inurl:x sea -allintitle:a b")), new Set(["negation"]))).toBe("sea");
  });
});
