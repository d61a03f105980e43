// The tutorial and the recipes, followed as they are written.
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "./support/app.ts";
import { lacksChromium } from "./support/browser.ts";
import { anyEngine } from "./support/engines.ts";
import { listenOnNewPort } from "./support/fixture-ports.ts";
import { followGuide, readGuide, startExampleSite } from "./support/guide-pages.ts";
import { useApp, withNewTeams, withQuickBrowser } from "./support/shared-app.ts";
import { compareShown } from "./support/shown-answers.ts";
import { startSmallModel } from "./support/small-model.ts";

let app: TestApp;
let model: Awaited<ReturnType<typeof startSmallModel>>;
beforeAll(async () => {
  const settings = { ...withQuickBrowser, WEBHOOK_SECRET: "correct-horse-battery" };
  [app, model] = await Promise.all([useApp(anyEngine, settings), startSmallModel()]);
});
afterAll(() => Promise.all([app.stop(), model.close()]));

/** Each guide has a team and a shop to itself: prices and searches are as its reader finds them. */
async function follow(page: string, words: Record<string, string> = {}) {
  const [site, { key }] = await Promise.all([startExampleSite(), withNewTeams(app)]);
  const own = { "http://127.0.0.1:11434": model.url, ...words };
  return followGuide(page, { site: site.url, server: app.url, key, words: own }).finally(() => site.stop());
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

const recipes = readdirSync(join(import.meta.dirname, "../docs/recipes"));
const readRecipe = (name: string) => readGuide(`docs/recipes/${name}.md`);

async function freePort(): Promise<number> {
  const server = createServer();
  await listenOnNewPort(server);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describe("the recipe", () => {
  it.each(recipes)("%s has fewer than 80 lines", (file) => {
    expect(readGuide(`docs/recipes/${file}`).trimEnd().split("\n").length).toBeLessThan(80);
  });

  /** Each page, how many answers it shows, and what its words are here. */
  const readers: Record<string, () => Promise<{ answers: number }>> = {
    "agent-over-mcp": () => follow(readRecipe("agent-over-mcp")),
    "company-search": () => follow(readRecipe("company-search")),
    "from-firecrawl": followFromFirecrawl,
    "large-batch": () => follow(inHundredth(readRecipe("large-batch"))),
    "markdown-folder": () => follow(readRecipe("markdown-folder")),
    "price-monitor": async () => follow(readRecipe("price-monitor"), { "9000": String(await freePort()) }),
    "sign-in": async () => (lacksChromium ? { answers: 3 } : follow(readRecipe("sign-in"))),
    "vector-store": () => follow(readRecipe("vector-store")),
  };
  const answers = {
    ...{ "agent-over-mcp": 1, "company-search": 3, "from-firecrawl": 2, "large-batch": 1 },
    ...{ "markdown-folder": 3, "price-monitor": 3, "sign-in": 3, "vector-store": 2 },
  };

  // Together, because most of their time is waiting.
  it("works as written, each of them", async () => {
    expect(Object.keys(readers).map((name) => `${name}.md`)).toEqual(recipes.toSorted());
    const ends = Object.entries(readers).map(async ([name, read]) => [
      name,
      await read().then(
        (end) => end.answers,
        (error: Error) => error.message,
      ),
    ]);
    expect(Object.fromEntries(await Promise.all(ends))).toEqual(answers);
  });
});

/** A hundredth of the batch. */
function inHundredth(page: string): string {
  const smaller = page.replaceAll(/COUNT=10000|(?<=\n|: )9600|400(?= gone)/g, (count) => count.replace(/00$/, ""));
  expect(smaller).toContain("COUNT=100\n");
  return smaller;
}

/** Another team of this server plays the cloud. */
async function followFromFirecrawl() {
  const cloud = await withNewTeams(app);
  const targets = [{ type: "scrape", urls: ["https://example.com/boats"] }];
  const body = { name: "Boats", schedule: { text: "weekly" }, goal: "prices", targets };
  expect((await cloud.call("POST", "/v2/monitor", { body })).status).toBe(200);
  const words = { "https://api.firecrawl.dev": app.url, "fc-key-of-the-cloud": cloud.key };
  return follow(readRecipe("from-firecrawl"), words);
}
