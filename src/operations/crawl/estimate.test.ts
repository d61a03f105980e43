import { describe, expect, it } from "vitest";
import type { EstimateRequest } from "./estimate.ts";
import { estimateOfPages } from "./estimate.ts";

const estimate = (input: Partial<EstimateRequest["input"]>, counted: { count: number; robotsDelayMs?: number }) =>
  estimateOfPages(
    { input: input as EstimateRequest["input"], price: 2, pageLimit: 100, maxActive: 10 },
    { basis: "", robotsDelayMs: 0, ...counted },
  );

describe("the figures of an estimate", () => {
  it("are those of the pages that were counted", () => {
    expect(estimate({}, { count: 40 })).toMatchObject({ pages: 40, credits: 80, seconds: 2, bytes: 2_400_000 });
  });

  it.each([
    [{}, 100],
    [{ maxCredits: 30 }, 15],
    [{ maxCredits: 1 }, 0],
  ])("with %j are of at most %i pages", (input, pages) => {
    expect(estimate(input, { count: 5000 })).toMatchObject({ pages, credits: 2 * pages });
  });

  it("keep to the caller's limits of time and bytes", () => {
    expect(estimate({ maxSeconds: 3, maxBytes: 1000 }, { count: 100 })).toMatchObject({ seconds: 3, bytes: 1000 });
  });

  it.each([
    [{ delay: 1 }, 0, 15],
    [{ delay: 1 }, 2000, 25],
    [{}, 500, 10],
  ])("with %j and %i ms between pages by robots.txt take %i s", (input, robotsDelayMs, seconds) => {
    expect(estimate(input, { count: 10, robotsDelayMs }).seconds).toBe(seconds);
  });
});
