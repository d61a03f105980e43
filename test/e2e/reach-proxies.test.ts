// The upper rungs: a host that only lets enhanced proxies in.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { anyEngine, bystanders } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { type ProxyServer, startProxy } from "../support/site-proxy.ts";
import { article, refuse } from "../support/walls.ts";

describe.each(bystanders)("a block page that only enhanced proxies pass on $name", (engine) => {
  let isOpen = false;
  /** Now it is the enhanced proxies that are turned away. */
  let isTurned = false;
  let servers: (FixtureSite | ProxyServer | DnsServer)[] = [];
  let [basic, enhanced]: ProxyServer[] = [];
  let app: TestApp;
  beforeAll(async () => {
    const walled = await startSite(
      () => (request, response) =>
        isOpen
          ? response.setHeader("content-type", "text/html").end(article("Open to all"))
          : refuse(request, response),
    );
    const open = await startSite(
      () => (request, response) =>
        isTurned ? refuse(request, response) : response.setHeader("content-type", "text/html").end(article("Harbour")),
    );
    const dns = await startDnsServer(() => ["93.184.215.14"]);
    [basic, enhanced] = [await startProxy({ port: walled.port }), await startProxy({ port: open.port })];
    servers = [basic, enhanced, walled, open, dns];
    app = await startApp(engine, {
      DNS_SERVER: `${dns.host}:${dns.port}`,
      CHROMIUM_PATH: "/nowhere/chromium",
      PROXY_POOL: basic.url,
      PROXY_ENHANCED: enhanced.url,
    });
  });
  afterAll(async () => {
    await app.stop();
    for (const server of servers) await server.close();
  });

  const scrape = (url: string, options: object = {}) =>
    app.call("POST", "/v2/scrape", { body: { url, maxAge: 0, trace: true, ...options } });
  const rungsOf = (steps: { step: string; detail: { proxy: string; verdict: string } }[]) =>
    steps.filter(({ step }) => step === "fetch").map(({ detail: { proxy, verdict } }) => `${proxy} ${verdict}`);

  it("is passed by auto, which comes to them last; by enhanced, which starts there; and not by basic", async () => {
    const { body } = await scrape("http://one.test/");
    expect(rungsOf(body.trace)).toEqual(["basic blocked", "enhanced content"]);
    expect(body.data.metadata).toMatchObject({ title: "Harbour", proxyUsed: "stealth", creditsUsed: 1 });
    expect(rungsOf((await scrape("http://two.test/", { proxy: "enhanced" })).body.trace)).toEqual(["enhanced content"]);
    const asked = enhanced?.asked.length;
    const { body: refused } = await scrape("http://three.test/", { proxy: "basic" });
    expect(refused.code).toBe("SCRAPE_SITE_BLOCKED");
    expect(refused.details.rungs).toEqual([{ engine: "http", proxy: "basic", status: 403, verdict: "blocked" }]);
    expect(refused.error).toContain('"auto"');
    expect(enhanced?.asked.length).toBe(asked);
  });

  it("is remembered; the fiftieth page tries the cheaper way, and stays there when that does it", async () => {
    const url = "http://four.test/";
    expect(rungsOf((await scrape(url)).body.trace)).toEqual(["basic blocked", "enhanced content"]);
    const { body } = await app.get("/v2/team/hosts");
    expect(body.hosts.find(({ host }: { host: string }) => host === "four.test")).toMatchObject({
      rung: { engine: "http", proxy: "enhanced" },
    });
    const next = async () => rungsOf((await scrape(url)).body.trace).join(", ");
    for (let page = 1; page < 50; page += 1) expect(await next()).toBe("enhanced content");
    expect(await next()).toBe("basic blocked, enhanced content");
    for (let page = 1; page < 50; page += 1) expect(await next()).toBe("enhanced content");
    isOpen = true;
    expect(await next()).toBe("basic content");
    expect(await next()).toBe("basic content");
    isOpen = false;
    // It does not do it any more: the strategy starts over, and that is what is known now.
    expect(await next()).toBe("basic blocked, enhanced content");
    expect(await next()).toBe("enhanced content");
  });

  it("is remembered until it fails: then the cheaper ways are tried for the same page, and that is what is known", async () => {
    const url = "http://five.test/";
    expect(rungsOf((await scrape(url)).body.trace)).toEqual(["basic blocked", "enhanced content"]);
    const next = async () => rungsOf((await scrape(url)).body.trace);
    [isOpen, isTurned] = [true, true];
    expect(await next()).toEqual(["enhanced blocked", "basic content"]);
    expect(await next()).toEqual(["basic content"]);
    [isOpen, isTurned] = [false, false];
    expect(await next()).toEqual(["basic blocked", "enhanced content"]);
    // A proxy that is dead is no block page, and no reason to give the page up either.
    isOpen = true;
    await enhanced?.close();
    const { body } = await scrape(url);
    expect(body.data.metadata).toMatchObject({ title: "Open to all", proxyUsed: "basic" });
    expect(body.trace.map(({ step, outcome }: { step: string; outcome: string }) => [step, outcome])).toContainEqual([
      "fetch",
      "SCRAPE_PROXY_ERROR",
    ]);
  });
});

describe("robots.txt of a host that only lets enhanced proxies in", () => {
  it("is read by the proxies of the page, in its order, as TrawlBot", async () => {
    const [walled, open] = await Promise.all([
      startSite(() => refuse),
      startSite({
        "/robots.txt": (_request, response) => response.end("User-agent: TrawlBot\nDisallow: /private"),
        "/": article("Harbour"),
        "/private": article("Secret"),
      }),
    ]);
    const dns = await startDnsServer(() => ["93.184.215.14"]);
    const [basic, enhanced] = [await startProxy({ port: walled.port }), await startProxy({ port: open.port })];
    const app = await startApp(anyEngine, {
      DNS_SERVER: `${dns.host}:${dns.port}`,
      CHROMIUM_PATH: "/nowhere/chromium",
      RESPECT_ROBOTS: "all",
      PROXY_POOL: basic.url,
      PROXY_ENHANCED: enhanced.url,
    });
    try {
      const scrape = (url: string, proxy: string) =>
        app.call("POST", "/v2/scrape", { body: { url, proxy, maxAge: 0 } });
      expect((await scrape("http://one.test/private", "auto")).body.code).toBe("ROBOTS_BLOCKED");
      expect([walled.asked, open.asked]).toEqual([["/robots.txt"], ["/robots.txt"]]);
      expect(open.headers()["user-agent"]).toMatch(/TrawlBot/);
      expect((await scrape("http://one.test/", "auto")).body.data.metadata.title).toBe("Harbour");
      // Enhanced starts with them, and basic never comes to them: a refusal is no rule.
      expect((await scrape("http://two.test/private", "enhanced")).body.code).toBe("ROBOTS_BLOCKED");
      expect(walled.askedAt).not.toContain("two.test/robots.txt");
      const before = open.asked.length;
      expect((await scrape("http://three.test/private", "basic")).body.code).toBe("SCRAPE_SITE_BLOCKED");
      expect(open.asked).toHaveLength(before);
      expect(open.asked).not.toContain("/private");
    } finally {
      await app.stop();
      for (const server of [basic, enhanced, walled, open, dns]) await server.close();
    }
  });
});
