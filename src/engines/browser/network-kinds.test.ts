import { expect, it } from "vitest";
import { createUrlTest, holdsJson, networkKindOf } from "./network-kinds.ts";

it.each([
  ["https://a.example/api/*", "https://a.example/api/items", true],
  ["https://a.example/api/*", "https://a.example/api/items/1", false],
  ["https://a.example/api/**", "https://a.example/api/items/1?x=/y", true],
  ["**/graphql", "https://a.example/v1/graphql", true],
  ["**/graphql", "https://a.example/v1/graphql?x", false],
  ["https://a.example/*/x", "https://a.example//x", true],
  ["https://a.example/", "https://a.example/", true],
])("the glob %s and %s: %s", (glob, url, expected) => {
  expect(createUrlTest([glob])(url)).toBe(expected);
});

it("a glob of many stars takes no time to speak of", () => {
  const test = createUrlTest([`${"**a".repeat(300)}b`]);
  expect(test(`https://a.example/${"a".repeat(2000)}`)).toBe(false);
});

it.each([
  ["application/json; charset=utf-8", "fetch", "json"],
  ["application/problem+json", "fetch", "json"],
  ["text/plain", "xhr", "text"],
  ["image/svg+xml", "image", "image"],
  ["application/rss+xml", "fetch", "xml"],
  ["text/javascript", "script", "script"],
  ["", "font", "font"],
  ["application/octet-stream", "fetch", "other"],
])("%s for %s is %s", (contentType, resourceType, kind) => {
  expect(networkKindOf(contentType, resourceType)).toBe(kind);
});

it("text is data when it is an object or array", () => {
  expect(['{"a":1}', " [1]", "12", '"a"', "{a}"].map(holdsJson)).toEqual([true, true, false, false, false]);
});
