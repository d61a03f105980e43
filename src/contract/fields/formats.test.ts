// The table of formats: what can be requested by a bare name, and what it costs.
import { describe, expect, expectTypeOf, test } from "vitest";
import { describeFormats, type Format, type FormatName, formatCredits, formatNames, formats } from "../index.ts";
import { format } from "./format-field.ts";

const withRequiredOptions = ["attributes", "question", "highlights", "query"];

test("the type of a request's formats has exactly the names of the table", () => {
  expectTypeOf<Format["type"]>().toEqualTypeOf<FormatName>();
});

test.each(formatNames)("%s is taken as a name and as an object, unless it has required options", (name) => {
  const isTaken = !withRequiredOptions.includes(name);
  expect(format.safeParse(name).success).toBe(isTaken);
  expect(format.safeParse({ type: name }).success).toBe(isTaken);
  expect(formats[name].description).not.toBe("");
});

describe("credits on top of the page", () => {
  const question = { type: "question", question: "Why?" };
  const query = { type: "query", prompt: "Why?" };
  test.each([
    [[], 0],
    [["markdown", "links", "screenshot", "summary"], 0],
    [["json"], 4],
    [["json", "json"], 4],
    [[{ type: "highlights", query: "x" }, "json"], 8],
    [[question, query], 4],
    [[query], 4],
    [["markdown", "changeTracking"], 0],
    [["markdown", { type: "changeTracking", modes: ["json"] }], 4],
    [["json", { type: "changeTracking", modes: ["json"] }], 4],
  ])("%j: %d", (asked, credits) => {
    expect(formatCredits(asked.map((one) => format.parse(one)))).toBe(credits);
  });
});

test("the documentation names every format with its options", () => {
  const described = describeFormats();
  expect(described.map(({ name }) => name)).toEqual(formatNames);
  expect(described.find(({ name }) => name === "highlights")?.options).toEqual([
    { name: "query", description: "What to look for", shownDefault: undefined, isRequired: true },
  ]);
});
