// Who is asked under which setting: services of the operator first, open sources after them, no service when that is switched off.
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ConfigError, loadConfig } from "../../src/config.ts";
import { createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { anyEngine, type FreshStore } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { startSources, type TestSources } from "../support/search-sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const clock = createTestClock("2026-11-15T12:00:00Z");
const names = ["keenable", "mwmbl", "hackernews"];
const only =
  "-wikipedia,-wikidata,-stackexchange,-github,-readthedocs,-arxiv,-crossref,-europepmc,-openalex,-gdelt,-commons,-openverse,-govuk,-federalregister";

/** What the index ranks by its texts, titles and descriptions would rank otherwise. */
const shore = [
  {
    name: "pools.md",
    content: `# Pools\n\n${"The tide fills the pools of the shore. ".repeat(6)}A heron hunts there.`,
  },
  { name: "heron.md", content: "# Heron, tide and shore\n\nNothing much is known." },
  { name: "walks.md", content: `# Walks\n\n${"Walk along the shore at low tide. ".repeat(3)}` },
  { name: "zoo.md", content: `# Zoo\n\n${"A heron, another heron and one more heron. ".repeat(5)}` },
];

let servers: Awaited<ReturnType<typeof startSources>>;
let sources: TestSources;
let service: FixtureSite;
let served: { status: number; results: object[] };
let fresh: FreshStore;
const env = () => ({ OPEN_SEARCH: "1", SEARCH_ENGINES: only, SEARCH_TIME_MS: "1500", ...servers.env });

beforeAll(async () => {
  servers = await startSources(names);
  ({ sources } = servers);
  service = await startSite(() => (_, response) => {
    response.writeHead(served.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ results: served.results, unresponsive_engines: [] }));
  });
  fresh = await anyEngine.fresh();
});
afterAll(async () => {
  await servers.close();
  await service.close();
  await fresh.cleanup();
});
beforeEach(async () => {
  clock.advance(86_400_000);
  // Nothing is held against a source that failed in the test before.
  for (const state of await fresh.store.searchSources.list()) {
    await fresh.store.searchSources.put({ ...state, failures: 0, rests: 0, restUntil: 0, lastError: null });
  }
  served = { status: 200, results: [] };
  for (const each of Object.values(sources)) {
    each.asked.length = 0;
    each.fault = null;
    each.hits = [];
  }
});

async function open(more: Record<string, string>): Promise<TestApp> {
  const app = await startApp(anyEngine, { ...env(), ...more }, clock, fresh);
  onTestFinished(() => app.stop());
  return app;
}
const search = async (app: TestApp, query: string, body: object = {}, key?: string) => {
  clock.advance(1);
  return app.call("POST", "/v2/search", { body: { query, extras: true, ...body }, ...(key ? { key } : {}) });
};
const asked = () => Object.values(sources).reduce((sum, { asked: paths }) => sum + paths.length, 0);
const urls = (body: { data: { web: { url: string }[] } }) => body.data.web.map(({ url }) => url);

describe("open search", () => {
  it("is asked only when services of the operator failed or found nothing, which is told", async () => {
    const app = await open({ SEARXNG_ENDPOINT: service.url, SEARCH_PACE: "0" });
    if (sources["keenable"]) sources["keenable"].hits = [{ url: "https://open.example/", title: "Otters" }];
    served.results = [{ url: "https://served.example/", title: "Otters", content: "" }];
    const first = await search(app, "otters");
    expect([urls(first.body), asked()]).toEqual([["https://served.example/"], 0]);
    expect(first.body.data.web[0].engines).toEqual(["searxng"]);
    served = { status: 200, results: [] };
    expect(urls((await search(app, "otters none")).body)).toEqual(["https://open.example/"]);
    served = { status: 500, results: [] };
    const failed = await search(app, "otters failed");
    expect([failed.status, urls(failed.body)]).toEqual([200, ["https://open.example/"]]);
    expect(failed.body.warning).toMatch(/SearXNG failed \(500\)/);
    const dialect = await app.get("/searxng/search?q=otters+dialect");
    expect(dialect.body.results.map(({ url }: { url: string }) => url)).toEqual(["https://open.example/"]);
    expect(dialect.body.unresponsive_engines).toEqual([["SearXNG", "SearXNG failed (500)."]]);
  });

  it("OPEN_SEARCH=0 sends nothing out, whatever is named", async () => {
    const app = await open({ OPEN_SEARCH: "0", SEARCH_ENGINES: "bing" });
    const { status, body } = await search(app, "otters");
    expect([status, body.data.web, asked()]).toEqual([200, [], 0]);
    expect(body.warning).toMatch(/OPEN_SEARCH=1/);
    expect((await app.get("/v2/search/sources")).body).toEqual({ success: true, sources: [] });
    expect(app.logLines.join("\n")).not.toContain("OPEN_SEARCH");
  });

  it("with all sources down and OWN_INDEX=0 is an empty 200 that says why", async () => {
    const app = await open({ OWN_INDEX: "0", SEARCH_PACE: "0" });
    for (const each of Object.values(sources)) each.fault = "500";
    const { status, body } = await search(app, "otters");
    expect([status, body.data.web]).toEqual([200, []]);
    expect(body.warning).toBe("Keenable failed (500). Mwmbl failed (500). Hacker News failed (500).");
  });

  it("when nothing can be reached all sources rest together, in one sentence, and the local index is the answer", async () => {
    const closed = Object.fromEntries(
      names.map((name) => [`SEARCH_ENDPOINT_${name.toUpperCase()}`, "http://127.0.0.1:9"]),
    );
    const app = await open({ ...closed, SEARCH_PACE: "0" });
    const { body } = await search(app, "otters");
    const sentence =
      "No open search source could be reached. This server may have no internet access; they are asked again in 60 s.";
    expect(body.warning).toBe(sentence);
    clock.advance(10_000);
    const again = await search(app, "otters again", { sources: ["web", "news"] });
    expect(again.body.warning).toBe(sentence.replace("60 s", "50 s"));
    await app.call("POST", "/v2/search/index", { body: { files: shore } });
    const alone = await open({ OPEN_SEARCH: "0" });
    for (const query of ["heron", "tide pools of the shore", "shore heron tide"]) {
      const found = urls((await search(app, query)).body);
      expect(found.length).toBeGreaterThan(1);
      expect(found).toEqual(urls((await search(alone, query)).body));
    }
    clock.advance(60_000);
    expect((await search(app, "otters once more")).body.warning).toBe(sentence.replace("60 s", "120 s"));
  });

  it("does not wait for a first result when the local index has some", async () => {
    const app = await open({ SEARCH_TIME_MS: "2000", SEARCH_PACE: "0" });
    await app.call("POST", "/v2/search/index", { body: { files: shore } });
    for (const each of Object.values(sources)) each.fault = "hang";
    const { body } = await search(app, "tide pools");
    expect(urls(body)).toContain("file:///pools.md");
    // Those that are waited for until their own time is over "did not answer in time".
    expect(body.warning).toMatch(/^Keenable was too slow and was left out\./);
  });

  it("a source that never answers rests after the third time in a row", async () => {
    const app = await open({ SEARCH_TIME_MS: "500", SEARCH_PACE: "0" });
    const report = async () => (await app.get("/v2/search/sources")).body.sources[1];
    // The first search loads code and opens connections, which may take longer than a source is given.
    let warmed = 0;
    const warmUp = async () => {
      warmed += 1;
      await search(app, `otters warm ${warmed}`);
      return report();
    };
    await expect.poll(warmUp).toMatchObject({ name: "mwmbl", failures: 0 });
    if (sources["mwmbl"]) sources["mwmbl"].fault = "hang";
    for (const failures of [1, 2]) {
      await search(app, `otters ${failures}`);
      await expect.poll(report).toMatchObject({ name: "mwmbl", state: "ready", failures });
    }
    await search(app, "otters three");
    await expect.poll(report).toMatchObject({ state: "resting", lastError: "Mwmbl did not answer in time." });
    const { body } = await search(app, "otters four");
    // Others may be slow on a busy machine.
    expect(body.warning).toMatch(/\bMwmbl did not answer in time; it is asked again in \d+ s\./);
    // How often it was asked before depends on how much of its half second a slow machine leaves it.
    expect(sources["mwmbl"]?.asked.filter((path) => path.includes("four"))).toEqual([]);
    expect(sources["keenable"]?.bodies.filter((sent) => sent.includes("four"))).toHaveLength(1);
  });

  it("keeps to the pace of each source, which all processes share, and tells it only when no other source answered", async () => {
    const [app, other] = [await open({}), await open({})];
    expect((await search(app, "otters a")).body.warning).toBeUndefined();
    // Mwmbl takes one request a second.
    const { body } = await search(other, "otters b", { trace: true });
    expect(body.warning).toBeUndefined();
    const step = body.trace.find(({ sourcesAsked }: { sourcesAsked?: unknown }) => sourcesAsked);
    expect(step.sourcesAsked).toContainEqual({ name: "mwmbl", ms: expect.any(Number), results: 0, error: "paced" });
    expect(sources["mwmbl"]?.asked).toHaveLength(1);
    clock.advance(1000);
    await search(other, "otters c");
    expect(sources["mwmbl"]?.asked).toHaveLength(2);
    const { body: told } = await app.get("/v2/search/sources");
    expect(told.sources[0].pace).toEqual([
      { requests: 5, seconds: 1, used: expect.any(Number) },
      { requests: 900, seconds: 3600, used: 3 },
    ]);
  });

  it("SHARED_CACHE=1 lets an answer serve every team; SEARCH_CACHE_SECONDS=0 lets it serve no team", async () => {
    const shared = await open({ SHARED_CACHE: "1", SEARCH_PACE: "0" });
    await search(shared, "otters shared");
    await search(shared, "otters shared", {}, otherKey);
    expect(sources["keenable"]?.asked).toHaveLength(1);
    const forgetful = await open({ SEARCH_CACHE_SECONDS: "0", SEARCH_PACE: "0" });
    await search(forgetful, "otters shared");
    await search(forgetful, "otters shared");
    expect(sources["keenable"]?.asked).toHaveLength(3);
  });

  it("a search that has little time ends with what has come", async () => {
    const app = await open({ SEARCH_TIME_MS: "30000", SEARCH_PACE: "0" });
    if (sources["keenable"]) sources["keenable"].hits = [{ url: "https://open.example/", title: "Otters" }];
    if (sources["mwmbl"]) sources["mwmbl"].fault = "hang";
    const { status, body } = await search(app, "otters", { timeout: 3000 });
    expect([status, urls(body)]).toEqual([200, ["https://open.example/"]]);
    expect(body.warning).toBe("Mwmbl was too slow and was left out.");
  });
});

describe("its settings", () => {
  it.each([
    [{ SEARCH_ENGINES: "altavista" }, /^SEARCH_ENGINES names altavista, which does not exist/],
    [{ SEARCH_ENDPOINT_ALTAVISTA: "http://a.example" }, /^SEARCH_ENDPOINT_ALTAVISTA names no search source/],
    [{ SEARCH_ENDPOINT_GITHUB: "nowhere" }, /^SEARCH_ENDPOINT_GITHUB must be a URL/],
    [{ SEARCH_TIME_MS: "1" }, /^SEARCH_TIME_MS must be /],
  ])("%j stops the start with a sentence", (given, sentence) => {
    expect(() => loadConfig(given as Record<string, string>)).toThrow(ConfigError);
    expect(() => loadConfig(given as Record<string, string>)).toThrow(sentence);
  });

  it("choose sources by name", () => {
    const chosen = (given: Record<string, string>) => loadConfig(given).searchSources;
    expect(chosen({})).toHaveLength(17);
    expect(chosen({ SEARCH_ENGINES: "bing,-keenable" })).toEqual(expect.arrayContaining(["bing", "gdelt"]));
    expect(chosen({ SEARCH_ENGINES: "bing,-keenable" })).not.toContain("keenable");
    expect(chosen({ MARGINALIA_API_KEY: "k" })).toContain("marginalia");
    expect(chosen({ OPEN_SEARCH: "0", SEARCH_ENGINES: "bing" })).toEqual([]);
  });
});

describe("the command line", () => {
  it("trawl doctor asks each source one word and tells what came of it", async () => {
    if (sources["keenable"]) sources["keenable"].hits = [{ url: "https://open.example/", title: "Water" }];
    if (sources["mwmbl"]) sources["mwmbl"].fault = "429";
    const { code, stdout } = await runCommand(["doctor"], {
      DATA_DIR: temporaryFolder(),
      CHROMIUM_PATH: "/nowhere/chromium",
      ...env(),
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +Search +Configured, not asked: the local index\.$/m);
    expect(stdout).toMatch(/^ok +Open search +1 of 3 sources answered \(docs\/search\.md\):$/m);
    expect(stdout).toMatch(/^ok +Keenable +answered after \d+ ms\.$/m);
    expect(stdout).toMatch(/^- +Mwmbl +is rate-limited \(429\)\.$/m);
    expect(stdout).toMatch(/^- +Hacker News +found nothing\.$/m);
    expect(asked()).toBe(3);
  });
});
