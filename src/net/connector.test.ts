// Where connections may lead. The sites count TCP connections: a refused address must not cost a single one.
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { startDnsServer } from "../../test/support/dns-server.ts";
import { makeCertificate } from "../../test/support/site-certificates.ts";
import { startProxy } from "../../test/support/site-proxy.ts";
import { openNet, proxies, type Site, startSite } from "../../test/support/site-server.ts";
import type { FetchRequest, Net } from "./index.ts";

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
const sayHello = (options = {}) => startSite((_request, response) => response.end("hello"), options).then(keep);
const refused = { ok: false, code: "URL_NOT_ALLOWED", message: "This URL is not allowed" };

describe("private space", () => {
  it("is reached by no spelling of this machine", async () => {
    const site = await sayHello({ host: "::" });
    const net = keep(openNet());
    const hosts = [
      "127.0.0.1 127.1 2130706433 017700000001 0x7f000001 0x7f.1 127.0.0.1. 127.9.9.9 0 0.0.0.0 [::] [::1]",
      "[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1] [::127.0.0.1] localhost localhost. a.localhost LocalHost",
      "user:pass@127.0.0.1 example.com@127.0.0.1 %31%32%37.0.0.1 127%2e0.0.1 １２７.０.０.１ 127。0。0。1 [::ffff:0:127.0.0.1]",
    ];
    for (const host of hosts.join(" ").split(" ")) {
      expect([host, await get(net, `http://${host}:${site.port}/`)]).toEqual([host, refused]);
    }
    expect(site.connections).toBe(0);
  });

  it("is reached by no name that leads there, mixed records included, and by no second answer", async () => {
    const port = (await sayHello({ host: "127.0.0.2" })).port;
    const [allowed, other] = [opened[0] as unknown as Site, await sayHello({ host: "127.0.0.1", port })];
    const answers: Record<string, string[][]> = {
      "private.test": [["127.0.0.1"]],
      "six.test": [["::1", "::ffff:127.0.0.1", "fd00::1"]],
      "mixed.test": [["127.0.0.1", "127.0.0.2"]],
      "rebinding.test": [["127.0.0.2"], ["127.0.0.1"]],
    };
    const dns = keep(
      await startDnsServer((name, before) => {
        const rounds = answers[name];
        return rounds === undefined ? null : (rounds[Math.min(before, rounds.length - 1)] ?? null);
      }),
    );
    const net = keep(openNet({ dnsServer: dns, allow: `127.0.0.2:${port}` }));

    expect(await get(net, `http://private.test:${port}/`)).toEqual(refused);
    expect(await get(net, `http://six.test:${port}/`)).toEqual(refused);
    expect([allowed.connections, other.connections]).toEqual([0, 0]);

    expect(await get(net, `http://mixed.test:${port}/`)).toMatchObject({ ok: true });
    expect([allowed.connections, other.connections]).toEqual([1, 0]);

    // What was judged is what is dialled: one question per connection, none after the judgement.
    const rebinding = `http://rebinding.test:${port}/`;
    expect(await get(net, rebinding, { headers: { "x-first": "1" } })).toMatchObject({ ok: true });
    expect(dns.queries.filter((name) => name === "rebinding.test")).toHaveLength(1);
    expect(await get(net, rebinding, { skipTlsVerification: true })).toEqual(refused);
    expect(dns.queries.filter((name) => name === "rebinding.test")).toHaveLength(2);
    expect([allowed.connections, other.connections]).toEqual([2, 0]);
  });

  it.each([301, 302, 303, 307, 308])("is reached by no redirect %d", async (status) => {
    const target = await sayHello();
    const dns = keep(await startDnsServer(() => ["127.0.0.1"]));
    const places = [
      `http://127.0.0.1:${target.port}/`,
      `http://0x7f.1:${target.port}/`,
      `http://x.test:${target.port}/`,
    ];
    for (const location of places) {
      const site = keep(
        await startSite((_request, response) => response.writeHead(status, { location }).end(), { host: "127.0.0.3" }),
      );
      const net = keep(openNet({ dnsServer: dns, allow: "127.0.0.3" }));
      expect(await get(net, `http://127.0.0.3:${site.port}/`)).toEqual(refused);
      expect(site.connections).toBe(1);
    }
    expect(target.connections).toBe(0);
  });

  it("opens for a name only under that name, and for a port only there", async () => {
    const [site, other] = [await sayHello(), await sayHello()];
    const dns = keep(await startDnsServer(() => ["127.0.0.1"]));
    const net = keep(openNet({ dnsServer: dns, allow: `wiki.internal:${site.port}, intranet` }));
    expect(await get(net, `http://wiki.internal:${site.port}/`)).toMatchObject({ ok: true, status: 200 });
    expect(await get(net, `http://intranet:${other.port}/`)).toMatchObject({ ok: true, status: 200 });
    const before = [site.connections, other.connections];
    for (const host of ["evil.test", "127.0.0.1", "localhost"]) {
      expect(await get(net, `http://${host}:${site.port}/`)).toEqual(refused);
    }
    expect(await get(net, `http://wiki.internal:${other.port}/`)).toEqual(refused);
    expect([site.connections, other.connections]).toEqual(before);
  });

  it("never opens our own ports, allow list or not, name or address", async () => {
    const site = await sayHello();
    const dns = keep(await startDnsServer(() => ["127.0.0.1"]));
    const allow = "127.0.0.0/8, me.test, localhost";
    const net = keep(openNet({ dnsServer: dns, allow, ownPorts: () => [site.port] }));
    for (const host of ["127.0.0.1", "me.test", "localhost", "other.test"]) {
      expect(await get(net, `http://${host}:${site.port}/`)).toEqual(refused);
    }
    expect(site.connections).toBe(0);
  });
});

describe("addresses of the operator", () => {
  it("are exactly one origin, never a redirect elsewhere, and lend no connection to others", async () => {
    const other = await sayHello();
    const site = keep(
      await startSite((request, response) => {
        if (request.url === "/away") response.writeHead(302, { location: `${other.url}/` }).end();
        else if (request.url === "/on") response.writeHead(302, { location: "/" }).end();
        else response.end("model");
      }),
    );
    const net = keep(openNet());
    const allowOrigin = site.url;
    expect(await get(net, `${site.url}/`, { allowOrigin })).toMatchObject({ ok: true });
    expect(await get(net, `${site.url}/on`, { allowOrigin })).toMatchObject({ ok: true, url: `${site.url}/` });
    expect(await get(net, `${site.url}/away`, { allowOrigin })).toEqual(refused);
    expect(await get(net, `${other.url}/`, { allowOrigin })).toEqual(refused);
    expect(await get(net, "file:///etc/passwd", { allowOrigin: "file:///etc/passwd" })).toEqual(refused);
    const before = site.connections;
    expect(await get(net, `${site.url}/`)).toEqual(refused);
    expect([site.connections, other.connections]).toEqual([before, 0]);
  });

  it("lend none of their kept connections to a caller who knows their name", async () => {
    const model = await sayHello();
    const dns = keep(await startDnsServer(() => ["127.0.0.1"]));
    const net = keep(openNet({ dnsServer: dns }));
    const url = `http://model.test:${model.port}/`;
    for (let count = 0; count < 3; count += 1) {
      expect(await get(net, url, { allowOrigin: url })).toMatchObject({ ok: true });
      expect(await get(net, url)).toEqual(refused);
    }
    expect(model.requests).toHaveLength(3);
  });
});

describe("names and connections that fail", () => {
  it("have their codes, and the texts hold no address", async () => {
    const dns = keep(
      await startDnsServer((name) => (name === "empty.test" ? [] : name === "a.test" ? ["127.0.0.1"] : null)),
    );
    const net = keep(openNet({ dnsServer: dns, allow: "a.test" }));
    const closed = await startSite(() => undefined);
    await closed.close();
    const code = (name: string) =>
      get(net, `http://${name}:${closed.port}/`).then((each) => (each.ok ? "" : each.code));
    expect(await code("unknown.test")).toBe("SCRAPE_DNS_RESOLUTION_ERROR");
    expect(await code("empty.test")).toBe("SCRAPE_DNS_RESOLUTION_ERROR");
    const outcome = await get(net, `http://a.test:${closed.port}/`);
    expect(outcome).toEqual({ ok: false, code: "SCRAPE_SITE_ERROR", message: "The site refused the connection" });
  });

  it("an unknown name of the system's resolver too", async () => {
    const net = keep(openNet());
    expect(await get(net, "http://no-such-name.invalid/")).toMatchObject({ code: "SCRAPE_DNS_RESOLUTION_ERROR" });
  });
});

describe("TLS", () => {
  const certificates: Record<string, { key: string; cert: string }> = {};
  beforeAll(() => {
    certificates.good = makeCertificate("good.test");
    certificates.expired = makeCertificate("good.test", { isExpired: true });
    certificates.wrong = makeCertificate("other.test");
    certificates.unknown = makeCertificate("good.test");
  });

  async function open(which: string) {
    const site = await sayHello({ tls: certificates[which] });
    const dns = keep(await startDnsServer(() => ["127.0.0.1"]));
    const trusted = ["good", "expired", "wrong"].map((name) => certificates[name]?.cert ?? "");
    const net = keep(openNet({ dnsServer: dns, allow: "good.test", certificates: trusted }));
    return { site, net, url: `https://good.test:${site.port}/` };
  }

  it("is verified against name and time unless that is waived", async () => {
    const { net, url } = await open("good");
    expect(await get(net, url)).toMatchObject({ ok: true, status: 200 });
  });

  it.each(["expired", "wrong", "unknown"])(
    "a certificate that is %s is refused, or waived, and never by habit",
    async (which) => {
      const { net, url } = await open(which);
      const isFaulty = { ok: false, code: "SCRAPE_SSL_ERROR" };
      const isFine = { ok: true, status: 200 };
      expect(await get(net, url)).toMatchObject(isFaulty);
      expect(await get(net, url, { skipTlsVerification: true })).toMatchObject(isFine);
      expect(await get(net, url)).toMatchObject(isFaulty);
      expect(await get(net, url, { skipTlsVerification: true })).toMatchObject(isFine);
    },
  );

  it("a server without TLS is an SSL error", async () => {
    const site = await sayHello();
    const net = keep(openNet({ allow: "127.0.0.1" }));
    const url = site.url.replace("http:", "https:");
    expect(await get(net, url, { skipTlsVerification: true })).toMatchObject({ code: "SCRAPE_SSL_ERROR" });
  });
});

describe("the proxy", () => {
  it("is asked for judged addresses only, with its credentials, for http and https", async () => {
    const tls = makeCertificate("good.test");
    const [plain, secure, proxy] = [await sayHello(), await sayHello({ tls }), keep(await startProxy())];
    const dns = keep(await startDnsServer((name) => (name === "bad.test" ? ["127.0.0.9"] : ["127.0.0.1"])));
    const net = keep(
      openNet({
        dnsServer: dns,
        allow: `127.0.0.1:${plain.port}, 127.0.0.1:${secure.port}`,
        proxies: proxies(proxy.url.replace("//", "//me:se%3Acret@")),
        certificates: [tls.cert],
      }),
    );
    expect(await get(net, `http://good.test:${plain.port}/`)).toMatchObject({ ok: true, status: 200 });
    expect(await get(net, `https://good.test:${secure.port}/`)).toMatchObject({ ok: true, status: 200 });
    expect(await get(net, `http://bad.test:${plain.port}/`)).toEqual(refused);
    expect(await get(net, `${proxy.url}/`)).toEqual(refused);
    const authorization = `Basic ${Buffer.from("me:se:cret").toString("base64")}`;
    expect(proxy.asked).toEqual([
      { authority: `127.0.0.1:${plain.port}`, authorization },
      { authority: `127.0.0.1:${secure.port}`, authorization },
    ]);
    expect(plain.requests[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  it("that refuses or is away is a failure that names the proxy, and says nothing of addresses", async () => {
    const [site, proxy] = [await sayHello(), keep(await startProxy({ refuses: true }))];
    const net = keep(openNet({ allow: "127.0.0.1", proxies: proxies(proxy.url, { cooldownMs: 0 }) }));
    const failure = { ok: false, code: "SCRAPE_PROXY_ERROR" };
    const refusal = `The proxy ${proxy.url} wants credentials (407)`;
    expect(await get(net, site.url)).toEqual({ ...failure, message: refusal });
    await proxy.close();
    const message = `The proxy ${proxy.url} cannot be reached (ECONNREFUSED)`;
    expect(await get(net, site.url)).toEqual({ ...failure, message });
    expect(site.connections).toBe(0);
  });
});

describe("connecting", () => {
  it("takes no longer than its limit, TLS handshake included", async () => {
    const { startRawSite } = await import("../../test/support/site-server.ts");
    const site = keep(await startRawSite(() => undefined));
    const net = keep(openNet({ allow: "127.0.0.1", limits: { connectMs: 150 } }));
    const url = site.url.replace("http:", "https:");
    expect(await get(net, url)).toMatchObject({ ok: false, code: "SCRAPE_TIMEOUT" });
  });
});
