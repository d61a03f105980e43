// Rendered pages through proxies: each visit has its own way, in a namespace and without one.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium, openTestBrowser, type TestBrowser, withoutNamespaces } from "../support/browser.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { makeCertificate } from "../support/site-certificates.ts";
import { type ProxyServer, startProxy, startSocksProxy } from "../support/site-proxy.ts";
import { proxies, type Site, startSite } from "../support/site-server.ts";

/** Asks for every URL of its query, by a request and as an image, and says how many of them answered. */
const tryAll = `<p id="said"></p><script>
  const urls = JSON.parse(decodeURIComponent(location.search.slice(1)));
  const ask = (url) => fetch(url, { mode: "no-cors", signal: AbortSignal.timeout(20000) }).then(() => 1, () => 0);
  for (const url of urls) document.body.append(Object.assign(new Image(), { src: url }));
  Promise.all(urls.map(ask)).then((all) => {
    said.textContent = all.length + " tried, " + all.reduce((sum, each) => sum + each, 0) + " reached";
  });</script>`;

const ways = [
  { where: "in namespaces", isIsolated: true },
  { where: "without namespaces", isIsolated: false },
];

describe.skipIf(lacksChromium).each(ways)("a page in Chromium $where", ({ isIsolated }) => {
  const login = { username: "me", password: "se:cret" };
  const proxyTls = makeCertificate("proxy.localhost");
  let [plain, secure, victim]: Site[] = [];
  let dns: DnsServer;
  let [basic, better, socks, callers]: ProxyServer[] = [];
  let deadPort = 0;
  let browser: TestBrowser;
  let without: ReturnType<typeof withoutNamespaces> | null = null;

  beforeAll(async () => {
    const page = (
      request: { url?: string | undefined },
      response: { setHeader(name: string, value: string): void; end(text: string): void },
    ) => {
      response.setHeader("content-type", "text/html");
      if (request.url?.startsWith("/all")) return response.end(tryAll);
      response.end(`<p>hello</p><script src="https://good.test:${secure?.port}/script.js"></script>`);
    };
    plain = await startSite(page);
    secure = await startSite(page, { tls: makeCertificate("good.test") });
    dns = await startDnsServer((name) => (name === "bad.test" ? ["127.0.0.9"] : ["127.0.0.1"]));
    victim = await startSite(page, { host: "::" });
    basic = await startProxy();
    callers = await startSocksProxy({ login });
    const dead = await startProxy();
    deadPort = dead.port;
    await dead.close();
    better = await startProxy({ tls: proxyTls });
    socks = await startSocksProxy({ login });
    without = isIsolated ? null : withoutNamespaces();
    browser = openTestBrowser({
      allow: [plain, secure, callers, dead].map(({ port }) => `127.0.0.1:${port}`).join(),
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
    await Promise.all([plain, secure, victim, dns, basic, better, socks, callers].map((each) => each?.close()));
    await without?.remove();
  });

  const forget = () => {
    for (const proxy of [basic, better, socks, callers]) proxy?.asked.splice(0);
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
    const url = `http://tier.test:${plain?.port}/`;
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

  it("goes with all that it loads through the proxy that its caller brings", async () => {
    forget();
    const rendered = await browser.read(`http://own.test:${plain?.port}/`, {
      skipTlsVerification: true,
      proxyUrl: callers?.url.replace("//", "//me:se%3Acret@"),
    });
    expect(rendered).toMatchObject({ proxy: "basic", status: 200 });
    expect(authorities(callers)).toEqual(both());
    expect(callers?.asked[0]?.authorization).toBe("me:se:cret");
    expect([basic, better, socks].flatMap(authorities)).toEqual([]);
    const dead = `http://127.0.0.1:${deadPort}`;
    const before = plain?.connections;
    expect(await browser.fail(`http://own.test:${plain?.port}/`, { proxyUrl: dead })).toMatchObject({
      code: "SCRAPE_PROXY_ERROR",
      message: "The proxy of proxyUrl cannot be reached (ECONNREFUSED)",
    });
    expect(await browser.fail(`http://own.test:${plain?.port}/`, { proxyUrl: "http://127.0.0.1:1" })).toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(plain?.connections).toBe(before);
  });

  it("reaches this machine by no spelling, itself or with what it loads, through any form of proxy", async () => {
    const spellings = (
      "127.0.0.1 127.1 2130706433 017700000001 0x7f000001 0x7f.1 127.9.9.9 0 0.0.0.0 [::] [::1] [::ffff:127.0.0.1] " +
      "[::ffff:7f00:1] [0:0:0:0:0:0:0:1] [::127.0.0.1] localhost a.localhost user:pass@127.0.0.1 %31%32%37.0.0.1 " +
      "１２７.０.０.１ 127。0。0。1 bad.test victim.test 169.254.169.254"
    ).split(" ");
    const urls = spellings.flatMap((host) => [`http://${host}:${victim?.port}/`, `https://${host}:${victim?.port}/`]);
    const forms = [
      { proxy: "basic" },
      { proxy: "enhanced" },
      { location: { country: "DE" } },
      { proxyUrl: callers?.url.replace("//", "//me:se%3Acret@") },
    ];
    for (const form of forms) {
      forget();
      for (const url of urls.filter((each) => !each.includes(".test"))) {
        const failure = await browser.fail(url, form);
        expect([url, failure.code]).toEqual([url, "URL_NOT_ALLOWED"]);
      }
      // The last one is allowed: what is refused is not refused for its form.
      const all = JSON.stringify([...urls, `http://127.0.0.1:${plain?.port}/`]);
      const page = `http://good.test:${plain?.port}/all?${encodeURIComponent(all)}`;
      const rendered = await browser.read(page, { ...form, skipTlsVerification: true });
      expect(rendered.body.toString()).toContain(`${urls.length + 1} tried, 1 reached`);
      const asked = [basic, better, socks, callers].flatMap(authorities);
      expect(asked.filter((authority) => !both().includes(authority))).toEqual([]);
    }
    expect(victim?.connections).toBe(0);
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
