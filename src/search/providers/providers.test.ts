// Each provider against a service on loopback that speaks its protocol, through the real way out.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { openNet, type Site, startSite } from "../../../test/support/site-server.ts";
import { createProviders, type ProviderSettings } from "./create-providers.ts";
import type {
  ProviderAnswer,
  ProviderFailure,
  ProviderRequest,
  ProviderTime,
  SearchProvider,
} from "./search-provider.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
function keep<Part extends { close(): Promise<void> }>(part: Part): Part {
  opened.push(part);
  return part;
}

const now = Date.UTC(2026, 10, 15, 12);
const key = "SECRET/key+0123456789";
const names = ["SearXNG", "Serper", "SearchApi", "Brave", "Tavily", "Google Programmable Search"] as const;
type Name = (typeof names)[number];
const nothing: ProviderSettings = {
  searxngEndpoint: null,
  serperApiKey: null,
  searchApiKey: null,
  braveApiKey: null,
  tavilyApiKey: null,
  googleSearchKey: null,
  googleSearchCx: null,
};

interface Asked {
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
  headers: IncomingMessage["headers"];
}

interface Service {
  provider: SearchProvider;
  asked: Asked[];
  site: Site;
}

/** A service that answers what `answer` makes of each question: an object as JSON, a function by itself. */
async function serve(name: Name, answer: (asked: Asked, index: number) => unknown): Promise<Service> {
  const asked: Asked[] = [];
  const site = keep(
    await startSite((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const url = new URL(request.url ?? "", "http://x");
        const text = Buffer.concat(chunks).toString();
        asked.push({
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          body: text === "" ? {} : JSON.parse(text),
          headers: request.headers,
        });
        const made = answer(asked.at(-1) as Asked, asked.length - 1);
        if (typeof made === "function") made(response);
        else response.setHeader("content-type", "application/json").end(JSON.stringify(made));
      });
    }),
  );
  return { provider: providerAt(name, site.url), asked, site };
}

function providerAt(name: Name, url: string): SearchProvider {
  const net = keep(openNet());
  const settings: Record<Name, Partial<ProviderSettings>> = {
    SearXNG: { searxngEndpoint: url.replace("http://", "http://user:SECRET-password@") },
    Serper: { serperApiKey: key },
    SearchApi: { searchApiKey: key },
    Brave: { braveApiKey: key },
    Tavily: { tavilyApiKey: key },
    "Google Programmable Search": { googleSearchKey: key, googleSearchCx: "cx1" },
  };
  const endpoints = { serper: url, searchApi: url, brave: url, tavily: url, google: url };
  const deps = { net, clock: { now: () => now } };
  const [provider] = createProviders({ ...nothing, ...settings[name] }, deps, endpoints);
  if (provider?.name !== name) throw new Error(`not ${name}`);
  return provider;
}

const search = (
  provider: SearchProvider,
  request: Partial<ProviderRequest> = {},
  signal = AbortSignal.timeout(60_000),
) => provider.search({ text: "otter dams", limit: 10, source: "web", timeFilter: null, ...request }, signal);
async function answered(provider: SearchProvider, request?: Partial<ProviderRequest>): Promise<ProviderAnswer> {
  const outcome = await search(provider, request);
  if (!outcome.ok) throw new Error(outcome.cause);
  return outcome;
}
async function failed(provider: SearchProvider, request?: Partial<ProviderRequest>): Promise<ProviderFailure> {
  const outcome = await search(provider, request);
  if (outcome.ok) throw new Error("it did not fail");
  return outcome;
}

const page = (index: number, count: number) => Array.from({ length: count }, (_, at) => index * count + at);
const pageUrl = (at: number) => `https://site${at}.example/`;
/** A page of results in the shape of each service. */
const shapes: Record<Name, (ids: number[]) => unknown> = {
  SearXNG: (ids) => ({ results: ids.map((at) => ({ url: pageUrl(at), title: `T${at}`, content: "c" })) }),
  Serper: (ids) => ({
    searchParameters: {},
    organic: ids.map((at) => ({ link: pageUrl(at), title: `T${at}`, snippet: "c" })),
  }),
  SearchApi: (ids) => ({
    search_metadata: {},
    organic_results: ids.map((at) => ({ link: pageUrl(at), title: `T${at}`, snippet: "c" })),
  }),
  Brave: (ids) => ({
    type: "search",
    web: { results: ids.map((at) => ({ url: pageUrl(at), title: `T${at}`, description: "c" })) },
  }),
  Tavily: (ids) => ({ results: ids.map((at) => ({ url: pageUrl(at), title: `T${at}`, content: "c" })) }),
  "Google Programmable Search": (ids) => ({
    kind: "customsearch#search",
    items: ids.map((at) => ({ link: pageUrl(at), title: `T${at}`, snippet: "c" })),
  }),
};

const recent = (unit: "h" | "d" | "w" | "m" | "y", count = 1): ProviderTime => {
  const days = { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }[unit] * count;
  return { fromMs: now - days * 86_400_000, toMs: now + 86_400_000, recent: { unit, count }, isNewestFirst: false };
};
const range = (from: string | null, to: string | null): ProviderTime => ({
  fromMs: from === null ? null : Date.parse(`${from}T00:00:00Z`),
  toMs: to === null ? null : Date.parse(`${to}T23:59:59.999Z`),
  isNewestFirst: false,
});

describe("providers", () => {
  it("are those that are configured, in a fixed order", () => {
    const deps = { net: keep(openNet()), clock: { now: () => now } };
    const all = {
      googleSearchCx: "x",
      googleSearchKey: "x",
      tavilyApiKey: "x",
      braveApiKey: "x",
      searchApiKey: "x",
      serperApiKey: "x",
      searxngEndpoint: "http://x",
    };
    expect(createProviders(all, deps).map(({ name }) => name)).toEqual(names);
    expect(createProviders(nothing, deps)).toEqual([]);
    expect(createProviders({ ...nothing, googleSearchKey: "x" }, deps)).toEqual([]);
  });
});

describe.each(names)("%s", (name) => {
  const shape = shapes[name];
  const perCall = name === "Brave" || name === "Tavily" ? 20 : 10;

  it("answers results", async () => {
    const { provider, asked } = await serve(name, () => shape([0, 1, 2]));
    expect(await answered(provider, { limit: 3 })).toEqual({
      ok: true,
      results: [0, 1, 2].map((at) => ({
        url: pageUrl(at),
        title: `T${at}`,
        description: "c",
        published: null,
        date: "",
      })),
      appliedTime: true,
      warnings: [],
    });
    expect(asked).toHaveLength(1);
    expect([asked[0]?.query.q, asked[0]?.body.q, asked[0]?.body.query]).toContain("otter dams");
  });

  it("is asked page after page for more results than one has", async () => {
    const { provider, asked } = await serve(name, (_asked, index) => shape(page(index, perCall)));
    const { results } = await answered(provider, { limit: 25 });
    const most = name === "Tavily" ? 20 : 25;
    expect(results.map(({ url }) => url)).toEqual(page(0, most).map(pageUrl));
    expect(asked).toHaveLength(Math.ceil(most / perCall));
  });

  it("is asked at most ten times, and no more when a page brings nothing new", async () => {
    const many = await serve(name, (_asked, index) => shape(page(index, 3)));
    expect((await answered(many.provider, { limit: 500 })).results).toHaveLength(name === "Tavily" ? 3 : 30);
    const same = await serve(name, () => shape([0, 1, 1, 0]));
    expect((await answered(same.provider, { limit: 100 })).results).toHaveLength(2);
    expect(same.asked.length).toBeLessThanOrEqual(2);
  });

  it("keeps what it has when a later page fails", async () => {
    if (name === "Tavily") return;
    const { provider } = await serve(name, (_asked, index) =>
      index === 0 ? shape(page(0, perCall)) : (response: ServerResponse) => response.writeHead(500).end("{}"),
    );
    const { results, warnings } = await answered(provider, { limit: 30 });
    expect(results).toHaveLength(perCall);
    expect(warnings).toEqual([`${name} failed (500). Its first ${perCall} results are included.`]);
  });

  it("tolerates missing and wrong fields and leaves out what names no host", async () => {
    const odd = JSON.parse(
      JSON.stringify(shape([0, 1, 2, 3, 4, 5]))
        .replace('"T0"', "null")
        .replace('"c"', "17")
        .replace(pageUrl(1), "javascript:alert(1)")
        .replace(pageUrl(2), "nonsense")
        .replace(pageUrl(3), "https://me:pw@site3.example/#:~:text=dam")
        .replace(pageUrl(5), "ftp://me:pw@site5.example/list"),
    );
    const { provider } = await serve(name, () => odd);
    const { results } = await answered(provider, { limit: 6 });
    expect(results.map(({ url, title }) => [url, title])).toEqual([
      [pageUrl(0), ""],
      [pageUrl(3), "T3"],
      [pageUrl(4), "T4"],
      ["ftp://site5.example/list", "T5"],
    ]);
    expect(results[0]?.description).toBe("");
  });

  it("may find nothing", async () => {
    const { provider } = await serve(name, () => shape([]));
    expect(await answered(provider)).toMatchObject({ results: [], warnings: [] });
  });

  it("gets the domains to include and to exclude", async () => {
    const { provider, asked } = await serve(name, () => shape([0]));
    await answered(provider, { limit: 1, includeDomains: ["a.example", "b.example"] });
    await answered(provider, { limit: 1, excludeDomains: ["c.example"] });
    if (name === "Tavily") {
      expect(asked[0]?.body).toMatchObject({ query: "otter dams", include_domains: ["a.example", "b.example"] });
      expect(asked[1]?.body).toMatchObject({ exclude_domains: ["c.example"] });
      return;
    }
    const texts = asked.map(({ query, body }) => query.q ?? body.q);
    expect(texts).toEqual(["otter dams (site:a.example OR site:b.example)", "otter dams -site:c.example"]);
  });

  const echo = `The key ${key} or ${key.slice(4, 12)} is wrong, so is SECRET-password`;
  it.each([
    [400, false],
    [401, false],
    [403, false],
    [422, false],
    [429, true],
    [500, true],
    [503, true],
  ])("that answers %d fails, and tells no key", async (status, retry) => {
    const { provider } = await serve(name, () => (response: ServerResponse) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: echo, error: { message: echo, detail: echo }, detail: { error: echo } }));
    });
    const failure = await failed(provider);
    expect(failure).toMatchObject({ status, retry });
    expect(failure.cause).toMatch(new RegExp(`^${name} .*\\(${status}\\).*\\.$`));
    expect(failure.cause).not.toContain("SECRET");
    expect(failure.cause).not.toContain(key.slice(4, 12));
    expect(failure.cause).not.toContain("127.0.0.1");
  });

  it("says what the service says of its refusal", async () => {
    const { provider } = await serve(name, () => (response: ServerResponse) => {
      response.writeHead(400).end(JSON.stringify({ message: "Not enough  credits." }));
    });
    expect((await failed(provider)).cause).toBe(`${name} rejected the search (400): Not enough credits.`);
  });

  it("that answers HTML, text, a list or another shape fails", async () => {
    const bodies = ["<!doctype html><p>Hello", "hello", "[]", '{"hello":1}', '{"results":7,"organic":7,"web":7}'];
    const { provider } = await serve(
      name,
      (_asked, index) => (response: ServerResponse) => response.end(bodies[index]),
    );
    const causes: string[] = [];
    for (const _ of bodies) causes.push((await failed(provider)).cause);
    expect(causes[0]).toMatch(/ answered with HTML instead of JSON: check [A-Z_]+/);
    expect(causes[1]).toContain(" answered with something that is not a JSON object");
    expect(causes[2]).toContain(" answered with something that is not a JSON object");
    expect(causes.slice(3)).toEqual(Array(2).fill(`${name} answered with JSON of an unknown shape.`));
  });

  it("is not followed to another origin", async () => {
    const other = keep(await startSite((_request, response) => response.end("{}")));
    const { provider } = await serve(name, () => (response: ServerResponse) => {
      response.writeHead(307, { location: `${other.url}/steal` }).end();
    });
    const { cause, retry } = await failed(provider);
    expect(cause).toContain("redirects to another origin, which is refused");
    expect([retry, other.connections]).toEqual([false, 0]);
  });

  it("that answers with more than 5 MB fails", async () => {
    const { provider } = await serve(name, () => (response: ServerResponse) => {
      response.end(JSON.stringify({ results: "x".repeat(6_000_000) }));
    });
    expect((await failed(provider)).cause).toBe(`${name} answered with more than 5 MB.`);
  });

  it("that does not answer in time fails", async () => {
    const { provider } = await serve(name, () => () => undefined);
    const outcome = await search(provider, {}, AbortSignal.timeout(100));
    expect(outcome).toEqual({ ok: false, cause: `${name} did not answer in time.`, retry: true });
  });

  it("that is not there fails", async () => {
    const { provider, site } = await serve(name, () => ({}));
    await site.close();
    expect(await failed(provider)).toEqual({ ok: false, cause: `${name} cannot be reached.`, retry: true });
  });
});

describe("SearXNG", () => {
  const ask = async (request: Partial<ProviderRequest>) => {
    const { provider, asked } = await serve("SearXNG", () => shapes.SearXNG([0]));
    const outcome = await answered(provider, { limit: 1, ...request });
    return { ...outcome, query: asked[0]?.query, headers: asked[0]?.headers };
  };

  it("is asked in its words", async () => {
    const { query, headers } = await ask({ language: "de", country: "AT", safe: true, source: "news" });
    expect(query).toEqual({
      q: "otter dams",
      format: "json",
      categories: "news",
      pageno: "1",
      language: "de-AT",
      safesearch: "2",
    });
    expect(headers?.authorization).toBe(`Basic ${Buffer.from("user:SECRET-password").toString("base64")}`);
  });

  it("may be below a path", async () => {
    const site = keep(await startSite((_request, response) => response.end(JSON.stringify(shapes.SearXNG([0])))));
    await answered(providerAt("SearXNG", `${site.url}/searx`), { limit: 1 });
    expect(site.requests[0]?.url).toMatch(/^\/searx\/search\?q=/);
  });

  it("gets no commands from a query", async () => {
    const { query } = await ask({ text: '!!g :de !images <3 "a !b" wow! c:d' });
    expect(query?.q).toBe('g de images 3 "a b" wow! c:d');
  });

  it.each([
    [recent("d"), "day", true],
    [recent("w"), "week", true],
    [recent("m"), "month", true],
    [recent("y"), "year", true],
    [recent("h"), "day", false],
    [recent("d", 3), "week", false],
    [recent("y", 2), undefined, false],
    [range("2026-11-10", "2026-11-12"), "week", false],
    [range(null, "2026-01-31"), undefined, false],
  ])("has presets of time only: %#", async (timeFilter, timeRange, appliedTime) => {
    const outcome = await ask({ timeFilter });
    expect([outcome.query?.time_range, outcome.appliedTime]).toEqual([timeRange, appliedTime]);
  });

  it("is asked again without the time when no engine of it knows time", async () => {
    const { provider, asked } = await serve("SearXNG", ({ query }) => shapes.SearXNG(query.time_range ? [] : [1, 2]));
    const outcome = await answered(provider, { limit: 2, timeFilter: recent("d") });
    expect([outcome.results.length, outcome.appliedTime]).toEqual([2, false]);
    expect(asked.map(({ query }) => query.time_range)).toEqual(["day", undefined]);
  });

  it("explains that its JSON is off", async () => {
    const { provider } = await serve("SearXNG", () => (response: ServerResponse) => {
      response.writeHead(403, { "content-type": "text/html" }).end("<h1>Forbidden</h1>");
    });
    const { cause } = await failed(provider);
    expect(cause).toContain("add `- json` below `formats:` in the section `search:` of its settings.yml");
  });

  it("has failed when it found nothing because its engines did", async () => {
    const { provider } = await serve("SearXNG", () => ({
      results: [],
      unresponsive_engines: [["google", "CAPTCHA"], ["bing", "timeout"], 7],
    }));
    expect(await failed(provider)).toMatchObject({
      cause: "SearXNG found nothing because its engines failed (google: CAPTCHA, bing: timeout).",
      retry: true,
    });
  });

  it("answers dates and images", async () => {
    const { provider } = await serve("SearXNG", ({ query }) => ({
      results: [
        query.categories === "images"
          ? { url: "https://a.example/", title: "A", img_src: "https://a.example/a.png", resolution: "640 x 480" }
          : { url: "https://a.example/", title: "A", publishedDate: "2026-03-02T00:00:00" },
      ],
    }));
    expect((await answered(provider, { source: "news" })).results[0]?.published).toBe(Date.UTC(2026, 2, 2));
    expect((await answered(provider, { source: "images" })).results[0]).toMatchObject({
      url: "https://a.example/",
      imageUrl: "https://a.example/a.png",
      imageWidth: 640,
      imageHeight: 480,
    });
  });
});

describe("Serper", () => {
  const ask = async (request: Partial<ProviderRequest>) => {
    const { provider, asked } = await serve("Serper", () => shapes.Serper([0]));
    const outcome = await answered(provider, { limit: 1, ...request });
    return { ...outcome, asked: asked[0] as Asked };
  };

  it("is asked in its words", async () => {
    const { asked, warnings } = await ask({
      language: "pt-BR",
      location: "Austin,Texas,United States",
      safe: true,
    });
    expect(asked).toMatchObject({ path: "/search", headers: { "x-api-key": key, "content-type": "application/json" } });
    expect(asked.body).toEqual({
      q: "otter dams",
      num: 10,
      page: 1,
      gl: "us",
      hl: "pt-br",
      location: "Austin, Texas, United States",
    });
    expect(warnings).toEqual(["Serper has no safe search: safe was ignored."]);
  });

  it.each([
    [recent("h"), "qdr:h"],
    [recent("w", 2), "qdr:w2"],
    [range("2026-01-31", "2026-02-01"), "cdr:1,cd_min:1/31/2026,cd_max:2/1/2026"],
    [range("2026-01-31", null), "cdr:1,cd_min:1/31/2026,cd_max:11/15/2026"],
    [{ ...recent("d"), isNewestFirst: true }, "qdr:d,sbd:1"],
    [{ fromMs: null, toMs: null, isNewestFirst: true }, "sbd:1"],
  ])("knows every time: %#", async (timeFilter, tbs) => {
    const outcome = await ask({ timeFilter });
    expect([outcome.asked.body.tbs, outcome.appliedTime]).toEqual([tbs, true]);
  });

  it("answers news and images", async () => {
    const { provider, asked } = await serve("Serper", ({ path }) =>
      path === "/news"
        ? {
            news: [
              {
                title: "N",
                link: "https://n.example/",
                snippet: "s",
                date: "2 hours ago",
                imageUrl: "https://n.example/i",
              },
            ],
          }
        : {
            images: [
              {
                title: "I",
                link: "https://i.example/",
                imageUrl: "https://i.example/i",
                imageWidth: 3,
                imageHeight: 4,
              },
            ],
          },
    );
    expect((await answered(provider, { source: "news", limit: 1 })).results).toEqual([
      {
        url: "https://n.example/",
        title: "N",
        description: "s",
        published: now - 7_200_000,
        date: "2 hours ago",
        imageUrl: "https://n.example/i",
      },
    ]);
    expect((await answered(provider, { source: "images", limit: 1 })).results[0]).toMatchObject({
      imageUrl: "https://i.example/i",
      imageWidth: 3,
      imageHeight: 4,
    });
    expect(asked.map(({ path }) => path)).toEqual(["/news", "/images"]);
  });
});

describe("SearchApi", () => {
  const ask = async (request: Partial<ProviderRequest>) => {
    const { provider, asked } = await serve("SearchApi", () => ({ ...(shapes.SearchApi([0]) as object), images: [] }));
    const outcome = await answered(provider, { limit: 1, ...request });
    return { ...outcome, asked: asked[0] as Asked };
  };

  it("is asked in its words", async () => {
    const { asked } = await ask({ country: "DE", language: "de", location: "Berlin", safe: false });
    expect(asked).toMatchObject({ path: "/api/v1/search", headers: { authorization: `Bearer ${key}` } });
    expect(asked.query).toEqual({
      engine: "google",
      q: "otter dams",
      gl: "de",
      hl: "de",
      location: "Berlin",
      safe: "off",
      page: "1",
    });
    expect((await ask({ source: "news" })).asked.query.engine).toBe("google_news");
    expect((await ask({ source: "images" })).asked.query.engine).toBe("google_images");
  });

  it.each([
    [recent("h"), { time_period: "last_hour" }, true],
    [recent("y"), { time_period: "last_year" }, true],
    [recent("d", 3), { time_period_min: "11/12/2026", time_period_max: "11/15/2026" }, true],
    [recent("h", 3), { time_period_min: "11/15/2026", time_period_max: "11/15/2026" }, false],
    [{ ...recent("h"), recent: null }, { time_period_min: "11/15/2026", time_period_max: "11/15/2026" }, false],
    [range("2026-01-31", "2026-02-01"), { time_period_min: "01/31/2026", time_period_max: "02/01/2026" }, true],
  ])("knows times: %#", async (timeFilter, query, appliedTime) => {
    const outcome = await ask({ timeFilter });
    expect(outcome.asked.query).toMatchObject(query);
    expect(outcome.appliedTime).toBe(appliedTime);
  });

  it("answers images", async () => {
    const { provider } = await serve("SearchApi", () => ({
      images: [
        {
          title: "I",
          source: { name: "i", link: "https://i.example/" },
          original: { link: "https://i.example/i.png", width: 3, height: 4 },
        },
      ],
    }));
    expect((await answered(provider, { source: "images", limit: 1 })).results[0]).toMatchObject({
      url: "https://i.example/",
      imageUrl: "https://i.example/i.png",
      imageWidth: 3,
    });
  });
});

describe("Brave", () => {
  const ask = async (request: Partial<ProviderRequest>) => {
    const { provider, asked } = await serve("Brave", () => ({ ...(shapes.Brave([0]) as object), results: [] }));
    const outcome = await answered(provider, { limit: 1, ...request });
    return { ...outcome, asked: asked[0] as Asked };
  };

  it("is asked in its words", async () => {
    const { asked, warnings } = await ask({ language: "ja", location: "Tokyo,Japan", safe: true, limit: 7 });
    expect(asked).toMatchObject({ path: "/res/v1/web/search", headers: { "x-subscription-token": key } });
    expect(asked.query).toEqual({
      q: "otter dams",
      count: "7",
      offset: "0",
      country: "JP",
      search_lang: "jp",
      safesearch: "strict",
      text_decorations: "false",
      result_filter: "web",
    });
    expect(warnings).toEqual(["Brave supports countries only: the place in location was ignored."]);
  });

  it("is not asked for countries and languages that it refuses", async () => {
    const { asked } = await ask({ country: "VA", language: "la" });
    expect([asked.query.country, asked.query.search_lang]).toEqual([undefined, undefined]);
    expect((await ask({ language: "zh-TW" })).asked.query.search_lang).toBe("zh-hant");
  });

  it("gets no query longer than it reads", async () => {
    const { asked, warnings } = await ask({ text: "word ".repeat(60) });
    expect(asked.query.q?.split(" ")).toHaveLength(50);
    expect(warnings).toHaveLength(1);
    expect((await ask({ text: "x".repeat(2000) })).asked.query.q).toHaveLength(400);
  });

  it.each([
    [recent("d"), "pd", true],
    [recent("y"), "py", true],
    [recent("h"), "pd", false],
    [recent("d", 3), "2026-11-12to2026-11-15", true],
    [range("2026-01-31", "2026-02-01"), "2026-01-31to2026-02-01", true],
    [range(null, "2026-02-01"), "1990-01-01to2026-02-01", true],
  ])("knows times: %#", async (timeFilter, freshness, appliedTime) => {
    const outcome = await ask({ timeFilter });
    expect([outcome.asked.query.freshness, outcome.appliedTime]).toEqual([freshness, appliedTime]);
  });

  it("has no time for images", async () => {
    const outcome = await ask({ timeFilter: recent("d"), source: "images" });
    expect([outcome.asked.query.freshness, outcome.appliedTime]).toEqual([undefined, false]);
    expect(outcome.asked.query.offset).toBeUndefined();
  });

  it("is not asked for a page after its last", async () => {
    const { provider, asked } = await serve("Brave", () => ({
      ...(shapes.Brave([0, 1]) as object),
      query: { more_results_available: false },
    }));
    expect((await answered(provider, { limit: 50 })).results).toHaveLength(2);
    expect(asked).toHaveLength(1);
  });

  it("answers news and images", async () => {
    const { provider } = await serve("Brave", ({ path }) => ({
      results: path.includes("news")
        ? [
            {
              url: "https://n.example/",
              title: "N",
              description: "d",
              age: "1 day ago",
              page_age: "2026-11-14T01:00:00",
            },
          ]
        : [{ url: "https://i.example/", title: "I", properties: { url: "https://i.example/i", width: 3, height: 4 } }],
    }));
    expect((await answered(provider, { source: "news", limit: 1 })).results[0]).toMatchObject({
      published: Date.UTC(2026, 10, 14, 1),
      description: "d",
    });
    expect((await answered(provider, { source: "images", limit: 1 })).results[0]).toMatchObject({
      imageUrl: "https://i.example/i",
      imageHeight: 4,
    });
  });
});

describe("Tavily", () => {
  const ask = async (request: Partial<ProviderRequest>) => {
    const { provider, asked } = await serve("Tavily", () => shapes.Tavily([0]));
    const outcome = await answered(provider, { limit: 1, ...request });
    return { ...outcome, asked: asked[0] as Asked };
  };

  it("is asked in its words", async () => {
    const { asked } = await ask({ country: "CZ", limit: 50 });
    expect(asked).toMatchObject({ path: "/search", headers: { authorization: `Bearer ${key}` } });
    expect(asked.body).toEqual({
      query: "otter dams",
      max_results: 20,
      search_depth: "basic",
      topic: "general",
      country: "czech republic",
    });
    const news = await ask({ source: "news", country: "US" });
    expect(news.asked.body).toMatchObject({ topic: "news" });
    expect(news.asked.body.country).toBeUndefined();
    expect((await ask({ country: "US" })).asked.body.country).toBe("united states");
    expect((await ask({ country: "VA" })).asked.body.country).toBeUndefined();
  });

  it.each([
    [recent("d"), { time_range: "day" }, true],
    [recent("h"), { time_range: "day" }, false],
    [recent("w", 2), { start_date: "2026-11-01" }, true],
    [range("2026-01-31", "2026-02-01"), { start_date: "2026-01-31", end_date: "2026-02-01" }, true],
  ])("knows times: %#", async (timeFilter, body, appliedTime) => {
    const outcome = await ask({ timeFilter });
    expect(outcome.asked.body).toMatchObject(body);
    expect(outcome.appliedTime).toBe(appliedTime);
  });

  it("says that a plan is used up", async () => {
    const { provider } = await serve("Tavily", () => (response: ServerResponse) => response.writeHead(432).end("{}"));
    expect((await failed(provider)).cause).toBe("Tavily has used up the plan of its key (432).");
  });

  it("has no images", async () => {
    const { provider } = await serve("Tavily", () => ({}));
    expect(provider.supports.sources.has("images")).toBe(false);
  });
});

describe("Google Programmable Search", () => {
  const name = "Google Programmable Search";
  const ask = async (request: Partial<ProviderRequest>) => {
    const { provider, asked } = await serve(name, () => shapes[name]([0]));
    const outcome = await answered(provider, { limit: 1, ...request });
    return { ...outcome, asked: asked[0] as Asked };
  };

  it("is asked in its words", async () => {
    const { asked } = await ask({ country: "IL", language: "he", safe: true });
    expect(asked.path).toBe("/customsearch/v1");
    expect(asked.query).toEqual({
      key,
      cx: "cx1",
      q: "otter dams",
      num: "10",
      start: "1",
      gl: "il",
      lr: "lang_iw",
      safe: "active",
    });
    expect((await ask({ language: "zh-Hant" })).asked.query.lr).toBe("lang_zh-TW");
  });

  it("is never asked beyond its hundredth result", async () => {
    const { provider, asked } = await serve(name, (_asked, index) => shapes[name](page(index, 10)));
    await answered(provider, { limit: 100 });
    expect(asked.at(-1)?.query).toMatchObject({ start: "91", num: "9" });
  });

  it.each([
    [recent("d", 3), { dateRestrict: "d3" }, true],
    [recent("y"), { dateRestrict: "y1" }, true],
    [recent("h"), { dateRestrict: "d1" }, false],
    [range("2026-01-31", "2026-02-01"), { sort: "date:r:20260131:20260201" }, true],
    [{ ...recent("w"), isNewestFirst: true }, { dateRestrict: "w1", sort: "date" }, true],
  ])("knows times: %#", async (timeFilter, query, appliedTime) => {
    const outcome = await ask({ timeFilter });
    expect(outcome.asked.query).toMatchObject(query);
    expect(outcome.appliedTime).toBe(appliedTime);
  });

  it("answers dates and images", async () => {
    const { provider } = await serve(name, ({ query }) => ({
      items:
        query.searchType === "image"
          ? [
              {
                link: "https://i.example/i.png",
                title: "I",
                image: { contextLink: "https://i.example/", width: 3, height: 4 },
              },
            ]
          : [
              { link: pageUrl(0), snippet: "Mar 2, 2026 ... dams" },
              { link: pageUrl(1), pagemap: { metatags: [{ "article:published_time": "2026-03-03T00:00:00Z" }] } },
            ],
      queries: {},
    }));
    const { results } = await answered(provider, { limit: 20 });
    expect(results.map(({ published }) => published)).toEqual([Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 3)]);
    expect((await answered(provider, { source: "images" })).results[0]).toMatchObject({
      url: "https://i.example/",
      imageUrl: "https://i.example/i.png",
      imageWidth: 3,
    });
  });
});
