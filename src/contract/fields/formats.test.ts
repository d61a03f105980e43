// The table of formats: what can be requested by a bare name, and what it costs.
import { expect, expectTypeOf, test } from "vitest";
import { type Format, type FormatName, formatNames, formats } from "../index.ts";
import { describeFormats } from "./describe-formats.ts";
import { format } from "./format-field.ts";

const withRequiredOptions = ["attributes", "deterministicJson", "question", "highlights", "query"];

test("the type of a request's formats has exactly the names of the table", () => {
  expectTypeOf<Format["type"]>().toEqualTypeOf<FormatName>();
});

test.each(formatNames)("%s is taken as a name and as an object, unless it has required options", (name) => {
  const isTaken = !withRequiredOptions.includes(name);
  expect(format.safeParse(name).success).toBe(isTaken);
  expect(format.safeParse({ type: name }).success).toBe(isTaken);
  expect(formats[name].description).not.toBe("");
});

test("credits on top of the page", () => {
  const paid = Object.fromEntries(
    formatNames.map((name) => [name, formats[name].credits]).filter(([, credits]) => credits),
  );
  expect(paid).toEqual({ json: 4, deterministicJson: 4, question: 4, highlights: 4, query: 4, audio: 4, video: 4 });
});

test("the documentation names every format with its options", () => {
  const described = describeFormats();
  expect(described.map(({ name }) => name)).toEqual(formatNames);
  expect(described.find(({ name }) => name === "highlights")?.options).toEqual([
    { name: "query", description: "What to look for", shownDefault: undefined, isRequired: true },
    {
      name: "maxTokens",
      description: "Maximum length, at four characters per token",
      shownDefault: undefined,
      isRequired: false,
    },
  ]);
});
