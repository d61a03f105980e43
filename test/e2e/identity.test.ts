// IDENTITY=browser: pages are asked for under the names of the installed Chromium, robots.txt under ours.
import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { makeCertificate } from "../support/site-certificates.ts";
import { type Site, startSite } from "../support/site-server.ts";

const browserAgent =
  /^Mozilla\/5\.0 \(.+\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/(\d+)\.0\.0\.0 Safari\/537\.36$/;
const hintsOf = (headers: IncomingHttpHeaders) => [
  headers["sec-ch-ua"],
  headers["sec-ch-ua-mobile"],
  headers["sec-ch-ua-platform"],
];

describe.skipIf(lacksChromium)("IDENTITY=browser", () => {
  let site: Site;
  let other: Site;
  let app: TestApp;
  beforeAll(async () => {
    const page = (text: string) => `<title>Page</title><main><h1>Page</h1><p>${text} `.padEnd(800, "words ");
    const tls = makeCertificate("site.test");
    other = await startSite((_request, response) => response.end(page("other")), { tls });
    site = await startSite(
      (request, response) => {
        response.setHeader("content-type", "text/html");
        if (request.url === "/robots.txt") response.end("User-agent: TrawlBot\nDisallow: /private");
        else if (request.url === "/away") response.writeHead(302, { location: `${other.url}/` }).end();
        else response.end(page("own"));
      },
      { tls },
    );
    app = await startApp(anyEngine, {
      IDENTITY: "browser",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      RESPECT_ROBOTS: "all",
      PATH: process.env.PATH ?? "",
    });
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([site.close(), other.close()]);
  });

  const scrape = (path: string, options: object = {}) =>
    app.call("POST", "/v2/scrape", {
      body: { url: site.url + path, skipTlsVerification: true, maxAge: 0, ...options },
    });
  async function sent(options: object = {}, path = "/", by = site): Promise<IncomingHttpHeaders> {
    const { status, body } = await scrape(path, options);
    expect([status, body.error]).toEqual([200, undefined]);
    return by.requests.filter(({ url }) => url === "/").at(-1)?.headers ?? {};
  }

  it("sends the same User-Agent and client hints over HTTP and by the browser, and none of them says otherwise", async () => {
    const plain = await sent();
    const rendered = await sent({ waitFor: 1 });
    const [, major] = browserAgent.exec(plain["user-agent"] ?? "") ?? [];
    expect(Number(major)).toBeGreaterThan(100);
    expect(plain["sec-ch-ua"]).toContain(`"Chromium";v="${major}"`);
    expect(hintsOf(plain).slice(1)).toEqual(["?0", expect.stringMatching(/^"(Linux|macOS)"$/)]);
    expect(rendered["user-agent"]).toBe(plain["user-agent"]);
    expect(hintsOf(rendered)).toEqual(hintsOf(plain));
    expect(rendered["sec-fetch-mode"]).toBe("navigate");
    expect(JSON.stringify([plain, rendered])).not.toMatch(/headless|trawl/i);
  });

  it("as a mobile device, too", async () => {
    const plain = await sent({ mobile: true, fastMode: true });
    const rendered = await sent({ mobile: true });
    expect(plain["user-agent"]).toMatch(/Android.* Chrome\/\d+\.0\.0\.0 Mobile Safari/);
    expect(rendered["user-agent"]).toBe(plain["user-agent"]);
    expect(hintsOf(plain).slice(1)).toEqual(["?1", '"Android"']);
    expect(hintsOf(rendered)).toEqual(hintsOf(plain));
  });

  it("gives way to the caller's own headers", async () => {
    const named = await sent({ headers: { "User-Agent": "Mine/1" } });
    expect([named["user-agent"], ...hintsOf(named)]).toEqual(["Mine/1", undefined, undefined, undefined]);
    const hinted = await sent({ headers: { "Sec-CH-UA": '"Mine";v="1"' } });
    expect(hinted["sec-ch-ua"]).toBe('"Mine";v="1"');
    expect(hinted["user-agent"]).toMatch(browserAgent);
    expect((await sent({ headers: { "User-Agent": "Mine/1" }, waitFor: 1 }))["user-agent"]).toBe("Mine/1");
  });

  it("stays the same over redirects to another origin", async () => {
    const [first, next] = [await sent(), await sent({}, "/away", other)];
    expect([next["user-agent"], ...hintsOf(next)]).toEqual([first["user-agent"], ...hintsOf(first)]);
  });

  it("reads robots.txt as TrawlBot and obeys what it says to that name, on both attempts", async () => {
    for (const options of [{}, { waitFor: 1 }]) {
      const { status, body } = await scrape("/private/page", options);
      expect([status, body.code]).toEqual([403, "ROBOTS_BLOCKED"]);
    }
    const asked = site.requests.filter(({ url }) => url === "/robots.txt");
    expect(asked.length).toBeGreaterThan(0);
    for (const { headers } of asked) {
      expect(headers["user-agent"]).toMatch(/TrawlBot/);
      expect(headers["sec-ch-ua"]).toBeUndefined();
    }
    expect(site.requests.some(({ url }) => url === "/private/page")).toBe(false);
  });
});

describe("IDENTITY", () => {
  it("is TrawlBot unless set", async () => {
    const site = await startSite((_request, response) => response.end("<h1>Page</h1>"), {
      tls: makeCertificate("site.test"),
    });
    const app = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
    try {
      await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/`, skipTlsVerification: true } });
      const headers: IncomingHttpHeaders = site.requests.find(({ url }) => url === "/")?.headers ?? {};
      expect(headers["user-agent"]).toMatch(/TrawlBot/);
      expect(hintsOf(headers)).toEqual([undefined, undefined, undefined]);
    } finally {
      await app.stop();
      await site.close();
    }
  });

  it("browser without Chromium stops the start with a sentence, other words too", async () => {
    const without = { IDENTITY: "browser", CHROMIUM_PATH: "/nowhere/chromium" };
    await expect(startApp(anyEngine, without)).rejects.toThrow(
      /^IDENTITY=browser identifies this server as the installed Chromium\. CHROMIUM_PATH does not name a program that can run\. To install it: /,
    );
    await expect(startApp(anyEngine, { IDENTITY: "googlebot" })).rejects.toThrow(
      /^IDENTITY must be one of trawl, browser/,
    );
  });
});
