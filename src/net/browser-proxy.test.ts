import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDnsServer } from "../../test/support/dns-server.ts";
import { startProxy } from "../../test/support/site-proxy.ts";
import { openNet, proxies, type Site, startRawSite, startSite } from "../../test/support/site-server.ts";
import type { BrowserProxy, Net } from "./index.ts";

type Answer = { status: number; headers: IncomingMessage["headers"]; text: string } | null;

/** One request through the proxy, as a browser sends it; null when the connection ended without an answer. */
function ask(proxy: BrowserProxy, url: string, given: Record<string, string> = authorization(proxy)): Promise<Answer> {
  const { hostname, port } = new URL(proxy.address?.url ?? "");
  return new Promise((done) => {
    const asked = httpRequest({ host: hostname, port, path: url, headers: { host: new URL(url).host, ...given } });
    asked.on("error", () => done(null));
    asked.on("response", (response) => {
      let text = "";
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("error", () => done(null));
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.end();
  });
}

function authorization({ address }: BrowserProxy): Record<string, string> {
  const pair = `${address?.username}:${address?.password}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** The first line that the proxy answers to CONNECT, and the socket behind it. */
async function tunnelTo(proxy: BrowserProxy, authority: string): Promise<{ line: string; socket: Socket }> {
  const socket = connect(Number(new URL(proxy.address?.url ?? "").port), "127.0.0.1");
  socket.on("error", () => undefined);
  const { "proxy-authorization": value } = authorization(proxy);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: ${value}\r\n\r\n`);
  const [data] = await once(socket, "data");
  return { line: String(data).split("\r\n")[0] ?? "", socket };
}

describe("the browser's proxy", () => {
  let site: Site;
  let inner: Site;
  let net: Net;
  let proxy: BrowserProxy;

  beforeAll(async () => {
    site = await startSite((request, response) => {
      if (request.url === "/large") return void response.end(Buffer.alloc(300_000));
      let body = "";
      request.on("data", (piece) => {
        body += piece;
      });
      request.on("end", () => {
        response.setHeader("set-cookie", ["a=1", "b=2"]);
        response.end(JSON.stringify({ url: request.url, headers: request.headers, body }));
      });
    });
    inner = await startSite((_request, response) => response.end("inner"));
    net = openNet({ allow: `127.0.0.1:${site.port},site.localhost:${site.port}`, limits: { wireBytes: 200_000 } });
    proxy = await net.openProxy({});
  });
  afterAll(async () => {
    await proxy.close();
    await net.close();
    await Promise.all([site.close(), inner.close()]);
  });

  it("forwards a request and its answer, without what belongs to one connection", async () => {
    const answer = await ask(proxy, `${site.url}/path?x=1`, {
      ...authorization(proxy),
      "proxy-connection": "keep-alive",
      "x-own": "1",
    });
    const seen = JSON.parse(answer?.text ?? "");
    expect(seen).toMatchObject({ url: "/path?x=1", headers: { host: `127.0.0.1:${site.port}`, "x-own": "1" } });
    expect(Object.keys(seen.headers).filter((name) => name.startsWith("proxy-"))).toEqual([]);
    expect(answer?.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(proxy.failureOf(`${site.url}/path`)).toBeNull();
    expect(proxy.isPrivate(`${site.url}/`)).toBe(true);
  });

  it("tunnels what is encrypted or a web socket", async () => {
    const { line, socket } = await tunnelTo(proxy, `127.0.0.1:${site.port}`);
    expect(line).toBe("HTTP/1.1 200 Connection Established");
    socket.write(`GET /through HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [data] = await once(socket, "data");
    expect(String(data)).toContain("200 OK");
    socket.destroy();
  });

  it("refuses what the judge refuses, before a connection, and remembers why", async () => {
    expect(await ask(proxy, `${inner.url}/`)).toBeNull();
    expect((await tunnelTo(proxy, `127.0.0.1:${inner.port}`)).line).toBe("HTTP/1.1 502 Bad Gateway");
    expect((await tunnelTo(proxy, `localhost:${inner.port}`)).line).toBe("HTTP/1.1 502 Bad Gateway");
    expect((await tunnelTo(proxy, `[::ffff:127.0.0.1]:${inner.port}`)).line).toBe("HTTP/1.1 502 Bad Gateway");
    expect((await tunnelTo(proxy, "site.localhost:25")).line).toBe("HTTP/1.1 502 Bad Gateway");
    expect(inner.connections).toBe(0);
    expect(proxy.failureOf(`ws://127.0.0.1:${inner.port}/`)).toMatchObject({
      code: "URL_NOT_ALLOWED",
      message: "This URL is not allowed",
    });
    expect(proxy.isPrivate(`${inner.url}/`)).toBe(false);
  });

  it("refuses clients without its credentials", async () => {
    expect((await ask(proxy, `${site.url}/`, {}))?.status).toBe(407);
    expect((await ask(proxy, `${site.url}/`, { "proxy-authorization": "Basic wrong" }))?.status).toBe(407);
  });

  it("never leads to itself, be it allowed", async () => {
    const open = openNet({ allow: "127.0.0.1" });
    const own = await open.openProxy({});
    expect(await ask(own, `${own.address?.url}/`)).toBeNull();
    expect(own.failureOf(own.address?.url ?? "")).toMatchObject({ code: "URL_NOT_ALLOWED" });
    await own.close();
    await open.close();
  });

  it("refuses Chromium's calls home without asking where they are", async () => {
    const dns = await startDnsServer(() => ["127.0.0.1"]);
    const quiet = openNet({ dnsServer: dns });
    const own = await quiet.openProxy({});
    expect((await tunnelTo(own, "update.googleapis.com:443")).line).toBe("HTTP/1.1 502 Bad Gateway");
    expect(await ask(own, "http://clients2.google.com/time/1/current")).toBeNull();
    expect(dns.queries).toEqual([]);
    await own.close();
    await quiet.close();
    await dns.close();
  });

  it("ends an answer that is too large", async () => {
    expect(await ask(proxy, `${site.url}/large`)).toBeNull();
    expect(proxy.failureOf(`${site.url}/`)).toMatchObject({ code: "SCRAPE_PAGE_TOO_LARGE" });
  });

  it("ends a tunnel that carries too much", async () => {
    const endless = await startRawSite((socket) => {
      const timer = setInterval(() => socket.write(Buffer.alloc(100_000)), 1);
      socket.on("close", () => clearInterval(timer));
    });
    const open = openNet({ allow: "127.0.0.1", limits: { wireBytes: 200_000 } });
    const own = await open.openProxy({});
    const { socket } = await tunnelTo(own, `127.0.0.1:${endless.port}`);
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    socket.write("go");
    await once(socket, "close");
    expect(bytes).toBeLessThanOrEqual(800_000);
    expect(own.failureOf(endless.url)).toMatchObject({ code: "SCRAPE_PAGE_TOO_LARGE" });
    await own.close();
    await open.close();
    await endless.close();
  });

  it("goes out through the operator's proxy, by the judged address", async () => {
    const relay = await startProxy();
    const behind = openNet({ allow: `site.localhost:${site.port}`, proxies: proxies(relay.url) });
    const own = await behind.openProxy({});
    const answer = await ask(own, `http://site.localhost:${site.port}/by-relay`);
    expect(answer?.text).toContain("/by-relay");
    expect(relay.asked.map(({ authority }) => authority)).toEqual([`127.0.0.1:${site.port}`]);
    await own.close();
    await behind.close();
    await relay.close();
  });

  it("listens on a unix socket without credentials", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trawl-proxy-"));
    const own = await net.openProxy({ socketPath: join(folder, "proxy.sock") });
    expect(own.address).toBeNull();
    const socket = connect(join(folder, "proxy.sock"));
    socket.write(`GET ${site.url}/by-socket HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const [data] = await once(socket, "data");
    expect(String(data)).toContain("200 OK");
    socket.destroy();
    await own.close();
    rmSync(folder, { recursive: true });
  });
});
