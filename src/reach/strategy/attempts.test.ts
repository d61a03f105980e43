import { describe, expect, it } from "vitest";
import { type Attempt, attemptName, orderAttempts, placeOfAttempt, planAttempts, readAttempt } from "./attempts.ts";

const names = (attempts: readonly Attempt[]) => attempts.map(attemptName);
const both = ["http", "browser"] as const;
const whole = ["http basic", "browser basic", "http enhanced", "browser enhanced"];
const mayAskSolver = false;

describe("the fetch strategy", () => {
  it.each([
    ["auto", both, true, whole],
    ["auto", both, false, ["http basic", "browser basic"]],
    ["basic", both, true, ["http basic", "browser basic"]],
    ["enhanced", both, true, ["http enhanced", "browser enhanced"]],
    ["enhanced", both, false, ["http basic", "browser basic"]],
    ["auto", ["http"], true, ["http basic", "http enhanced"]],
    ["auto", ["browser"], true, ["browser basic", "browser enhanced"]],
    ["auto", ["browser"], false, ["browser basic"]],
  ] as const)("proxy %s with %j, enhanced proxies: %s", (proxy, engines, hasEnhanced, expected) => {
    expect(names(planAttempts({ proxy, engines, hasEnhanced, mayAskSolver }))).toEqual(expected);
  });

  it.each([
    ["browser basic", both, 1],
    ["http enhanced", both, 2],
    // A page that only HTTP can bring goes on with what is more expensive than the browser.
    ["browser basic", ["http"], 1],
    ["browser basic", ["browser"], 0],
    ["browser enhanced", ["http"], -1],
  ] as const)("finds the place of %s among those of %j", (text, engines, place) => {
    const attempt = readAttempt(text) as Attempt;
    expect(placeOfAttempt(planAttempts({ proxy: "auto", engines, hasEnhanced: true, mayAskSolver }), attempt)).toBe(
      place,
    );
  });

  it.each([
    [null, false, [0, 1, 2, 3]],
    ["http basic", false, [0, 1, 2, 3]],
    ["browser basic", false, [1, 0, 2, 3]],
    ["browser enhanced", false, [3, 0, 1, 2]],
    ["http enhanced", true, [1, 2, 0, 3]],
    ["http basic", true, [0, 1, 2, 3]],
  ] as const)("starts with %s (trial: %s), and comes to all others, the cheapest first", (text, isTrial, order) => {
    const attempts = planAttempts({ proxy: "auto", engines: both, hasEnhanced: true, mayAskSolver });
    const remembered = text === null ? null : readAttempt(text);
    expect(names(orderAttempts(attempts, remembered, isTrial))).toEqual(order.map((place) => whole[place]));
  });

  it("comes to a solver last, and where that has worked directly after the cheapest", () => {
    const plan = (proxy: "auto" | "enhanced", hasEnhanced: boolean) =>
      planAttempts({ proxy, engines: both, hasEnhanced, mayAskSolver: true });
    expect(names(plan("auto", true))).toEqual([...whole, "solver basic"]);
    expect(names(plan("enhanced", true))).toEqual(["http enhanced", "browser enhanced", "solver enhanced"]);
    const remembered = readAttempt("solver basic");
    expect(names(orderAttempts(plan("auto", false), remembered))).toEqual([
      "http basic",
      "solver basic",
      "browser basic",
    ]);
    // A request that cannot ask it begins as if nothing were known.
    const without = planAttempts({ proxy: "auto", engines: both, hasEnhanced: false, mayAskSolver });
    expect(names(orderAttempts(without, remembered))).toEqual(["http basic", "browser basic"]);
  });

  it("reads what it has written, and nothing else", () => {
    for (const text of [...whole, "solver basic", "solver enhanced"])
      expect(attemptName(readAttempt(text) as Attempt)).toBe(text);
    expect(readAttempt("carrier pigeon")).toBeNull();
  });
});
