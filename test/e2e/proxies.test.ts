// Proxies as an operator configures them and a caller meets them: the real app, two forward proxies and a SOCKS5 one.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { bystanders, engines } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { type ProxyServer, startProxy, startSocksProxy } from "../support/site-proxy.ts";

const secret = "pr0xy-s3cret";

describe.each(bystanders)("proxies of the settings on $name", (engine) => {
  let site: FixtureSite;
  let dns: DnsServer;
  let [one, two, better, german]: ProxyServer[] = [];
  let app: TestApp;
  const login = { username: "me", password: secret };
  const withLogin = (proxy: ProxyServer | undefined) => proxy?.url.replace("//", `//me:${secret}@`) ?? "";

  beforeAll(async () => {
    const links = [1, 2, 3, 4].map((nth) => `<a href="/page-${nth}">Page ${nth}</a>`).join(" ");
    const page = (text: string) => `<main><h1>${text}</h1><p>${links}</p></main>`;
    const pages = Object.fromEntries([1, 2, 3, 4].map((nth) => [`/page-${nth}`, page(`Page ${nth}`)]));
    site = await startSite({ "/": page("Start"), ...pages });
    dns = await startDnsServer(() => ["93.184.215.14"]);
    const port = site.port;
    [one, two, better] = [await startProxy({ port }), await startProxy({ port }), await startProxy({ port })];
    german = await startSocksProxy({ port, login });
    app = await startApp(engine, {
      DNS_SERVER: `${dns.host}:${dns.port}`,
      PROXY_POOL: `${withLogin(one)}, ${withLogin(two)}`,
      PROXY_ENHANCED: withLogin(better),
      PROXY_COUNTRY_DE: withLogin(german),
    });
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([one, two, better, german, dns, site].map((each) => each?.close()));
  });

  const scrape = (body: object) => app.call("POST", "/v2/scrape", { body: { maxAge: 0, ...body } });
  const counts = () => [one, two, better, german].map((proxy) => proxy?.asked.length ?? 0);

  it("carry pages by tier, and metadata.proxyUsed says which", async () => {
    const before = counts();
    const basic = await scrape({ url: "http://tier.test/", proxy: "basic" });
    expect(basic.body.data.metadata.proxyUsed).toBe("basic");
    expect(basic.body.data.warning).toBeUndefined();
    for (const proxy of ["enhanced", "stealth"]) {
      const { body } = await scrape({ url: "http://tier.test/", proxy, trace: true });
      expect(body.data.metadata).toMatchObject({ proxyUsed: "stealth", creditsUsed: 1 });
      expect(body.data.warning).toBeUndefined();
    }
    const [first = 0, second = 0, enhanced = 0, country = 0] = counts().map(
      (count, index) => count - (before[index] ?? 0),
    );
    expect([first + second, enhanced > 0, country]).toEqual([1, true, 0]);
  });

  it("say the same of a cached copy", async () => {
    const url = "http://cached.test/";
    await scrape({ url, proxy: "enhanced" });
    const { body } = await scrape({ url, proxy: "enhanced", maxAge: 60_000 });
    expect(body.data.metadata).toMatchObject({ cacheState: "hit", proxyUsed: "stealth" });
  });

  it("of a country carry the pages of who names it; a country without any has a warning", async () => {
    const before = german?.asked.length ?? 0;
    const inGermany = await scrape({ url: "http://country.test/", location: { country: "de" } });
    expect(inGermany.body.data.metadata.proxyUsed).toBe("basic");
    expect(inGermany.body.data.warning).toBeUndefined();
    expect(german?.asked.slice(before)).toEqual([{ authority: "93.184.215.14:80", authorization: `me:${secret}` }]);
    const inAmerica = await scrape({ url: "http://country.test/", location: { country: "US" } });
    expect(inAmerica.body.data.warning).toBe(
      "This server has no proxy in US (PROXY_COUNTRY_US): a proxy of any country was used.",
    );
    expect((await scrape({ url: "http://country.test/" })).body.data.warning).toBeUndefined();
    expect(german?.asked.length).toBe(before + 1);
  });

  it("serve a crawl by one proxy per host", async () => {
    const before = counts();
    const started = await app.call("POST", "/v2/crawl", {
      body: { url: "http://crawled.test/", limit: 5, sitemap: "skip", scrapeOptions: { maxAge: 0, proxy: "enhanced" } },
    });
    let status = await app.get(`/v2/crawl/${started.body.id}`);
    await expect
      .poll(
        async () => {
          status = await app.get(`/v2/crawl/${started.body.id}`);
          return status.body.status;
        },
        { timeout: 60_000, interval: 100 },
      )
      .toBe("completed");
    expect(status.body.data).toHaveLength(5);
    expect(status.body.data.every((page: { metadata: object }) => "proxyUsed" in page.metadata)).toBe(true);
    expect((counts()[2] ?? 0) - (before[2] ?? 0)).toBeGreaterThan(0);
  });

  it("that are dead fail the page with their name, for nothing, and no request goes out without them", async () => {
    const dead = await startProxy();
    await dead.close();
    const broken = await startApp(engine, {
      DNS_SERVER: `${dns.host}:${dns.port}`,
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      PROXY_SERVER: dead.url,
      PROXY_USERNAME: "me",
      PROXY_PASSWORD: secret,
    });
    try {
      const url = `http://127.0.0.1:${site.port}/`;
      const asked = site.asked.length;
      const before = await broken.get("/v2/team/credit-usage");
      const { status, body } = await broken.call("POST", "/v2/scrape", { body: { url, trace: true } });
      expect(status).toBe(500);
      expect(body).toMatchObject({
        success: false,
        code: "SCRAPE_PROXY_ERROR",
        error: `The proxy ${dead.url} cannot be reached (ECONNREFUSED).`,
      });
      expect(site.asked).toHaveLength(asked);
      expect((await broken.get("/v2/team/credit-usage")).body).toEqual(before.body);
      expect(broken.logLines.some((line) => line.includes("a proxy failed"))).toBe(true);
      expect(broken.logLines.filter((line) => line.includes(secret))).toEqual([]);
    } finally {
      await broken.stop();
    }
  });

  it("keep their credentials out of every log line, response and row of the store", async () => {
    const answers = [
      await scrape({ url: "http://secret.test/", trace: true }),
      await scrape({ url: "http://secret.test/x", proxy: "enhanced", trace: true }),
      await scrape({ url: "http://secret.test/y", location: { country: "DE" }, trace: true }),
      await scrape({ url: "http://nowhere.test:1/", trace: true }),
      await app.call("POST", "/v2/map", { body: { url: "http://secret.test/" } }),
      await app.get("/v2/team/hosts"),
    ];
    const packed = [secret, encodeURIComponent(secret), Buffer.from(`me:${secret}`).toString("base64")];
    const everything = [...answers.map(({ text }) => text), ...app.logLines, ...(await app.fresh.listRows())];
    expect(everything.length).toBeGreaterThan(answers.length + 10);
    expect(everything.filter((text) => packed.some((form) => text.includes(form)))).toEqual([]);
  });
});

describe.each(bystanders)("a caller's own proxy on $name", (engine) => {
  let site: FixtureSite;
  let dns: DnsServer;
  let own: ProxyServer;
  let app: TestApp;
  const word = "c4ller-s3cret";
  const proxyUrl = () => own.url.replace("//", `//caller:${word}@`);

  beforeAll(async () => {
    site = await startSite({ "/": "<main><h1>By way of the caller</h1></main>" });
    dns = await startDnsServer(() => ["93.184.215.14"]);
    own = await startProxy({ port: site.port });
    app = await startApp(engine, {
      DNS_SERVER: `${dns.host}:${dns.port}`,
      ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${own.port}`,
      ALLOW_CALLER_PROXY: "1",
    });
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([own, dns, site].map((each) => each.close()));
  });

  const scrape = (body: object, on = app) => on.call("POST", "/v2/scrape", { body });

  it("needs ALLOW_CALLER_PROXY=1", async () => {
    const strict = await startApp(engine);
    try {
      const { status, body } = await scrape({ url: "http://page.test/", proxyUrl: proxyUrl() }, strict);
      expect(status).toBe(400);
      expect(body.details).toEqual([
        { code: "custom", path: ["proxyUrl"], message: expect.stringContaining("ALLOW_CALLER_PROXY") },
      ]);
    } finally {
      await strict.stop();
    }
  });

  it("brings the page, and leaves no trace: no cached copy, no log line, no row of the store", async () => {
    const url = "http://page.test/";
    const { body } = await scrape({ url, proxyUrl: proxyUrl(), trace: true });
    expect(body.data).toMatchObject({ markdown: "# By way of the caller", metadata: { proxyUsed: "basic" } });
    expect(own.asked).toEqual([{ authority: "93.184.215.14:80", authorization: expect.stringMatching(/^Basic /) }]);
    const again = await scrape({ url, lockdown: true });
    expect(again.body.code).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
    const dead = await startProxy();
    await dead.close();
    const failed = await scrape({ url, proxyUrl: dead.url.replace("//", `//caller:${word}@`), trace: true });
    expect(failed.body).toMatchObject({ code: failed.body.code, success: false });
    const everything = [
      JSON.stringify(body),
      JSON.stringify(failed.body),
      ...app.logLines,
      ...(await app.fresh.listRows()),
    ].filter((text) => text.includes(word) || text.includes(`:${own.port}`));
    expect(everything).toEqual([]);
  });

  it("that is dead fails the page, and no other way is tried", async () => {
    const dead = await startProxy();
    await dead.close();
    const reachable = await startApp(engine, { ALLOW_CALLER_PROXY: "1", ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
    try {
      const asked = site.asked.length;
      const { status, body } = await scrape({ url: site.url, proxyUrl: dead.url }, reachable);
      expect([status, body.code, body.error]).toEqual([
        500,
        "SCRAPE_PROXY_ERROR",
        "The proxy of proxyUrl cannot be reached (ECONNREFUSED).",
      ]);
      expect(site.asked).toHaveLength(asked);
    } finally {
      await reachable.stop();
    }
  });

  it("in a private place is refused like a page there", async () => {
    const refused = [
      "http://127.0.0.1:1",
      "socks5://0x7f.1:1080",
      "https://[::1]:8443",
      "socks5://localhost",
      "http://10.0.0.1",
    ];
    for (const each of refused) {
      const { status, body } = await scrape({ url: "http://page.test/", proxyUrl: each });
      expect([each, status, body.code]).toEqual([each, 403, "URL_NOT_ALLOWED"]);
    }
    const { status, body } = await scrape({ url: "http://page.test/", proxyUrl: "ftp://a.test" });
    expect([status, body.details[0].path]).toEqual([400, ["proxyUrl"]]);
  });

  it.each([
    ["/v2/crawl", { url: "http://page.test/", scrapeOptions: { proxyUrl: "http://a.test" } }],
    ["/v2/batch/scrape", { urls: ["http://page.test/"], proxyUrl: "http://a.test" }],
    ["/v2/search", { query: "x", scrapeOptions: { formats: ["markdown"], proxyUrl: "http://a.test" } }],
    ["/v2/extract", { urls: ["http://page.test/"], prompt: "x", scrapeOptions: { proxyUrl: "http://a.test" } }],
  ])("is not taken by %s, which stores its options", async (path, body) => {
    const answer = await app.call("POST", path, { body });
    expect([answer.status, answer.body.details?.[0].message]).toEqual([
      400,
      expect.stringContaining("proxyUrl is accepted by POST /v2/scrape only"),
    ]);
  });
});

describe("settings of proxies", () => {
  it.each([
    [
      { PROXY_SERVER: "http://a.test:1", PROXY_POOL: "http://b.test:1" },
      /^PROXY_SERVER and PROXY_POOL must not be set/,
    ],
    [{ PROXY_SERVER: "ftp://a.test" }, /^PROXY_SERVER must be a URL that starts with http:\/\/, https:\/\/ or socks5/],
    [{ PROXY_POOL: "http://a.test, b.test" }, /^PROXY_POOL must be a comma-separated list of URLs/],
    [{ PROXY_ENHANCED: "x" }, /^PROXY_ENHANCED must be /],
    [{ PROXY_COUNTRY_DE: "x" }, /^PROXY_COUNTRY_DE must be /],
    [{ PROXY_COUNTRY_GERMANY: "http://a.test" }, /^PROXY_COUNTRY_GERMANY must end with a two-character country code/],
    [{ PROXY_COOLDOWN_MS: "-1" }, /^PROXY_COOLDOWN_MS must be /],
  ])("%j stop the start with a sentence", (given, sentence) => {
    expect(() => loadConfig(given as Record<string, string>)).toThrow(sentence);
  });

  it.each(engines.slice(0, 1))("without any proxy, a page that names a country says so", async (engine) => {
    const site = await startSite({ "/": "<main><h1>Plain</h1></main>" });
    const app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
    try {
      const body = { url: site.url, location: { country: "DE" }, proxy: "enhanced" };
      const answer = await app.call("POST", "/v2/scrape", { body });
      expect(answer.body.data.warning).toBe(
        "Not available on this server and ignored: proxy enhanced. " +
          "This server has no proxy in DE (PROXY_COUNTRY_DE): no proxy was used.",
      );
      expect(answer.body.data.metadata.proxyUsed).toBe("basic");
    } finally {
      await app.stop();
      await site.close();
    }
  });
});
