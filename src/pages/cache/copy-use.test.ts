import { expect, it } from "vitest";
import { scrapeOptions } from "../../contract/index.ts";
import { planOutputs } from "../formats/plan-outputs.ts";
import { planCopyUse } from "./copy-use.ts";

const now = 1_000_000;
function planFor(given: object, more: { url?: string; isJob?: boolean; conditions?: object } = {}) {
  const options = scrapeOptions.parse(given);
  return planCopyUse({ url: "https://page.test/a", options, plan: planOutputs(options), ...more }, { now: () => now });
}

it("a copy may serve a request when it is as new and as old as the request says", () => {
  expect(planFor({ maxAge: 600 }).span).toEqual({ from: now - 600, to: null });
  expect(planFor({ maxAge: 600, minAge: 100 }).span).toEqual({ from: now - 600, to: now - 100 });
  expect(planFor({ maxAge: 0 }).span).toBeNull();
  expect(planFor({ maxAge: 600 }, { conditions: {} }).span).toBeNull();
});

it.each<[string, object, string?]>([
  ["headers", { headers: { cookie: "a=b" } }],
  ["actions", { actions: [{ type: "wait", milliseconds: 1 }] }],
  ["a profile", { profile: { name: "mine" } }],
  ["a password in its URL", {}, "https://ada:secret@page.test/a"],
])("with %s the response may be private: no copy is used and none is kept", (_what, given, url) => {
  const use = planFor({ maxAge: 600, ...given }, url === undefined ? {} : { url });
  expect([use.span, use.keeps]).toEqual([null, false]);
});

it("nothing is kept of a page without its personal data, or where the caller says so", () => {
  expect(planFor({}).keeps).toBe(true);
  expect(planFor({ redactPII: true })).toMatchObject({ keeps: false, documents: false });
  expect(planFor({ storeInCache: false }).keeps).toBe(false);
});

it("jobs keep their documents themselves", () => {
  expect([planFor({}).documents, planFor({}, { isJob: true }).documents]).toEqual([true, false]);
});
