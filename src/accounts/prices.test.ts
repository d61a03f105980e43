import { expect, it } from "vitest";
import { minimumCredits, prices, tokensPerCredit } from "./prices.ts";

it("prices are those of the contract", () => {
  expect(prices).toEqual({
    page: 1,
    redactPii: 4,
    injectionJudgement: 4,
    zeroDataRetention: 1,
    lockdownHit: 5,
    enhancedProxy: 0,
    threatScan: 2,
    map: 1,
    searchTen: 2,
    searchTenZeroDataRetention: 10,
    browserMinute: 2,
    browserMinuteWithPrompt: 7,
    judgement: 1,
  });
  expect(minimumCredits).toEqual({ page: 1, extract: 20, agent: 20, browser: 2 });
  expect(tokensPerCredit).toBe(15);
});
