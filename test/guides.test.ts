// The tutorial and the recipes, followed as they are written.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "./support/app.ts";
import { anyEngine } from "./support/engines.ts";
import { followGuide, readGuide, startExampleSite } from "./support/guide-pages.ts";
import { useApp, withNewTeams, withQuickBrowser } from "./support/shared-app.ts";
import { compareShown } from "./support/shown-answers.ts";

let app: TestApp;
beforeAll(async () => {
  app = await useApp(anyEngine, withQuickBrowser);
});
afterAll(() => app.stop());

/** Each guide has a team and a shop to itself: prices and searches are as its reader finds them. */
async function follow(page: string) {
  const [site, { key }] = await Promise.all([startExampleSite(), withNewTeams(app)]);
  return followGuide(page, { site: site.url, server: app.url, key }).finally(() => site.stop());
}

it("every command of the tutorial prints what it shows", async () => {
  expect(await follow(readGuide("docs/tutorial.md"))).toEqual({ answers: 9 });
});

it("a page that shows another answer than the real one fails", async () => {
  const wrong = readGuide("docs/tutorial.md").replace("| Seats | 4 |", "| Seats | 5 |");
  await expect(follow(wrong)).rejects.toThrow("and the page shows");
  const compare = (shown: object, real: object) => () =>
    compareShown("json", JSON.stringify(shown), JSON.stringify(real), new Map());
  expect(compare({ a: 1, "…": "…" }, { a: 1, b: 2 })).not.toThrow();
  expect(compare({ a: [1, "…"] }, { a: [1, 2] })).not.toThrow();
  expect(compare({ a: 1 }, { a: 1, b: 2 })).toThrow("also has b");
  expect(compare({ a: { b: [1] } }, { a: { b: [2] } })).toThrow("answer.a.b.0 is 2");
  expect(compare({ a: "at …" }, { a: "on Monday" })).toThrow("answer.a");
});
