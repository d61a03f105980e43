import { expect, it } from "vitest";
import { type Document, scrapeOptions } from "../../contract/index.ts";
import { pagePrice } from "./page-price.ts";

const metadataOf = (more: object) => ({ metadata: more as Document["metadata"] });
const price = (options: object, more?: object) =>
  pagePrice(scrapeOptions.parse(options), more === undefined ? undefined : metadataOf(more));

it.each<[string, object, object | undefined, number]>([
  ["a page", {}, {}, 1],
  ["a page with many formats that cost nothing", { formats: ["markdown", "html", "links", "images"] }, {}, 1],
  ["a page with data by a schema", { formats: [{ type: "json", schema: { type: "object" } }] }, {}, 5],
  ["a page without personal data", { redactPII: true }, {}, 5],
  ["a page of which nothing is kept", { zeroDataRetention: true }, {}, 2],
  ["a page that a model has judged", {}, { injectionCheck: "model" }, 5],
  ["a page that rules have judged", {}, { injectionCheck: "rules" }, 1],
  ["a cached page in lockdown", { lockdown: true }, {}, 5],
  ["a cached page in lockdown, of which nothing is kept", { lockdown: true, zeroDataRetention: true }, {}, 5],
  ["a PDF of seven pages", {}, { contentType: "application/pdf", numPages: 7 }, 7],
  ["a PDF that does not say how many it has", {}, { contentType: "application/pdf" }, 1],
  ["slides of seven pages", {}, { contentType: "application/vnd.ms-powerpoint", numPages: 7 }, 1],
  [
    "all of that together",
    { redactPII: true, zeroDataRetention: true },
    { contentType: "application/pdf", numPages: 3 },
    8,
  ],
  ["a page before it is read", { redactPII: true }, undefined, 5],
])("%s has its price", (_what, options, document, credits) => {
  expect(price(options, document)).toBe(credits);
});
