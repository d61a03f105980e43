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

  it.each([
    ["agent-over-mcp", 1],
    ["company-search", 3],
    ["markdown-folder", 3],
    ["sign-in", 3],
    ["vector-store", 2],
  ])("%s works as written", async (name, answers) => {
    if (name === "sign-in" && lacksChromium) return;
    expect(await follow(readRecipe(name))).toEqual({ answers });
  });

  it("price-monitor works as written", async () => {
    const port = String(await freePort());
    expect(await follow(readRecipe("price-monitor"), { "9000": port })).toEqual({ answers: 3 });
  });

  it("large-batch works as written, with a hundredth of its URLs", async () => {
    const page = readRecipe("large-batch").replaceAll(/COUNT=10000|(?<=\n|: )9600|400(?= gone)/g, (count) =>
      count.replace(/00$/, ""),
    );
    expect(page).toContain("COUNT=100\n");
    expect(await follow(page)).toEqual({ answers: 1 });
  });

  it("from-firecrawl works as written, with another team of this server as the cloud", async () => {
    const cloud = await withNewTeams(app);
    const targets = [{ type: "scrape", urls: ["https://example.com/boats"] }];
    const body = { name: "Boats", schedule: { text: "weekly" }, goal: "prices", targets };
    expect((await cloud.call("POST", "/v2/monitor", { body })).status).toBe(200);
    const words = { "https://api.firecrawl.dev": app.url, "fc-key-of-the-cloud": cloud.key };
    expect(await follow(readRecipe("from-firecrawl"), words)).toEqual({ answers: 2 });
  });
});
