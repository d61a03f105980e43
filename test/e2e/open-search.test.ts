// Search with nothing configured: open sources on loopback, one server each, that speak the protocols of the real ones.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, type CallOptions, createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { type Fault, type Hit, sourceNames, startSources, type TestSources } from "../support/search-sources.ts";

const clock = createTestClock("2026-11-15T12:00:00Z");
const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`;
const dayMs = 86_400_000;

let servers: Awaited<ReturnType<typeof startSources>>;
let sources: TestSources;
let site: FixtureSite;
let app: TestApp;
const source = (name: string) => {
  const found = sources[name];
  if (!found) throw new Error(`There is no source ${name}`);
  return found;
};

beforeAll(async () => {
  servers = await startSources();
  ({ sources } = servers);
  site = await startSite({
    "/exact": page("Sea ice", "The quick brown fox crosses the ice."),
    "/loose": page("Sea salt", "A fox that is brown and quick crosses the salt."),
    "/kelp": page(
      "Kelp forests",
      `Kelp forests grow along cold coasts. ${"Nothing of this paragraph matters to anybody at all. ".repeat(40)} Sea urchins eat kelp forests.`,
    ),
  });
  app = await startApp(
    anyEngine,
    {
      OPEN_SEARCH: "1",
      SEARCH_ENGINES: "duckduckgo,bing,mojeek,mdn",
      SEARCH_PACE: "0",
      SEARCH_TIME_MS: "2500",
      SEARCH_CONTACT: "ops@example.org",
      MARGINALIA_API_KEY: "m-key",
      GITHUB_SEARCH_TOKEN: "gh-token",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      CREDITS_PER_MONTH: "1000000",
      ...servers.env,
    },
    clock,
  );
});
afterAll(async () => {
  await app.stop();
  await servers.close();
  await site.close();
});
beforeAll(async () => {
  // The first search loads what it needs.
  await app.call("POST", "/v2/search", { body: { query: "first", sources: ["web", "images"] } });
});
beforeEach(async () => {
  // Whatever was cached is old, and no source rests.
  clock.advance(dayMs);
  for (const state of await app.store.searchSources.list()) {
    await app.store.searchSources.put({ ...state, failures: 0, rests: 0, restUntil: 0 });
  }
  for (const each of Object.values(sources)) {
    each.hits = [];
    each.fault = null;
    each.asked.length = 0;
    each.bodies.length = 0;
  }
});

const call = (path: string, body: object, options: CallOptions = {}) => {
  clock.advance(1);
  return app.call("POST", path, { body, ...options });
};
const search = (query: string, body: object = {}, options: CallOptions = {}) =>
  call("/v2/search", { query, extras: true, ...body }, options);
const urlsOf = ({ body }: Answer): string[] => body.data.web.map(({ url }: { url: string }) => url);
const asked = () =>
  Object.entries(sources)
    .filter(([, { asked: paths }]) => paths.length > 0)
    .map(([name]) => name);
const put = (name: string, ...hits: Hit[]) => {
  source(name).hits = hits;
};
const daysAgo = (days: number) => new Date(clock.now() - days * dayMs).toISOString();
const hit = (url: string, title: string, text = "", more: Partial<Hit> = {}): Hit => ({ url, title, text, ...more });

describe("every source by its protocol", () => {
  const news = { sources: ["news"] };
  const images = { sources: ["images"] };
  const image = { image: "https://img.example/otter.jpg" };
  const paper = { doi: "10.1000/otters.1", date: "2024-05-06T00:00:00Z", pdf: "https://press.example/otters.pdf" };
  /** The hit, the request, and the URL that the result has when it is not the hit's. */
  const cases: Record<string, { hit: Hit; body?: object; query?: string; url?: () => string }> = {
    keenable: { hit: hit("https://a.example/otters", "Sea otters", "All about them") },
    mwmbl: { hit: hit("https://b.example/otters", "Sea otters live here", "All about them") },
    wikipedia: { hit: hit("", "Sea otters", "are <big>"), url: () => `${source("wikipedia").url}/wiki/Sea_otters` },
    wikidata: { hit: hit("https://otters.example/", "Sea otters", "a foundation") },
    hackernews: { hit: hit("https://c.example/otters", "Sea otters", "told", { date: "2026-01-02T00:00:00Z" }) },
    stackexchange: {
      hit: hit("https://stackoverflow.com/questions/1/otters", "Sea otters & an error", "how?"),
      body: { categories: ["developer"] },
    },
    github: { hit: hit("https://github.com/sea/otters", "sea/otters", "a library"), body: { categories: ["github"] } },
    readthedocs: {
      hit: hit("https://otters.readthedocs.io/en/latest/sea.html", "Sea otters", "reference"),
      body: { categories: ["docs"] },
    },
    arxiv: {
      hit: hit("https://arxiv.org/abs/2401.00001", "Sea otters", "We count.", {
        pdf: "http://arxiv.org/pdf/2401.00001v2",
      }),
      body: { categories: ["research"] },
    },
    crossref: {
      hit: hit("https://press.example/otters", "Sea otters", "We count.", paper),
      body: { categories: ["research"] },
    },
    europepmc: {
      hit: hit("", "Sea otters", "We count.", { pmid: "77", pmcid: "PMC88" }),
      body: { categories: ["research"] },
      url: () => "https://pmc.ncbi.nlm.nih.gov/articles/PMC88/",
    },
    openalex: {
      hit: hit("https://works.example/otters", "Sea otters", "We count them", paper),
      body: { categories: ["research"] },
    },
    gdelt: { hit: hit("https://n.example/otters", "Sea otters return"), body: news },
    commons: { hit: hit("https://commons.wikimedia.org/wiki/File:Otter.jpg", "Sea otters", "", image), body: images },
    openverse: { hit: hit("https://photos.example/1", "Sea otters", "", image), body: images },
    govuk: {
      hit: hit("/guidance/sea-otters", "Sea otters", "guidance"),
      body: { categories: ["gov"] },
      url: () => `${source("govuk").url}/guidance/sea-otters`,
    },
    federalregister: {
      hit: hit("https://www.federalregister.gov/d/1", "Sea otters", "rule", { pdf: "https://www.govinfo.gov/1.pdf" }),
      body: { categories: ["gov"] },
    },
    marginalia: { hit: hit("https://m.example/otters", "Sea otters", "small web") },
    duckduckgo: { hit: hit("https://d.example/otters?a=1", "Sea otters", "an engine") },
    bing: { hit: hit("https://e.example/otters?a=1&b=2", "Sea otters", "an engine") },
    mojeek: { hit: hit("https://f.example/otters", "Sea otters", "an engine") },
    mdn: {
      hit: hit("https://developer.mozilla.org/en-US/docs/Otters", "Sea otters", "reference"),
      body: { categories: ["code"] },
      url: () => `${source("mdn").url}/en-US/docs/Otters`,
    },
  };

  it("has a case for every source, and a server for every source of the table", async () => {
    expect(Object.keys(cases)).toEqual(sourceNames);
    const { body } = await app.get("/v2/search/sources");
    expect(body.sources.map(({ name }: { name: string }) => name)).toEqual(sourceNames);
  });

  it.each(Object.keys(cases))("%s", async (name) => {
    const { hit: one, body: more = {}, url = () => one.url } = cases[name] ?? { hit: hit("", "") };
    put(name, one);
    const { status, body } = await search("sea otters", { ...more, limit: 5 });
    expect(status).toBe(200);
    const [found] = [...(body.data.web ?? []), ...(body.data.news ?? []), ...(body.data.images ?? [])];
    expect(found).toMatchObject({ url: url(), engines: [name], position: 1 });
    expect(found.title).toContain(name === "github" ? "sea/otters" : "Sea otters");
    expect(body.warning).toBeUndefined();
    const headers = source(name).headers();
    expect(headers["user-agent"]).toMatch(/^Trawl\/\d+\.\d+\.\d+ \(\+ops@example\.org\)$/);
    expect(Object.keys(headers)).not.toContain("authorization-of-the-caller");
  });

  it("sends keys, the contact and its own name where a source wants them", async () => {
    await search("otters paper github", { categories: ["research"] });
    expect(source("crossref").query().get("mailto")).toBe("ops@example.org");
    await search("otters", { categories: ["github"] });
    expect(source("github").headers().authorization).toBe("Bearer gh-token");
    const { body } = await app.get("/v2/search/sources");
    const paceOf = (name: string) => body.sources.find((one: { name: string }) => one.name === name).pace[0];
    expect(paceOf("github")).toMatchObject({ requests: 27, seconds: 60 });
    expect(paceOf("openalex")).toMatchObject({ requests: 80, seconds: 86_400 });
    expect(source("keenable").headers()["x-keenable-title"]).toBe("trawl");
    expect(JSON.parse(source("keenable").bodies.at(-1) ?? "")).toMatchObject({ query: "otters", site: "github.com" });
    await search("otters");
    expect(source("marginalia").headers()["api-key"]).toBe("m-key");
  });

  it("takes files where only files are wanted", async () => {
    put(
      "arxiv",
      hit("https://arxiv.org/abs/2401.00001", "Sea otters", "", { pdf: "http://arxiv.org/pdf/2401.00001v2" }),
    );
    put(
      "keenable",
      hit("https://a.example/otters.pdf", "Sea otters"),
      hit("https://a.example/otters", "Sea otters page"),
    );
    const { body } = await search("sea otters", { categories: ["pdf"] });
    const found = body.data.web.map(({ url, category }: Record<string, string>) => `${url} ${category}`);
    expect(found.sort()).toEqual(["https://a.example/otters.pdf pdf", "https://arxiv.org/pdf/2401.00001v2 pdf"]);
  });
});

describe("who is asked", () => {
  it("general sources, others by what the query is about or by the site that it names", async () => {
    await search("sea otters");
    expect(asked()).toEqual([
      "keenable",
      "mwmbl",
      "wikipedia",
      "wikidata",
      "hackernews",
      "marginalia",
      "duckduckgo",
      "bing",
      "mojeek",
    ]);
    for (const each of Object.values(sources)) each.asked.length = 0;
    await search("python TypeError exception");
    expect(asked()).toEqual(expect.arrayContaining(["stackexchange", "github", "readthedocs", "mdn"]));
    for (const each of Object.values(sources)) each.asked.length = 0;
    await search("otters site:arxiv.org");
    expect(asked()).toEqual(["keenable", "mwmbl", "hackernews", "arxiv", "marginalia", "duckduckgo", "bing", "mojeek"]);
    expect(source("hackernews").query().get("query")).toBe("otters");
    for (const each of Object.values(sources)) each.asked.length = 0;
    await search("the otters of the sea", { includeDomains: ["wikipedia.org"] });
    expect(asked()).toContain("wikipedia");
    expect(asked()).not.toContain("wikidata");
    expect(source("hackernews").query().get("query")).toBe("otters sea");
    expect(source("wikipedia").query().get("srsearch")).toBe("the otters of the sea");
    await search("site:en.wikipedia.org");
    expect(source("wikipedia").query().get("srsearch")).toBe("en.wikipedia.org");
  });

  it("a story without a text is described by what its readers made of it", async () => {
    put("hackernews", { url: "https://c.example/otters", title: "Otters" });
    const { body } = await search("otters");
    expect(body.data.web[0].description).toBe("A story on Hacker News with 5 points.");
  });

  it("pages of governments have their own path, by both verbs, whatever service is configured", async () => {
    put("govuk", hit("https://www.gov.uk/otters", "Otters", "A licence for otters"));
    put("mwmbl", hit("https://b.example/otters", "Otters"));
    const page = { url: "https://www.gov.uk/otters", title: "Otters", description: "A licence for otters" };
    const answer = { success: true, data: { web: [{ ...page, position: 1, category: "gov" }] } };
    const sent = await call("/v2/search/gov", { query: "otters", k: 3, origin: "js-sdk@4.42.0" });
    expect([sent.status, sent.body]).toEqual([200, answer]);
    const got = await app.get("/v2/search/gov?query=otters&k=3");
    expect([got.status, got.body]).toEqual([200, answer]);
    expect(asked()).not.toContain("mwmbl");
    expect((await app.get("/v2/team/activity?endpoint=search&limit=1")).body.data[0]).toMatchObject({
      target: "otters",
    });
    for (const query of ["", "query=%20", "query=x&k=0", "query=x&k=101"]) {
      const bad = await app.get(`/v2/search/gov?${query}`);
      expect([bad.status, bad.body.error, bad.body.details.length]).toEqual([400, "Invalid query parameters", 1]);
    }
    for (const name of ["govuk", "federalregister"]) source(name).fault = "500";
    const failed = await call("/v2/search/gov", { query: "other otters" });
    expect([failed.status, failed.body.code]).toEqual([503, "SEARCH_UNAVAILABLE"]);
  });

  it("a negative query alone asks no source and says so; developer and gov each suffice alone", async () => {
    const { status, body } = await search("-otters");
    expect([status, asked()]).toEqual([200, []]);
    expect(body.warning).toMatch(/no words in it to search for/);
    expect((await search("x", { categories: ["developer", "gov"] })).status).toBe(400);
    expect((await search("x", { categories: ["research", "gov"] })).status).toBe(400);
    for (const name of ["devdex", "repo_search", { type: "developer_index" }, "docs"]) {
      const { status: named } = await search("x", { categories: [name, "developer"] });
      expect([name, named]).toEqual([name, 200]);
    }
  });

  it("dates, language, country and safety reach those that know them; a finer place is told", async () => {
    put(
      "hackernews",
      hit("https://c.example/otters", "Otters", "", { date: daysAgo(1) }),
      hit("https://c.example/old", "Otters", "", { date: "2020-01-01T00:00:00Z" }),
    );
    put("mwmbl", hit("https://b.example/otters", "Otters"));
    const { body } = await search("otters", { tbs: "qdr:w", lang: "de", location: "Berlin,Germany" });
    expect(urlsOf({ body } as Answer)).toEqual(["https://c.example/otters"]);
    expect(body.data.web[0].date).toBeTruthy();
    expect(body.warning).toMatch(/1 result was left out because no date is known/);
    expect(body.warning).toMatch(/the place in location was ignored/);
    expect(source("hackernews").query().get("numericFilters")).toMatch(/^created_at_i>=\d+,created_at_i<=\d+$/);
    await search("otters", { sources: ["news", "images"], country: "DE", safe: true });
    expect(source("gdelt").query().get("query")).toBe("otters sourcecountry:germany");
    expect(source("openverse").query().get("mature")).toBe("false");
  });

  it("pages up to the limit, at most five calls a source", async () => {
    put(
      "openverse",
      ...Array.from({ length: 130 }, (_, at) =>
        hit(`https://p.example/${at}`, "Otter", "", { image: `https://p.example/${at}.jpg` }),
      ),
    );
    const { body } = await search("otter", { sources: ["images"], limit: 100 });
    expect(body.data.images).toHaveLength(100);
    expect(source("openverse").asked).toHaveLength(5);
    put("hackernews", ...Array.from({ length: 40 }, (_, at) => hit(`https://c.example/${at}`, "Otter")));
    expect((await search("otter", { limit: 100 })).body.data.web).toHaveLength(40);
  });
});

describe("operators over the results of all sources", () => {
  it("hold, whoever found a result", async () => {
    const [a, b, c] = ["https://docs.example.com/guide/start", "https://example.com/blog", "https://other.org/guide"];
    put("keenable", hit(a, "Café guide"), hit(b, "The blog"));
    put("mwmbl", hit(c, "A guide to the cafés of Rome"), hit(a, "Café guide"));
    const found = async (query: string) => urlsOf(await search(query)).sort();
    expect(await found("guide site:example.com")).toEqual([a, b].sort());
    expect(await found("guide -site:example.com")).toEqual([c]);
    expect(await found("guide inurl:GUIDE")).toEqual([a, c].sort());
    expect(await found("allinurl:guide docs")).toEqual([a]);
    expect(await found("guide -inurl:guide")).toEqual([b]);
    expect(await found("intitle:cafe")).toEqual([a]);
    expect(await found("allintitle:guide rome")).toEqual([c]);
    expect(await found("guide -intitle:guide")).toEqual([b]);
    put("keenable", hit(`${site.url}/loose`, "Page"), hit("http://10.0.0.1/secret", "Page"));
    put("mwmbl", hit(`${site.url}/exact`, "Page"));
    const quoted = await search('"quick brown fox"');
    expect(urlsOf(quoted)).toEqual([`${site.url}/exact`]);
    // The page behind the private address was not read, so nothing can be said about it.
    expect(quoted.body.warning).toMatch(/1 result was left out because the query's operators could not be checked/);
    expect(source("wikipedia").query().get("srsearch")).toBe('"quick brown fox"');
    put("keenable", hit("https://new.example/", "Sea ice and salt of the north"));
    const related = await search(`related:127.0.0.1`);
    expect(related.status).toBe(200);
  });
});

describe("one list of all", () => {
  it("shows a page once, under its best URL, with everything that is known of it", async () => {
    put("keenable", hit("http://www.otters.example/sea/?utm_source=x&b=2&a=1", "Otters"));
    put(
      "hackernews",
      hit("https://otters.example/sea?a=1&b=2", "Sea otters of the coast", "", { date: "2026-05-05T00:00:00Z" }),
    );
    put(
      "mwmbl",
      hit("http://m.otters.example/sea?b=2&a=1#top", "Otters", "sea otters"),
      hit("https://else.example/", "Sea otters"),
    );
    const { body } = await search("sea otters coast");
    expect(body.data.web[0]).toMatchObject({
      url: "https://otters.example/sea?a=1&b=2",
      title: "Sea otters of the coast",
      description: "sea otters",
      engines: ["keenable", "mwmbl", "hackernews"],
    });
    expect(body.data.web[0].date).toBeTruthy();
    expect(body.data.web).toHaveLength(2);
    const image = { image: "https://img.example/otter.jpg" };
    put("commons", hit("https://commons.wikimedia.org/wiki/File:Otter.jpg", "Otter", "", image));
    put("openverse", hit("https://photos.example/1", "Otter", "", image));
    const { body: pictures } = await search("otter", { sources: ["images"] });
    expect(pictures.data.images).toMatchObject([{ imageUrl: image.image, engines: ["commons", "openverse"] }]);
  });

  it("knows one paper by its DOI and one preprint by its number", async () => {
    const doi = "10.1000/otters.7";
    put("crossref", hit("https://press.example/a", "Otters count", "", { doi }));
    put("openalex", hit("https://repository.example/77", "Otters count", "we count", { doi }));
    put("arxiv", hit("https://arxiv.org/abs/2401.00009", "Otters count", "", { doi }));
    const { body } = await search("otters count", { categories: ["research"] });
    expect(body.data.web).toHaveLength(1);
    expect(body.data.web[0]).toMatchObject({ category: "research", engines: ["arxiv", "crossref", "openalex"] });
  });

  it("puts what has nothing to do with the query last, however much a source has of it", async () => {
    put("keenable", ...Array.from({ length: 10 }, (_, at) => hit(`https://spam.example/${at}`, "Casino bonus")));
    const long = "The otters of the sea ".repeat(10_000);
    put("mwmbl", hit("https://good.example/1", "Sea otters"), hit("https://good.example/2", long, long));
    const found = await search("sea otters");
    expect(urlsOf(found).slice(0, 2)).toEqual(["https://good.example/1", "https://good.example/2"]);
    // No source decides how long a response gets.
    const [, { title, description }] = found.body.data.web;
    expect([title.length < 510, description.length < 2010]).toEqual([true, true]);
  });

  it("has the local index as one list among them, and v1 shows only its three fields", async () => {
    await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/kelp` } });
    await app.index.flush();
    put("keenable", hit("https://a.example/kelp", "Kelp forests"));
    const { body } = await search("kelp forests");
    const engines = body.data.web.map(({ url, engines: by }: { url: string; engines: string[] }) => [url, by]);
    expect(engines).toEqual(
      expect.arrayContaining([
        ["https://a.example/kelp", ["keenable"]],
        [`${site.url}/kelp`, ["index"]],
      ]),
    );
    const again = await app.get(`/v2/search/${body.id}`);
    expect(again.body.data.web).toEqual(body.data.web);
    const { body: v1 } = await call("/v1/search", { query: "kelp forests" });
    expect(Object.keys(v1.data[0]).sort()).toEqual(["description", "title", "url"]);
  });
});

describe("a source that fails", () => {
  const atOnce: [Fault, RegExp, number][] = [
    ["429", /Hacker News is rate-limited \(429\); it is asked again in 120 s\./, 120],
    ["403", /Hacker News refused the search \(403\); it is asked again in 60 s\./, 60],
    ["captcha", /Hacker News asks for a captcha; it is asked again in 60 s\./, 60],
  ];
  it.each(atOnce)(
    "by %s rests at once, is told once, and is tried by one request afterwards",
    async (fault, sentence, seconds) => {
      put("keenable", hit("https://a.example/otters", "Otters"));
      const hn = source("hackernews");
      hn.fault = fault;
      const first = await search("otters one");
      expect([first.status, urlsOf(first)]).toEqual([200, ["https://a.example/otters"]]);
      expect(first.body.warning).toMatch(sentence);
      const second = await search("otters two");
      expect(second.body.warning).toMatch(/^Hacker News .+; it is asked again in \d+ s\.$/);
      expect(hn.asked).toHaveLength(1);
      hn.fault = null;
      clock.advance(seconds * 1000);
      put("hackernews", hit("https://c.example/otters", "Otters"));
      const third = await search("otters three");
      expect(third.body.warning).toBeUndefined();
      expect(urlsOf(third)).toContain("https://c.example/otters");
      expect(hn.asked).toHaveLength(2);
      await search("otters four");
      expect(hn.asked).toHaveLength(3);
    },
  );

  it.each([
    ["500", /Mwmbl failed \(500\)\./],
    ["garbage", /Mwmbl answered with something that is not JSON\./],
    ["shape", /Mwmbl answered in an unknown form\./],
    ["huge", /Mwmbl answered with more than 5 MB\./],
    ["redirect", /Mwmbl redirects to where it must not lead\./],
  ] as [Fault, RegExp][])(
    "by %s rests after the third time in a row, for longer each time",
    async (fault, sentence) => {
      put("keenable", hit("https://a.example/otters", "Otters"));
      const mwmbl = source("mwmbl");
      mwmbl.fault = fault;
      const { status, body } = await search("otters alpha");
      expect([status, urlsOf({ body } as Answer)]).toEqual([200, ["https://a.example/otters"]]);
      expect(body.warning).toMatch(sentence);
      await search("otters beta");
      expect((await search("otters gamma")).body.warning).toMatch(/it is asked again in 60 s\./);
      await search("otters delta");
      expect(mwmbl.asked).toHaveLength(3);
      clock.advance(60_000);
      expect((await search("otters epsilon")).body.warning).toMatch(/it is asked again in 120 s\./);
      expect(mwmbl.asked).toHaveLength(4);
      mwmbl.fault = null;
      clock.advance(120_000);
      expect((await search("otters zeta")).body.warning).toBeUndefined();
      const { body: told } = await app.get("/v2/search/sources");
      const report = told.sources.find(({ name }: { name: string }) => name === "mwmbl");
      expect(report).toMatchObject({
        state: "ready",
        restsUntil: null,
        failures: 0,
        lastError: expect.stringMatching(/^Mwmbl /),
      });
      expect(report.asked.failures).toBeGreaterThan(0);
    },
  );

  it("by silence is left out at the end of the time, and what it finds later serves the next search", async () => {
    put("keenable", hit("https://a.example/otters", "Otters"));
    put("mwmbl", hit("https://b.example/otters", "Otters"));
    source("mwmbl").fault = "slow";
    const startedAt = performance.now();
    const { body } = await search("slow otters", { trace: true });
    expect(performance.now() - startedAt).toBeGreaterThan(1400);
    expect(urlsOf({ body } as Answer)).toEqual(["https://a.example/otters"]);
    expect(body.warning).toBe("Mwmbl was too slow and was left out.");
    const step = body.trace.find(({ sourcesAsked }: { sourcesAsked?: unknown }) => sourcesAsked);
    expect(step.sourcesAsked).toEqual(
      expect.arrayContaining([
        { name: "keenable", ms: expect.any(Number), results: 1 },
        { name: "mwmbl", ms: expect.any(Number), results: 0, error: "slow" },
      ]),
    );
    servers.release();
    await expect
      .poll(async () => urlsOf(await search("slow otters")).sort())
      .toEqual(["https://a.example/otters", "https://b.example/otters"]);
    expect(source("mwmbl").asked).toHaveLength(1);
  });

  it("by a page for people rests at once, whatever it answers with otherwise", async () => {
    source("gdelt").fault = "captcha";
    put("keenable", hit("https://a.example/otters", "Otters", "", { date: daysAgo(1) }));
    const { body } = await search("otters", { sources: ["news"] });
    expect(body.warning).toBe("GDELT asks for a captcha; it is asked again in 60 s.");
  });

  it("with all others leaves the local index, 200 and one sentence each; nothing fails whole", async () => {
    await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/kelp` } });
    await app.index.flush();
    for (const each of Object.values(sources)) each.fault = "500";
    const { status, body } = await search("kelp forests");
    expect([status, urlsOf({ body } as Answer)]).toEqual([200, [`${site.url}/kelp`]]);
    expect(body.warning).toContain("Keenable failed (500).");
    expect(body.warning).toContain("Wikipedia failed (500).");
    const none = await search("xylophone", { sources: ["images"] });
    expect([none.status, none.body.data.images, none.body.creditsUsed]).toEqual([200, [], 0]);
  });
});

describe("what is kept", () => {
  it("a source's answer serves the same search of the same team; a second search asks only those that failed", async () => {
    put("keenable", hit("https://a.example/otters", "Otters"));
    source("mwmbl").fault = "500";
    await search("Cached  Otters");
    source("mwmbl").fault = null;
    const { body } = await search("cached otters", { trace: true });
    expect(urlsOf({ body } as Answer)).toEqual(["https://a.example/otters"]);
    const step = body.trace.find(({ sourcesAsked }: { sourcesAsked?: unknown }) => sourcesAsked);
    expect(step.sourcesAsked[0]).toEqual({ name: "keenable", ms: 0, results: 1 });
    expect([source("keenable").asked.length, source("mwmbl").asked.length]).toEqual([1, 2]);
    await search("cached otters", {}, { key: otherKey });
    expect(source("keenable").asked).toHaveLength(2);
    clock.advance(901_000);
    await search("cached otters");
    expect(source("keenable").asked).toHaveLength(3);
  });

  it("nothing with zero data retention, which says who saw the query", async () => {
    put("keenable", hit("https://a.example/otters", "Otters"));
    const secret = { enterprise: "zdr", trace: true };
    const { body } = await search("unspeakable otters", secret);
    expect(body.warning).toMatch(
      /^The query was sent to Keenable, Mwmbl, .+; this server does not control what they keep of it\.$/,
    );
    await search("unspeakable otters", secret);
    const locked = await search("unspeakable otters", { scrapeOptions: { lockdown: true } });
    expect(locked.body.warning).toMatch(/^The query was sent to Keenable/);
    await search("unspeakable otters");
    expect(source("keenable").asked).toHaveLength(4);
    expect(app.logLines.join("\n")).not.toContain("unspeakable");
    const rows = (await app.fresh.listRows()).filter((row) => row.includes("unspeakable"));
    // Only the search that may be kept.
    expect(rows.every((row) => /^(?:activity|blobs|scrapes)/.test(row))).toBe(true);
    expect(rows.filter((row) => row.startsWith("activity"))).toHaveLength(1);
  });

  it("two searches at the same time share one request", async () => {
    put("keenable", hit("https://a.example/otters", "Otters"));
    const both = await Promise.all([search("twin otters"), search("twin otters")]);
    expect(both.map(urlsOf)).toEqual([["https://a.example/otters"], ["https://a.example/otters"]]);
    expect(source("keenable").asked).toHaveLength(1);
  });
});

describe("results that lead where no request may go", () => {
  it("stay in the list and are never dialled; with ignoreInvalidURLs they are left out", async () => {
    const unsafe = ["http://10.0.0.1/admin", "http://169.254.169.254/latest/meta-data/", "ftp://files.example/otters"];
    put("keenable", ...unsafe.map((url) => hit(url, "Otters")), hit(`${site.url}/exact`, "Otters"));
    const { body } = await search("otters", { scrapeOptions: { formats: ["markdown"] } });
    const found = body.data.web as { url: string; markdown?: string; metadata: { error?: string } }[];
    expect(found.map(({ url }) => url)).toEqual([...unsafe, `${site.url}/exact`]);
    for (const one of found.slice(0, 3)) expect(one.metadata.error).toBeTruthy();
    expect(found[3]?.markdown).toContain("quick brown fox");
    expect(urlsOf(await search("otters", { ignoreInvalidURLs: true }))).toEqual([`${site.url}/exact`]);
  });
});

describe("for agents", () => {
  it("excludeSeen leaves out what earlier searches found, and fills up with what comes next", async () => {
    put("keenable", ...Array.from({ length: 6 }, (_, at) => hit(`https://a.example/${at}`, `Otters ${at}`)));
    const first = await search("otters", { limit: 3 });
    expect(urlsOf(first)).toEqual([0, 1, 2].map((at) => `https://a.example/${at}`));
    const second = await search("otters", { limit: 3, excludeSeen: [first.body.id] });
    expect(urlsOf(second)).toEqual([3, 4, 5].map((at) => `https://a.example/${at}`));
    const foreign = await search("otters", { limit: 3, excludeSeen: [first.body.id] }, { key: otherKey });
    expect(urlsOf(foreign)).toHaveLength(3);
    expect(foreign.body.warning).toMatch(/excludeSeen: the search .+ is not stored/);
    expect((await search("otters", { excludeSeen: ["x"] })).status).toBe(400);
  });

  it("extract finds its pages through the same sources, at the same pace", async () => {
    put("keenable", hit(`${site.url}/kelp`, "Kelp forests"));
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const body = { urls: [`${site.url}/exact`], prompt: "kelp forests", schema, enableWebSearch: true };
    const { body: started } = await call("/v2/extract", body);
    const status = async () => (await app.get(`/v2/extract/${started.id}`)).body.status;
    await expect.poll(status).toBe("completed");
    expect(asked()).toEqual(expect.arrayContaining(["keenable", "wikipedia", "hackernews"]));
    expect(site.asked).toContain("/kelp");
  });

  it("maxTokens reads the pages and returns the passages that fit the query, no longer than that", async () => {
    put("keenable", hit(`${site.url}/kelp`, "Kelp forests"));
    const { body } = await search("sea urchins eat kelp", { maxTokens: 60 });
    const [found] = body.data.web;
    expect(found.highlights).toContain("Sea urchins eat kelp forests");
    expect(found.highlights.length).toBeLessThanOrEqual(60 * 4 + 2);
    expect(found.markdown).toBeUndefined();
  });

  it("files of a team are found beside the web, by that team alone", async () => {
    const files = [
      {
        name: "handbook/leave.md",
        content: "---\ntitle: Parental leave\ndate: 2026-03-01\n---\n# Leave\n\nTwenty *weeks* of kumquat leave.",
      },
      { name: "notes.txt", content: "Kumquat notes of the meeting" },
      {
        name: "page.html",
        content: "<title>Kumquat page</title><main><p>About kumquat trees.</p></main>",
        url: "https://intranet.example/kumquat",
      },
      { name: "slides.pptx", content: "x" },
      { name: "tune.xyz", content: "x" },
    ];
    const { status, body } = await app.call("POST", "/v2/search/index", { body: { files } });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        added: 3,
        refused: [
          { name: "slides.pptx", error: expect.stringMatching(/cannot|no entries/) },
          { name: "tune.xyz", error: expect.stringMatching(/^Files of this type/) },
        ],
      },
    ]);
    const found = await search("kumquat");
    expect(urlsOf(found).sort()).toEqual([
      "file:///handbook/leave.md",
      "file:///notes.txt",
      "https://intranet.example/kumquat",
    ]);
    const leave = found.body.data.web.find(({ url }: { url: string }) => url.endsWith("leave.md"));
    expect(leave).toMatchObject({ title: "Parental leave", engines: ["index"], date: "2026-03-01T00:00:00.000Z" });
    const notes = found.body.data.web.find(({ url }: { url: string }) => url.endsWith("notes.txt"));
    expect(notes).not.toHaveProperty("date");
    expect(urlsOf(await search("kumquat", {}, { key: otherKey }))).toEqual([]);
    expect((await app.call("POST", "/v2/search/index", { body: { files: [] } })).status).toBe(400);
    const bad = [{ name: "a.md", content: "x", url: "javascript:alert(1)" }];
    expect((await app.call("POST", "/v2/search/index", { body: { files: bad } })).status).toBe(400);
  });
});

describe("metrics and the log", () => {
  it("count requests and failures by source, and the start names the sources", async () => {
    await search("otters");
    const { text } = await app.get("/metrics");
    expect(text).toMatch(/^trawl_search_source_requests_total\{source="keenable"\} \d+$/m);
    expect(app.logLines.join("\n")).toMatch(/"sources":\["keenable".+OPEN_SEARCH=0 turns that off/);
  });
});
