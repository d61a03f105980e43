// Rendered pages through proxies: each visit has its own way, in a namespace and without one.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, openTestBrowser, type TestBrowser, withoutNamespaces } from "../support/browser.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { makeCertificate } from "../support/site-certificates.ts";
import { type ProxyServer, startProxy, startSocksProxy } from "../support/site-proxy.ts";
import { proxies, type Site, startSite } from "../support/site-server.ts";

const ways = [
  { where: "in namespaces", isIsolated: true },
  { where: "without namespaces", isIsolated: false },
];

describe.skipIf(lacksChromium).each(ways)("a page in Chromium $where", ({ isIsolated }) => {
  const login = { username: "me", password: "se:cret" };
  const proxyTls = makeCertificate("proxy.localhost");
  let [plain, secure]: Site[] = [];
  let dns: DnsServer;
  let [basic, better, socks]: ProxyServer[] = [];
  let browser: TestBrowser;
  let without: ReturnType<typeof withoutNamespaces> | null = null;

  beforeAll(async () => {
    const page = (
      _request: unknown,
      response: { setHeader(name: string, value: string): void; end(text: string): void },
    ) => {
      response.setHeader("content-type", "text/html");
      response.end(`<p>hello</p><script src="https://good.test:${secure?.port}/script.js"></script>`);
    };
    plain = await startSite(page);
    secure = await startSite(page, { tls: makeCertificate("good.test") });
    dns = await startDnsServer((name) => (name === "bad.test" ? ["127.0.0.9"] : ["127.0.0.1"]));
    basic = await startProxy();
    better = await startProxy({ tls: proxyTls });
    socks = await startSocksProxy({ login });
    without = isIsolated ? null : withoutNamespaces();
    browser = openTestBrowser({
      allow: `127.0.0.1:${plain.port}, 127.0.0.1:${secure.port}`,
      ...(without ? { searchPath: without.searchPath } : {}),
      netOptions: {
        dnsServer: dns,
        certificates: [proxyTls.cert],
        proxies: {
          ...proxies(basic.url, { enhanced: `https://proxy.localhost:${better.port}`, cooldownMs: 0 }),
          countries: { DE: proxies(socks.url.replace("//", "//me:se%3Acret@")).basic },
        },
      },
    });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([plain, secure, dns, basic, better, socks].map((each) => each?.close()));
    await without?.remove();
  });

  const forget = () => {
    for (const proxy of [basic, better, socks]) proxy?.asked.splice(0);
  };
  const authorities = (proxy: ProxyServer | undefined) =>
    [...new Set(proxy?.asked.map(({ authority }) => authority))].sort();
  const both = () => [`127.0.0.1:${plain?.port}`, `127.0.0.1:${secure?.port}`].sort();

  it("goes with all that it loads through the proxy of its tier or country, by judged addresses", async () => {
    const url = `http://good.test:${plain?.port}/`;
    const kinds = [
      { options: {}, proxy: "basic", used: basic, unused: [better, socks] },
      { options: { proxy: "enhanced" }, proxy: "enhanced", used: better, unused: [basic, socks] },
      { options: { location: { country: "DE" } }, proxy: "basic", used: socks, unused: [basic, better] },
    ];
    for (const { options, proxy, used, unused } of kinds) {
      forget();
      const rendered = await browser.read(url, { skipTlsVerification: true, ...options });
      expect(rendered).toMatchObject({ proxy, status: 200 });
      expect(rendered.body.toString()).toContain("hello");
      expect(authorities(used)).toEqual(both());
      expect(unused.flatMap(authorities)).toEqual([]);
    }
    expect(socks?.asked[0]?.authorization).toBe("me:se:cret");
  });

  it("takes the tier that the request names", async () => {
    forget();
    const url = `http://good.test:${plain?.port}/`;
    expect(await browser.read(url, {}, { tier: "enhanced" })).toMatchObject({ proxy: "enhanced" });
    expect(authorities(basic)).toEqual([]);
    expect(authorities(better)).toContain(`127.0.0.1:${plain?.port}`);
  });

  it("two at a time keep to their own", async () => {
    forget();
    const url = (name: string) => `http://${name}.test:${plain?.port}/`;
    const pages = await Promise.all([
      browser.read(url("one"), { proxy: "basic" }),
      browser.read(url("two"), { proxy: "enhanced" }),
    ]);
    expect(pages.map(({ proxy }) => proxy)).toEqual(["basic", "enhanced"]);
    expect(basic?.asked.length).toBeGreaterThan(0);
    expect(better?.asked.length).toBeGreaterThan(0);
  });

  it("whose proxy is dead fails with its name, and is not fetched without it", async () => {
    await socks?.close();
    const before = plain?.connections;
    const options = { location: { country: "DE" } };
    const url = `http://other.test:${plain?.port}/`;
    expect(await browser.fail(url, options)).toMatchObject({
      code: "SCRAPE_PROXY_ERROR",
      message: `The proxy ${socks?.url} cannot be reached (ECONNREFUSED)`,
    });
    expect(await browser.fail(`http://bad.test:${plain?.port}/`, options)).toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(plain?.connections).toBe(before);
  });
});
