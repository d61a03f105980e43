import { describe, expect, it } from "vitest";
import { changedTexts, meaningfulOf } from "./meaningful-changes.ts";

const diff = {
  text: [
    "@@ -1,4 +1,4 @@",
    " # Lamps",
    "-The lamp costs 9  dollars.",
    "+The lamp costs 12 dollars.",
    "+It is sold out.",
    "--5 °C",
  ].join("\n"),
};
const fields = { json: { price: { previous: 9, current: 12 }, "plans[0].name": { previous: null, current: "Pro" } } };
const reason = "It is about the price.";
const named = (before: unknown, after: unknown) => [{ before, after, reason: "named" }];

describe("the changes that a model names", () => {
  it.each([
    ["with both parts", diff, "The lamp costs 9  dollars.", "costs 12 dollars.", "changed"],
    ["that were only added", diff, null, "It is sold out.", "added"],
    ["that were only removed", diff, "-5 °C", null, "removed"],
    ["of fields", fields, "9", "12", "changed"],
    ["of fields without a value before", fields, "", "Pro", "added"],
  ])("are kept %s", (_, changed, before, after, type) => {
    const kept = { type, before: before || null, after: after || null, reason: "named" };
    expect(meaningfulOf(named(before, after), changedTexts(changed), reason)).toEqual([kept]);
  });

  it("are given in the words of the diff, whatever white space and mark they were copied with", () => {
    const [one] = meaningfulOf(named("- The lamp\ncosts 9 dollars.", "+It is sold out."), changedTexts(diff), reason);
    expect(one).toMatchObject({ type: "changed", before: "The lamp costs 9  dollars.", after: "It is sold out." });
  });

  it.each([
    ["added to what was there", "The lamp costs 12 dollars.", null],
    ["that stands on an unchanged line", null, "# Lamps"],
    ["that was made up beside one that is true", "The lamp costs 9  dollars.", "The lamp is free."],
    ["that is no text", { text: "9" }, ["12"]],
  ])("are dropped for a text %s; the changed lines of the diff take their place", (_, before, after) => {
    expect(meaningfulOf(named(before, after), changedTexts(diff), reason)).toEqual([
      { type: "changed", before: "The lamp costs 9  dollars.", after: "The lamp costs 12 dollars.", reason },
      { type: "changed", before: "-5 °C", after: "It is sold out.", reason },
    ]);
  });

  it("are the changed fields where it names none", () => {
    expect(meaningfulOf(undefined, changedTexts(fields), reason)).toEqual([
      { type: "changed", before: "9", after: "12", reason },
      { type: "added", before: null, after: "Pro", reason },
    ]);
  });
});
