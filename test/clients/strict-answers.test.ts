// The checker behind every app of the tests: what it knows, and that it sees what is wrong.
import { describe, expect, it } from "vitest";
import { type Endpoint, endpoints } from "../../src/contract/index.ts";
import { answerTypes, besideTypes, untypedAnswers } from "../support/answers/answer-types.ts";
import { strictness } from "../support/answers/strict-answers.ts";

const titles = (endpoints as readonly Endpoint[])
  .filter(({ method }) => method !== "WS")
  .map(({ method, path }) => `${method} ${path}`);

describe("answers", () => {
  it("of every endpoint have a type of the official clients, or the reason why they have none", () => {
    const named = [...Object.keys(answerTypes), ...Object.values(untypedAnswers).flat()];
    expect(titles.filter((title) => !named.includes(title))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
    expect(besideTypes.filter(({ reason, fields }) => reason === "" || fields.length === 0)).toEqual([]);
  });

  it.each([
    ["a field too many", { markdown: "# A", mine: 1 }, "Document must NOT have additional properties: mine"],
    ["one inside of a list", { pages: [{ mine: 1 }] }, "Document/pages/* must NOT have additional properties: mine"],
    ["one of another type", { markdown: null }, "Document/markdown must be string"],
    ["what a tool takes for another type", { summary: 1 }, "firecrawl_scrape/summary must be string,null"],
  ])("with %s are faults", (_what, data, fault) => {
    expect(faultsOf("POST /v2/scrape", { success: true, data })).toContain(`POST /v2/scrape ${fault}`);
  });

  it("with a field too few, or one beside the part that has a type, are faults; as the types say, they are right", () => {
    const started = { success: true, id: "1", url: "http://a.test" };
    expect(faultsOf("POST /v2/crawl", { ...started, url: undefined })).toEqual([
      "POST /v2/crawl CrawlResponse$1 must have required property 'url': url",
    ]);
    expect(faultsOf("POST /v2/scrape", { success: true, data: {}, mine: 1 })).toEqual([
      "POST /v2/scrape has mine beside data",
    ]);
    expect(faultsOf("POST /v2/crawl", started)).toEqual([]);
    expect(faultsOf("POST /v2/scrape", { success: true, data: { markdown: "# A" }, warning: "none" })).toEqual([]);
  });
});

/** Not left for the end of the test, where they would fail it. */
function faultsOf(endpoint: string, body: object): string[] {
  const strict = strictness();
  if (!strict) throw new Error("the official clients are not installed");
  strict.faults.clear();
  strict.judge(endpoint, JSON.parse(JSON.stringify(body)));
  const found = [...strict.faults];
  strict.faults.clear();
  return found;
}
