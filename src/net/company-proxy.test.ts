import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeSigned } from "../../test/support/site-certificates.ts";
import { type ProxyOptions, startProxy, startSocksProxy } from "../../test/support/site-proxy.ts";
import { openNet, type Site, startSite } from "../../test/support/site-server.ts";
import { loadConfig } from "../config.ts";
import { createCompanyProxy, proxiedTarget } from "./company-proxy.ts";
import type { NetOptions } from "./net.ts";

const read = (env: Record<string, string>) => {
  const { httpProxy: http, httpsProxy: https, allProxy: all, noProxy: exceptions } = loadConfig(env);
  return createCompanyProxy({ http, https, all, exceptions });
};
const choose = (env: Record<string, string>, url: string) => {
  const { protocol, hostname, port } = new URL(url);
  const target = protocol.startsWith("http") ? proxiedTarget(new URL(url)) : { protocol, hostname, port: Number(port) };
  return read(env)?.choose(target)?.label ?? null;
};

describe("the proxy of a URL", () => {
  it.each([
    [{ HTTPS_PROXY: "http://a:1", HTTP_PROXY: "http://b:2" }, "https://x.test/", "http://a:1"],
    [{ HTTPS_PROXY: "http://a:1", HTTP_PROXY: "http://b:2" }, "http://x.test/", "http://b:2"],
    [{ HTTPS_PROXY: "http://a:1", https_proxy: "http://c:3" }, "https://x.test/", "http://c:3"],
    [{ HTTPS_PROXY: "http://a:1", https_proxy: "" }, "https://x.test/", "http://a:1"],
    [{ http_proxy: "http://b:2" }, "http://x.test/", "http://b:2"],
    [{ HTTPS_PROXY: "http://a:1" }, "http://x.test/", null],
    [{ ALL_PROXY: "socks5h://d:4", HTTP_PROXY: "http://b:2" }, "https://x.test/", "socks5://d:4"],
    [{ all_proxy: "https://d" }, "smtp://mail.test:25", "https://d:443"],
    [{ HTTPS_PROXY: "http://a:1", HTTP_PROXY: "http://b:2" }, "smtp://mail.test:25", null],
    // As curl: a proxy without a scheme is an HTTP proxy, one without a port has 1080.
    [{ HTTPS_PROXY: "proxy.corp" }, "https://x.test/", "http://proxy.corp:1080"],
    [{ HTTPS_PROXY: "me:secret@proxy.corp:3128/" }, "https://x.test/", "http://proxy.corp:3128"],
  ])("%j: %s goes through %s", (env, url, expected) => {
    expect(choose(env as Record<string, string>, url)).toBe(expected);
  });

  it.each([
    ["*", "https://x.test/", true],
    ["x.test", "https://x.test/", true],
    ["x.test", "https://a.b.x.test/", true],
    [".x.test", "https://x.test/", true],
    [".x.test", "https://a.x.test/", true],
    ["*.x.test", "https://a.x.test/", true],
    ["x.test", "https://notx.test/", false],
    ["X.TEST.", "https://x.test/", true],
    ["y.test x.test", "https://x.test/", true],
    ["y.test,, x.test ,", "https://x.test/", true],
    ["10.1.2.3", "https://10.1.2.3/", true],
    ["10.1.2.3", "https://10.1.2.4/", false],
    ["10.0.0.0/8", "https://10.1.2.4/", true],
    ["10.0.0.0/8", "https://11.1.2.4/", false],
    ["10.0.0.0/8", "https://10.test/", false],
    ["2.3", "https://10.1.2.3/", false],
    ["fd00::/8", "https://[fd12::1]/", true],
    ["[fd12::1]", "https://[fd12::1]/", true],
    ["[fd12::1]:8443", "https://[fd12::1]:8443/", true],
    ["[fd12::1]:8443", "https://[fd12::1]/", false],
    ["::1", "https://[::1]/", true],
    ["x.test:8443", "https://x.test:8443/", true],
    ["x.test:8443", "https://x.test/", false],
    ["x.test:443", "https://x.test/", true],
    ["localhost", "http://127.0.0.1/", false],
    ["not/a/range, ]:[, :9", "https://x.test/", false],
  ])("NO_PROXY=%s lets %s past: %s", (noProxy, url, isDirect) => {
    expect(choose({ ALL_PROXY: "http://a:1", NO_PROXY: noProxy }, url)).toBe(isDirect ? null : "http://a:1");
    expect(choose({ ALL_PROXY: "http://a:1", NO_PROXY: "other.test", no_proxy: noProxy }, url)).toBe(
      isDirect ? null : "http://a:1",
    );
  });

  it.each([
    [{ https_proxy: "ftp://a" }, "https_proxy must be the URL of a proxy: http://, https://, socks5:// or socks5h://."],
    [
      { PROXY_FROM_ENV: "1", PROXY_SERVER: "http://a:1" },
      "PROXY_FROM_ENV must not be set together with PROXY_SERVER or PROXY_POOL.",
    ],
    [
      { CA_FILE: "/nowhere/ca.pem" },
      "CA_FILE must name a PEM file with certificates: /nowhere/ca.pem is not one, or cannot be read.",
    ],
    [
      { CA_FILE: import.meta.filename },
      `CA_FILE must name a PEM file with certificates: ${import.meta.filename} is not one, or cannot be read.`,
    ],
  ])("%j stops the start", (env, message) => {
    expect(() => loadConfig(env as Record<string, string>)).toThrow(new Error(message));
  });
});

describe("calls through the proxy of the environment", () => {
  const opened: { close(): Promise<void> }[] = [];
  const keep = <Opened extends { close(): Promise<void> }>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });
  const { authority, signed } = makeSigned(["service.test", "127.0.0.1"]);
  let plain: Site;
  let secure: Site;
  beforeAll(async () => {
    plain = await startSite((request, response) => response.end(`plain ${request.headers.host}`));
    secure = await startSite((request, response) => response.end(`secure ${request.headers.host}`), { tls: signed });
  });
  afterAll(() => Promise.all([plain.close(), secure.close()]));

  const open = (proxyUrl: string, options: Partial<NetOptions> = {}) =>
    keep(openNet({ companyProxy: read({ ALL_PROXY: proxyUrl }), certificates: [authority], ...options }));
  const call = async (net: ReturnType<typeof open>, url: string) => {
    const { origin } = new URL(url);
    const outcome = await net.fetch({ url, allowOrigin: origin, signal: AbortSignal.timeout(60_000) });
    return outcome.ok ? outcome.body.toString() : `${outcome.code}: ${outcome.message}`;
  };
  const ports = () => ({ "service.test:80": plain.port, "service.test:443": secure.port });
  const login = "me:s3cret";
  const packed = `Basic ${Buffer.from(login).toString("base64")}`;

  it.each(["http", "https"])("over %s leave the name to it: http is forwarded, https is tunnelled", async (scheme) => {
    const tls = makeSigned(["localhost"]);
    const proxy = keep(
      await startProxy({ basic: login, ports: ports(), ...(scheme === "https" ? { tls: tls.signed } : {}) }),
    );
    const url = `${scheme}://${login}@localhost:${proxy.port}`;
    const net = open(url, { certificates: [authority, tls.authority] });
    expect(await call(net, "http://service.test/x?y=1")).toBe("plain service.test");
    expect(await call(net, "https://service.test/")).toBe("secure service.test");
    expect(proxy.asked).toEqual([
      { authority: "service.test", authorization: packed, isPlain: true },
      { authority: "service.test:443", authorization: packed },
    ]);
    expect(plain.requests.at(-1)?.headers["proxy-authorization"]).toBeUndefined();
  });

  it("over SOCKS leave it the name with socks5h, and the address with socks5", async () => {
    const proxy = keep(await startSocksProxy({ ports: { ...ports(), "127.0.0.1:443": secure.port } }));
    expect(await call(open(proxy.url.replace("socks5", "socks5h")), "https://service.test/")).toBe(
      "secure service.test",
    );
    expect(await call(open(proxy.url), "https://localhost/")).toMatch(/^SCRAPE_SSL_ERROR/);
    expect(proxy.asked.map(({ authority: asked }) => asked)).toEqual(["service.test:443", "127.0.0.1:443"]);
  });

  type Fault = [string, ProxyOptions | null, string, string];
  it.each<Fault>([
    ["wants credentials", { basic: login }, "wants credentials (407)", "wants credentials (407)"],
    ["refuses", { refuses: 403 }, "", "refused the connection (403)"],
    ["answers 502", { refuses: 502 }, "answered 502 for the site", "refused the connection (502)"],
    ["hangs", { isSilent: true }, "", "did not answer in time"],
    ["is away", null, "cannot be reached (ECONNREFUSED)", "cannot be reached (ECONNREFUSED)"],
  ])("name it, but not its password, when it %s", async (_fault, options, forwarded, tunnelled) => {
    const proxy = keep(await startProxy(options ?? {}));
    if (options === null) await proxy.close();
    const net = open(proxy.url, { limits: { connectMs: 300 } });
    if (forwarded !== "") {
      expect(await call(net, "http://service.test/")).toBe(`SCRAPE_PROXY_ERROR: The proxy ${proxy.url} ${forwarded}`);
    }
    expect(await call(net, "https://service.test/")).toBe(`SCRAPE_PROXY_ERROR: The proxy ${proxy.url} ${tunnelled}`);
    const other = open(proxy.url.replace("//", "//me:0ther@"), { limits: { connectMs: 300 } });
    expect(await call(other, "https://service.test/")).not.toContain("0ther");
  });

  it("name it when it lies, or when it breaks TLS open", async () => {
    const liar = keep(await startProxy({ isLying: true }));
    const by = (url: string) => ` (through the proxy ${url})`;
    expect(await call(open(liar.url), "https://service.test/")).toMatch(
      /^SCRAPE_SSL_ERROR: The site's certificate or TLS/,
    );
    for (const url of ["http://service.test/", "https://service.test/"]) {
      expect((await call(open(liar.url), url)).endsWith(by(liar.url))).toBe(true);
    }
    const proxy = keep(await startProxy({ ports: ports() }));
    const strict = open(proxy.url, { certificates: [] });
    expect(await call(strict, "https://service.test/")).toMatch(
      /^SCRAPE_SSL_ERROR: .+ \(through the proxy http:\/\/127/,
    );
  });
});
