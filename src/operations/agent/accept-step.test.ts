import { describe, expect, it } from "vitest";
import { urlKey } from "../../jobs/index.ts";
import type { CheckUrl } from "../../reach/index.ts";
import { acceptStep } from "./accept-step.ts";
import { type AgentStep, type KnownUrl, overBudget, progressOf } from "./agent-progress.ts";
import { readStep } from "./step-form.ts";

const checkUrl: CheckUrl = (text) => {
  const url = new URL(text);
  return url.hostname === "inside.test" ? { problem: "refused", message: "refused" } : { url };
};
const known = new Map(
  ["https://site.test/a", "https://site.test/b"].map((url): [string, KnownUrl] => [
    urlKey(url),
    { url, text: "", depth: 0 },
  ]),
);
const limits = { pages: 5, credits: 10, pagePrice: 1 };
const accept = (step: object, given: Partial<typeof limits> = {}) =>
  acceptStep(checkUrl, {
    number: 3,
    decision: readStep({ reason: "", ...step }),
    progress: progressOf([]),
    known,
    limits: { ...limits, ...given },
  });

describe("what a language model names", () => {
  it("is done where the agent knows the URL", async () => {
    const { urls, tasks, refused } = await accept({ tool: "scrape", urls: ["https://site.test/a"] });
    expect([urls, tasks.length, refused]).toEqual([["https://site.test/a"], 1, []]);
  });

  it.each([
    ["https://inside.test/", "is not allowed"],
    ["https://site.test/unknown", "is not one of the URLs that can be read"],
  ])("is not done for %s, which %s", async (url, why) => {
    expect(await accept({ tool: "scrape", urls: [url] })).toMatchObject({ tasks: [], refused: [`${url} ${why}.`] });
  });

  it("is done once for a page that it names twice, and as far as limits and credits go", async () => {
    const [a, b] = ["https://site.test/a", "https://site.test/b"];
    expect((await accept({ tool: "scrape", urls: [a, a] })).refused).toEqual([`${a} was already requested.`]);
    const limited = await accept({ tool: "scrape", urls: [a, b] }, { credits: 1 });
    expect([limited.urls, limited.refused]).toEqual([[a], [`${b} exceeds the page or credit limit.`]]);
  });

  it.each([
    ["a search", { tool: "search", query: "lamps" }, { credits: 1 }, "A search costs 2 credits."],
    ["an extract", { tool: "extract" }, {}, "No page has been read yet."],
    [
      "a map",
      { tool: "map", urls: ["https://else.test/"] },
      {},
      "https://else.test/ is not on a site that is known so far.",
    ],
  ])("is refused for %s that cannot be done", async (_what, step, given, why) => {
    expect(await accept(step, given)).toMatchObject({ tasks: [], refused: [why] });
  });
});

describe("a page that was read", () => {
  const step = { context: { settings: { agent: { maxCredits: 5 } } } } as unknown as AgentStep;

  it.each([
    [0, 5, false],
    [3, 2, false],
    [3, 3, true],
    [5, 1, true],
  ])("after %i of 5 credits, for %i more, is neither kept nor paid: %s", (credits, price, isRefused) => {
    const refusal = overBudget(step, { ...progressOf([]), credits }, price);
    expect(refusal?.code).toBe(isRefused ? "CRAWL_BUDGET_EXCEEDED" : undefined);
  });
});
