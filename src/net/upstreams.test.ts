// Proxies as sites and callers meet them: two real forward proxies, one of them over TLS, and a SOCKS5 one.
import { afterEach, describe, expect, it } from "vitest";
import { startDnsServer } from "../../test/support/dns-server.ts";
import { makeCertificate } from "../../test/support/site-certificates.ts";
import { type ProxyServer, startProxy, startSocksProxy } from "../../test/support/site-proxy.ts";
import { openNet, proxies, startSite } from "../../test/support/site-server.ts";
import type { FetchRequest, Net } from "./index.ts";
import { parseUpstream } from "./upstreams.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
function keep<Part extends { close(): Promise<void> }>(part: Part): Part {
  opened.push(part);
  return part;
}

const signal = () => AbortSignal.timeout(60_000);
const get = (net: Net, url: string, more: Partial<FetchRequest> = {}) => net.fetch({ url, signal: signal(), ...more });
const names = () => startDnsServer(() => ["127.0.0.1"]).then(keep);
const hello = (tls?: { key: string; cert: string }) =>
  startSite((request, response) => response.end(`hello ${request.headers.host}`), tls ? { tls } : {}).then(keep);
/** A port on which no server listens any more. */
async function deadProxy(): Promise<ProxyServer> {
  const proxy = await startProxy();
  await proxy.close();
  return proxy;
}

describe("a proxy's URL", () => {
  it.each([
    ["http://p.test", "http://p.test:80", "", ""],
    ["https://p.test", "https://p.test:443", "", ""],
    ["socks5://p.test", "socks5://p.test:1080", "", ""],
    ["socks5://p.test:80/", "socks5://p.test:80", "", ""],
    ["SOCKS5://us%40er:p%3Aw@P.Test:443", "socks5://p.test:443", "us@er", "p:w"],
    ["socks5://0x7f.1:9", "socks5://127.0.0.1:9", "", ""],
    ["http://[::1]:3128", "http://[::1]:3128", "", ""],
  ])("%s is read", (text, label, username, password) => {
    expect(parseUpstream(text)).toMatchObject({ label, username, password });
  });

  it.each([
    "p.test:3128",
    "socks4://p.test",
    "http://",
    "http://p.test/path",
    "socks5://p.test?x",
    "http://%:x@p.test",
  ])("%s is not a proxy", (text) => expect(parseUpstream(text)).toBeNull());
});

describe("a pool", () => {
  it("is used in turn, and a host keeps its proxy", async () => {
    const [site, dns] = [await hello(), await names()];
    const pool = [keep(await startProxy()), keep(await startProxy())];
    const net = keep(openNet({ dnsServer: dns, allow: "127.0.0.1", proxies: proxies(pool.map(({ url }) => url)) }));
    for (const host of ["a.test", "b.test", "c.test", "d.test", "a.test", "b.test"]) {
      const outcome = await get(net, `http://${host}:${site.port}/`, { headers: { connection: "close" } });
      expect(outcome).toMatchObject({ ok: true, proxy: "basic" });
    }
    // Kept connections may serve the same host again, so a host is asked for at least once and by one proxy only.
    expect(pool.map(({ asked }) => asked.length)).toEqual([2, 2]);
    expect(net.proxies.has("basic")).toBe(true);
    expect(net.proxies.has("enhanced")).toBe(false);
  });

  it("gives every crawl its own turn at a host", async () => {
    const [site, dns] = [await hello(), await names()];
    const pool = [keep(await startProxy()), keep(await startProxy())];
    const net = keep(openNet({ dnsServer: dns, allow: "127.0.0.1", proxies: proxies(pool.map(({ url }) => url)) }));
    for (const keepWith of ["one", "two", "one", "two"]) {
      await get(net, `http://a.test:${site.port}/`, { way: { keepWith } });
    }
    expect(pool.map(({ asked }) => asked.length)).toEqual([1, 1]);
  });

  it("passes over a dead proxy, leaves it alone for its rest, and asks it again afterwards", async () => {
    const [site, dns] = [await hello(), await names()];
    const [dead, alive] = [await deadProxy(), keep(await startProxy())];
    let now = 1_000_000;
    const net = keep(
      openNet({
        dnsServer: dns,
        allow: "127.0.0.1",
        proxies: proxies([dead.url, alive.url], { cooldownMs: 60_000 }),
        clock: { now: () => now },
      }),
    );
    expect(await get(net, `http://a.test:${site.port}/`)).toMatchObject({ ok: true });
    expect(alive.asked).toHaveLength(1);
    const revived = keep(await startProxy({ at: dead.port }));
    for (const host of ["b.test", "c.test", "d.test"]) {
      expect(await get(net, `http://${host}:${site.port}/`)).toMatchObject({ ok: true });
    }
    expect([revived.connections, alive.asked.length]).toEqual([0, 4]);
    now += 60_001;
    for (const host of ["e.test", "f.test"]) await get(net, `http://${host}:${site.port}/`);
    expect([revived.asked.length, alive.asked.length]).toEqual([1, 5]);
  });

  it("that is dead as a whole is a failure that names a proxy, and never a direct request", async () => {
    const site = await hello();
    const pool = [await deadProxy(), await deadProxy()];
    const urls = pool.map(({ url }) => url.replace("//", "//me:secret@"));
    const net = keep(openNet({ allow: "127.0.0.1", proxies: proxies(urls) }));
    const first = await get(net, site.url);
    expect(first).toEqual({
      ok: false,
      code: "SCRAPE_PROXY_ERROR",
      message: `The proxy ${pool[1]?.url} cannot be reached (ECONNREFUSED)`,
    });
    expect(await get(net, site.url)).toMatchObject({
      code: "SCRAPE_PROXY_ERROR",
      message: expect.stringMatching(
        /^The proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\), and no other proxy of its pool works; it is tried again in 60 seconds$/,
      ),
    });
    expect(site.connections).toBe(0);
  });

  it("does not rest because one site is away, and does when none can be reached", async () => {
    const [site, dns] = [await hello(), await names()];
    const broken = keep(await startProxy({ refuses: 502 }));
    const net = keep(openNet({ dnsServer: dns, allow: "127.0.0.1", proxies: proxies(broken.url) }));
    const ask = async (host: string) => {
      const outcome = await get(net, `http://${host}:${site.port}/`);
      return outcome.ok ? "" : outcome.message;
    };
    const refused = `The proxy ${broken.url} refused the connection (502)`;
    for (const host of ["a.test", "a.test", "a.test", "b.test", "c.test"]) expect(await ask(host)).toBe(refused);
    expect(broken.asked).toHaveLength(5);
    expect(await ask("d.test")).toMatch(/\(502\); it is tried again in 60 seconds$/);
    expect(broken.asked).toHaveLength(5);
  });

  it("gives a proxy that says nothing up for the next one", async () => {
    const [site, dns] = [await hello(), await names()];
    const [silent, alive] = [keep(await startProxy({ isSilent: true })), keep(await startProxy())];
    const net = keep(
      openNet({
        dnsServer: dns,
        allow: "127.0.0.1",
        proxies: proxies([silent.url, alive.url]),
        limits: { connectMs: 400 },
      }),
    );
    expect(await get(net, `http://a.test:${site.port}/`)).toMatchObject({ ok: true });
    expect([silent.connections, alive.asked.length]).toEqual([1, 1]);
    const alone = keep(openNet({ allow: "127.0.0.1", proxies: proxies(silent.url), limits: { connectMs: 200 } }));
    const message = `The proxy ${silent.url} did not answer in time`;
    expect(await get(alone, site.url)).toEqual({ ok: false, code: "SCRAPE_PROXY_ERROR", message });
  });

  it("of enhanced proxies serves requests for them, and basic ones replace them where there are no enhanced ones", async () => {
    const [site, basic, better] = [await hello(), keep(await startProxy()), keep(await startProxy())];
    const net = keep(openNet({ allow: "127.0.0.1", proxies: proxies(basic.url, { enhanced: better.url }) }));
    const tier = "enhanced";
    expect(await get(net, site.url, { way: { tier } })).toMatchObject({ ok: true, proxy: "enhanced" });
    expect([basic.asked.length, better.asked.length]).toEqual([0, 1]);
    // A connection through one proxy carries nothing for another.
    expect(await get(net, site.url)).toMatchObject({ ok: true, proxy: "basic" });
    expect([basic.asked.length, better.asked.length]).toEqual([1, 1]);
    const plain = keep(openNet({ allow: "127.0.0.1", proxies: proxies(basic.url) }));
    expect(await get(plain, site.url, { way: { tier } })).toMatchObject({ ok: true, proxy: "basic" });
    const bare = keep(openNet({ allow: "127.0.0.1" }));
    expect(await get(bare, site.url, { way: { tier } })).toMatchObject({ ok: true, proxy: "none" });
  });

  it("of a country serves who names it", async () => {
    const [site, basic, german] = [await hello(), keep(await startProxy()), keep(await startProxy())];
    const countries = { DE: proxies(german.url).basic };
    const net = keep(openNet({ allow: "127.0.0.1", proxies: { ...proxies(basic.url), countries } }));
    expect(await get(net, site.url, { way: { country: "DE" } })).toMatchObject({ ok: true, proxy: "basic" });
    expect(await get(net, site.url, { way: { country: "FR" } })).toMatchObject({ ok: true, proxy: "basic" });
    expect([basic.asked.length, german.asked.length]).toEqual([1, 1]);
    expect(["DE", "FR"].map((code) => net.proxies.hasCountry(code))).toEqual([true, false]);
  });
});

describe("every kind of proxy", () => {
  const login = { username: "me", password: "se:cret" };
  const withLogin = (url: string) => url.replace("//", "//me:se%3Acret@");
  const tls = makeCertificate("good.test");
  const proxyTls = makeCertificate("proxy.localhost");
  const kinds = {
    http: () => startProxy(),
    https: () => startProxy({ tls: proxyTls }),
    socks5: () => startSocksProxy({ login }),
  };
  const urlOf = (kind: string, proxy: ProxyServer) =>
    withLogin(kind === "https" ? `https://proxy.localhost:${proxy.port}` : proxy.url);

  it.each(Object.entries(kinds))(
    "%s carries http and https to judged addresses, never to names",
    async (kind, start) => {
      const [plain, secure, dns, proxy] = [await hello(), await hello(tls), await names(), keep(await start())];
      const net = keep(
        openNet({
          dnsServer: dns,
          allow: `127.0.0.1:${plain.port}, 127.0.0.1:${secure.port}`,
          proxies: proxies(urlOf(kind, proxy)),
          certificates: [tls.cert, proxyTls.cert],
        }),
      );
      const bodies = await Promise.all(
        [`http://good.test:${plain.port}`, `https://good.test:${secure.port}`].map(async (url) => {
          const outcome = await get(net, url);
          return outcome.ok ? outcome.body.toString() : outcome.message;
        }),
      );
      expect(bodies).toEqual([`hello good.test:${plain.port}`, `hello good.test:${secure.port}`]);
      expect(proxy.asked.map(({ authority }) => authority).sort()).toEqual(
        [`127.0.0.1:${plain.port}`, `127.0.0.1:${secure.port}`].sort(),
      );
      const given = kind === "socks5" ? "me:se:cret" : `Basic ${Buffer.from("me:se:cret").toString("base64")}`;
      expect(proxy.asked.every(({ authorization }) => authorization === given)).toBe(true);
      expect(plain.requests[0]?.headers["proxy-authorization"]).toBeUndefined();
    },
  );

  it.each(Object.entries(kinds))("%s is asked for no spelling of this machine", async (kind, start) => {
    const [site, proxy] = [await hello(), keep(await start())];
    const dns = keep(await startDnsServer((name) => (name === "six.test" ? ["::1"] : ["127.0.0.1"])));
    const net = keep(openNet({ dnsServer: dns, proxies: proxies(urlOf(kind, proxy)), certificates: [proxyTls.cert] }));
    const hosts = [
      "127.0.0.1 127.1 2130706433 017700000001 0x7f000001 0x7f.1 127.0.0.1. 0 0.0.0.0 [::] [::1] 169.254.169.254 10.0.0.1",
      "[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1] localhost a.localhost %31%32%37.0.0.1 127。0。0。1 name.test six.test",
    ];
    for (const host of hosts.join(" ").split(" ")) {
      expect([host, await get(net, `http://${host}:${site.port}/`)]).toMatchObject([host, { code: "URL_NOT_ALLOWED" }]);
    }
    expect([proxy.connections, site.connections]).toEqual([0, 0]);
  });

  it("socks5 with wrong credentials, and https with an unknown certificate, are failures of the proxy", async () => {
    const [site, socks, secure] = [await hello(), keep(await kinds.socks5()), keep(await kinds.https())];
    const wrong = keep(openNet({ allow: "127.0.0.1", proxies: proxies(socks.url.replace("//", "//me:wrong@")) }));
    const failure = { ok: false, code: "SCRAPE_PROXY_ERROR" };
    const message = `The proxy ${socks.url} refuses the credentials`;
    expect(await get(wrong, site.url)).toEqual({ ...failure, message });
    const unknown = keep(openNet({ allow: "127.0.0.1", proxies: proxies(urlOf("https", secure)) }));
    expect(await get(unknown, site.url)).toMatchObject(failure);
    expect(site.connections).toBe(0);
  });

  it("socks5 says when it cannot reach a site", async () => {
    const socks = keep(await startSocksProxy({ refuses: 4 }));
    const net = keep(openNet({ allow: "127.0.0.1", proxies: proxies(socks.url) }));
    const message = `The proxy ${socks.url} cannot reach the site`;
    expect(await get(net, "http://127.0.0.1:8080/")).toEqual({ ok: false, code: "SCRAPE_PROXY_ERROR", message });
  });
});

describe("a caller's own proxy", () => {
  const way = (proxyUrl: string) => ({ way: { proxyUrl } });

  it("replaces all others, and nothing of it is kept", async () => {
    const [site, own, basic] = [await hello(), keep(await startProxy()), keep(await startProxy())];
    const net = keep(openNet({ allow: "127.0.0.1", proxies: proxies(basic.url) }));
    expect(await get(net, site.url, way(own.url))).toMatchObject({ ok: true, proxy: "basic" });
    expect(await get(net, site.url, way(own.url))).toMatchObject({ ok: true });
    expect([own.asked.length, basic.asked.length]).toEqual([2, 0]);
    await own.close();
    expect(await get(net, site.url, way(own.url))).toMatchObject({ ok: false, code: "SCRAPE_PROXY_ERROR" });
    expect(basic.asked).toHaveLength(0);
  });

  it("is dialled by no spelling of this machine, in any form", async () => {
    const dns = keep(await startDnsServer((name) => (name === "public.test" ? ["93.184.215.14"] : ["127.0.0.1"])));
    const proxy = keep(await startProxy({ host: "::" }));
    const net = keep(openNet({ dnsServer: dns }));
    const hosts = [
      "127.0.0.1 127.1 2130706433 017700000001 0x7f000001 0x7f.1 127.0.0.1. 0 0.0.0.0 [::] [::1] name.test",
      "[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1] localhost a.localhost %31%32%37.0.0.1 127。0。0。1 user:pass@127.0.0.1",
    ];
    for (const scheme of ["http", "https", "socks5"]) {
      for (const host of hosts.join(" ").split(" ")) {
        const outcome = await get(net, "http://public.test/", way(`${scheme}://${host}:${proxy.port}`));
        expect([scheme, host, outcome]).toMatchObject([scheme, host, { ok: false, code: "URL_NOT_ALLOWED" }]);
      }
    }
    expect(proxy.connections).toBe(0);
  });
});
