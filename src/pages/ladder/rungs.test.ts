import { describe, expect, it } from "vitest";
import { type LadderRung, placeOnLadder, readRung, rungsOf, rungText, startingWith } from "./rungs.ts";

const names = (rungs: readonly LadderRung[]) => rungs.map(rungText);
const both = ["http", "browser"] as const;
const whole = ["http basic", "browser basic", "http enhanced", "browser enhanced"];

describe("the ladder", () => {
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
    expect(names(rungsOf({ proxy, engines, hasEnhanced }))).toEqual(expected);
  });

  it.each([
    ["browser basic", both, 1],
    ["http enhanced", both, 2],
    // A page that only HTTP can bring goes on above the browser's rung.
    ["browser basic", ["http"], 1],
    ["browser basic", ["browser"], 0],
    ["browser enhanced", ["http"], -1],
  ] as const)("finds the place of %s among those of %j", (text, engines, place) => {
    const rung = readRung(text) as LadderRung;
    expect(placeOnLadder(rungsOf({ proxy: "auto", engines, hasEnhanced: true }), rung)).toBe(place);
  });

  it.each([
    [null, false, [0, 1, 2, 3]],
    ["http basic", false, [0, 1, 2, 3]],
    ["browser basic", false, [1, 0, 2, 3]],
    ["browser enhanced", false, [3, 0, 1, 2]],
    ["http enhanced", true, [1, 2, 0, 3]],
    ["http basic", true, [0, 1, 2, 3]],
  ] as const)("starts with %s (trial: %s), and comes to all others from the foot up", (text, isTrial, order) => {
    const rungs = rungsOf({ proxy: "auto", engines: both, hasEnhanced: true });
    const remembered = text === null ? null : readRung(text);
    expect(names(startingWith(rungs, remembered, isTrial))).toEqual(order.map((place) => whole[place]));
  });

  it("reads what it has written, and nothing else", () => {
    for (const text of whole) expect(rungText(readRung(text) as LadderRung)).toBe(text);
    expect(readRung("carrier pigeon")).toBeNull();
  });
});
