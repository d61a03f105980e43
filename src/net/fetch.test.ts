import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { startDnsServer } from "../../test/support/dns-server.ts";
import { startProxy } from "../../test/support/site-proxy.ts";
import { openNet, proxies, type Site, startRawSite, startSite, writeThen } from "../../test/support/site-server.ts";
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
const site = (handle: (request: IncomingMessage, response: ServerResponse) => void, host = "127.0.0.1") =>
  startSite(handle, { host }).then(keep);
const raw = (answer: (socket: Socket) => void) => startRawSite(answer).then(keep);
const open = (limits = {}) => keep(openNet({ allow: "127.0.0.0/8", limits }));
const redirect = (response: ServerResponse, location: string, headers = {}, status = 302) =>
  response.writeHead(status, { location, ...headers }).end("moved");

/** More origins than pools are kept. */
async function fillPools(net: Net, port: number): Promise<void> {
  for (let count = 0; count < 600; count += 20) {
    const names = Array.from({ length: 20 }, (_, index) => `n${count + index}.test`);
    const outcomes = await Promise.all(names.map((name) => get(net, `http://${name}:${port}/`)));
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
  }
}

function pour(response: ServerResponse): void {
  writeThen(response, Buffer.alloc(16_384), () => pour(response));
}

describe("a page", () => {
  it("comes with its status, headers, address and bytes", async () => {
    const one = await site((_request, response) => {
      response.writeHead(404, { "content-type": "text/html; charset=utf-8", "set-cookie": ["a=1", "b=2"] }).end("nö");
    });
    const outcome = await get(open(), `${one.url}/x?y=1#z`);
    expect(outcome).toMatchObject({
      ok: true,
      status: 404,
      url: `${one.url}/x?y=1#z`,
      contentType: "text/html; charset=utf-8",
      redirects: [],
      retryAfterSeconds: null,
      wireBytes: 3,
    });
    expect(outcome.ok && outcome.body.toString()).toBe("nö");
    expect(outcome.ok && outcome.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(one.requests[0]?.url).toBe("/x?y=1");
    expect(one.requests[0]?.headers).toMatchObject({
      "user-agent": "TestBot",
      "accept-encoding": "gzip, deflate, br, zstd",
    });
  });

  it.each([204, 304])("may have no body (%d)", async (status) => {
    const one = await site((_request, response) => response.writeHead(status).end());
    expect(await get(open(), one.url)).toMatchObject({ ok: true, status, body: Buffer.alloc(0) });
  });

  it("is asked for with the caller's headers, except those of the connection", async () => {
    const one = await site((_request, response) => response.end());
    const headers = { "X-Own": "1", Host: "evil.test", Connection: "close", "Proxy-Authorization": "x", Expect: "y" };
    await get(open(), one.url, { headers });
    const sent = one.requests[0]?.headers;
    expect(sent).toMatchObject({ "x-own": "1", host: new URL(one.url).host, connection: "keep-alive" });
    expect([sent?.["proxy-authorization"], sent?.expect]).toEqual([undefined, undefined]);
  });

  it("may ask for credentials in its address, which do not come back", async () => {
    const one = await site((_request, response) => response.end());
    const outcome = await get(open(), one.url.replace("//", "//us%40er:pa%3Ass@"));
    expect(outcome).toMatchObject({ ok: true, url: `${one.url}/` });
    expect(one.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("us@er:pa:ss").toString("base64")}`);
  });

  it("can be sent something", async () => {
    const one = await site((request, response) => {
      request.pipe(response);
    });
    const outcome = await get(open(), one.url, {
      method: "POST",
      body: "ping",
      headers: { "content-type": "text/plain" },
    });
    expect(outcome.ok && outcome.body.toString()).toBe("ping");
  });

  it("uses a kept connection, and asks again when the site has closed it", async () => {
    const one = await site((_request, response) => response.end("ok"));
    const net = open();
    for (let count = 0; count < 6; count += 1) await get(net, one.url);
    // undici rests a connection for one turn of the event loop, so two take turns.
    expect(one.connections).toBeLessThanOrEqual(2);
    const before = one.connections;
    for (const request of one.requests) request.socket.resetAndDestroy();
    expect(await get(net, one.url)).toMatchObject({ ok: true });
    expect(one.connections).toBe(before + 1);
  });

  it("asks again on each of several kept connections that its site closes", async () => {
    const known = new Set<Socket>();
    const waiting: ServerResponse[] = [];
    const closing: Socket[] = [];
    const one = await site((request, response) => {
      if (known.has(request.socket)) closing.push(request.socket);
      else waiting.push(response);
      known.add(request.socket);
      if (waiting.length === 4) for (const each of waiting.splice(0)) each.end("ok");
      // The next one is closed when the request of the one before has come again, on its own connection.
      else if (closing.length + waiting.length >= 4) closing.shift()?.destroy();
    });
    const net = open();
    const four = () => Promise.all(Array.from({ length: 4 }, () => get(net, one.url)));
    await four();
    // undici rests a connection for one turn of the event loop.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((next) => setImmediate(next));
    expect(await four()).toMatchObject(Array.from({ length: 4 }, () => ({ ok: true })));
    expect([one.connections, one.requests.length]).toEqual([8, 12]);
  });

  it("that breaks off is asked for once, on a kept connection too", async () => {
    const one = await site((request, response) => {
      if (request.url !== "/broken") return response.end("ok");
      response.writeHead(200, { "content-length": "10" });
      return response.write("half", () => request.socket.destroy());
    });
    const net = open();
    for (let count = 0; count < 3; count += 1) await get(net, one.url);
    const before = one.connections;
    expect(await get(net, `${one.url}/broken`)).toMatchObject({ ok: false, code: "SCRAPE_SITE_ERROR" });
    expect(one.requests.filter((request) => request.url === "/broken")).toHaveLength(1);
    expect(one.connections).toBe(before);
  });

  it("tells when a busy site wants the next request", async () => {
    const one = await site((request, response) =>
      response.writeHead(request.url === "/busy" ? 429 : 200, { "retry-after": "120" }).end(),
    );
    const net = keep(openNet({ allow: "127.0.0.1", clock: { now: () => 1000 } }));
    expect(await get(net, `${one.url}/busy`)).toMatchObject({ status: 429, retryAfterSeconds: 120 });
    expect(net.readyAt(one.url)).toBe(121_000);
    expect(await get(net, one.url)).toMatchObject({ status: 200, retryAfterSeconds: null });
    expect(net.readyAt(one.url)).toBe(0);
  });
});

describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])("%d is followed, relative addresses and fragments included", async (status) => {
    const one = await site((request, response) => {
      if (request.url === "/a/b") redirect(response, "../c?d", {}, status);
      else response.end(request.method);
    });
    const outcome = await get(open(), `${one.url}/a/b#part`);
    expect(outcome).toMatchObject({ ok: true, url: `${one.url}/c?d#part`, redirects: [`${one.url}/a/b#part`] });
  });

  it.each([
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [307, "POST"],
    [308, "POST"],
  ])("%d turns a POST into %s", async (status, method) => {
    const one = await site((request, response) => {
      if (request.url === "/") redirect(response, "/to", {}, status);
      else request.pipe(response);
    });
    const outcome = await get(open(), one.url, { method: "POST", body: "data" });
    expect(one.requests[1]?.method).toBe(method);
    expect(outcome.ok && outcome.body.toString()).toBe(method === "POST" ? "data" : "");
  });

  it("are returned as they are when the caller does not follow them, or when they lead nowhere", async () => {
    const one = await site((request, response) => {
      if (request.url === "/") redirect(response, "/to");
      else response.writeHead(302).end("here");
    });
    const outcome = await get(open(), one.url, { followRedirects: false });
    expect(outcome).toMatchObject({ ok: true, status: 302, body: Buffer.from("moved") });
    expect(await get(open(), `${one.url}/none`)).toMatchObject({ ok: true, status: 302 });
  });

  it("that the caller declines are not followed, and the outcome says no more than that", async () => {
    const one = await site((request, response) => {
      if (request.url === "/") redirect(response, "/first");
      else redirect(response, "/second");
    });
    const asked: string[] = [];
    const mayFollow = async (url: string) => asked.push(url) === 1;
    const outcome = await open().fetch({ url: one.url, signal: signal(), mayFollow });
    expect(outcome).toMatchObject({ ok: false, code: "REDIRECT_DECLINED" });
    expect(JSON.stringify(outcome)).not.toContain("robots");
    expect(asked).toEqual([`${one.url}/first`, `${one.url}/second`]);
    expect(one.requests.map(({ url }) => url)).toEqual(["/", "/first"]);
  });

  it.each([
    ["UTF-8", Buffer.from("/ü?ü").toString("latin1"), "/%C3%BC?%C3%BC"],
    ["Latin-1", "/ü?ü", "/%FC?%FC"],
  ])("keep the bytes of Location in %s", async (_charset, location, path) => {
    const one = await site((request, response) => {
      if (request.url === "/") redirect(response, location);
      else response.end();
    });
    expect(await get(open(), one.url)).toMatchObject({ url: one.url + path });
    expect(one.requests[1]?.url).toBe(path);
  });

  it("read the name of a host in Location as UTF-8", async () => {
    const one = await site((_request, response) =>
      redirect(response, Buffer.from("http://bücher.invalid/").toString("latin1")),
    );
    expect(await get(open(), one.url)).toMatchObject({ ok: false, message: expect.stringContaining("xn--bcher-kva") });
  });

  it.each(["http://", "file:///etc/passwd", "javascript:alert(1)", "http://nodot/"])(
    "to %s are a failure of the site",
    async (location) => {
      const one = await site((_request, response) => redirect(response, location));
      expect(await get(open(), one.url)).toMatchObject({ ok: false, code: "SCRAPE_SITE_ERROR" });
    },
  );

  it("end after 20, in a loop or not", async () => {
    const one = await site((request, response) => {
      const left = Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0);
      if (request.url === "/loop") redirect(response, "/loop");
      else if (left > 0) redirect(response, `/${left - 1}`);
      else response.end("there");
    });
    const net = open();
    const tooMany = { ok: false, code: "SCRAPE_TOO_MANY_REDIRECTS" };
    const outcome = await get(net, `${one.url}/20`);
    expect(outcome).toMatchObject({ ok: true });
    expect(outcome.ok && outcome.redirects).toHaveLength(20);
    expect(await get(net, `${one.url}/21`)).toMatchObject(tooMany);
    expect(await get(net, `${one.url}/loop`)).toMatchObject(tooMany);
    expect(await get(net, `${one.url}/6`, { maxRedirects: 5 })).toMatchObject(tooMany);
    expect(one.connections).toBeLessThanOrEqual(2);
  });

  it.each([
    ["without end", (response: ServerResponse) => pour(response)],
    ["that falls silent", (response: ServerResponse) => void response.write("moved")],
  ])("with a body %s are followed at their head, and its connection ends", async (_what, send) => {
    const one = await site((request, response) => {
      if (request.url !== "/") return response.end("there");
      response.writeHead(302, { location: "/to" });
      return send(response);
    });
    // Kept open only by the body: neither the idle time nor the deadline may be what ends it.
    expect(await get(open({ idleMs: 60_000 }), one.url)).toMatchObject({ ok: true, status: 200 });
    await expect.poll(() => one.requests[0]?.socket.destroyed).toBe(true);
  });

  it("with a short body that comes late leave their connection to be used again", async () => {
    const one = await site((request, response) => {
      if (request.url !== "/") return response.end("there");
      response.writeHead(302, { location: "/to" }).flushHeaders();
      return setImmediate(() => response.end("moved"));
    });
    const net = open();
    for (let count = 0; count < 8; count += 1) expect(await get(net, one.url)).toMatchObject({ ok: true });
    expect(one.requests).toHaveLength(16);
    expect(one.connections).toBeLessThanOrEqual(3);
  });

  it.each(["caller goes away", "net closes"])("leave nothing behind when their %s", async (event) => {
    const one = await site((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/to" }).write("moved");
    });
    const net = openNet({ allow: "127.0.0.1", limits: { idleMs: 60_000 } });
    const caller = new AbortController();
    const pending = net.fetch({ url: one.url, signal: caller.signal });
    await expect.poll(() => one.requests.length).toBe(2);
    if (event === "net closes") await net.close();
    else caller.abort();
    expect(await pending).toMatchObject({ ok: false });
    await expect.poll(() => one.requests.every(({ socket }) => socket.destroyed)).toBe(true);
    await net.close();
  });

  it("keep cookies over hops, for the site that set them only", async () => {
    const other = await site((_request, response) => redirect(response, "/end"), "127.0.0.2");
    const one = await site((request, response) => {
      if (request.url === "/") redirect(response, "/two", { "set-cookie": ["a=1; Path=/", "gone=1; Max-Age=0"] });
      else if (request.url === "/two") redirect(response, "/three", { "set-cookie": "b=2; Path=/other" });
      else redirect(response, `http://127.0.0.2:${other.port}/`);
    });
    other.requests.length = 0;
    const net = open();
    const before = one.requests.length;
    expect(await get(net, one.url, { headers: { cookie: "own=0" }, maxRedirects: 4 })).toMatchObject({ ok: false });
    const cookies = one.requests.slice(before).map((request) => request.headers.cookie);
    expect(cookies).toEqual(["own=0", "own=0; a=1", "own=0; a=1"]);
    expect(other.requests.map((request) => request.headers.cookie)).toEqual([undefined, undefined]);
    // Nothing stays for the next request.
    await get(net, `${one.url}/two`, { maxRedirects: 0 });
    expect(one.requests.at(-1)?.headers.cookie).toBeUndefined();
  });

  it("keep as many cookies of one answer as browsers do, and no more", async () => {
    const one = await site((request, response) => {
      const cookies = Array.from({ length: 5000 }, (_, index) => `c${index}=`);
      if (request.url === "/") redirect(response, "/two", { "set-cookie": cookies });
      else response.end();
    });
    expect(await get(open(), one.url)).toMatchObject({ ok: true });
    expect(one.requests[1]?.headers.cookie?.split("; ")).toHaveLength(180);
  });

  it("take no secrets to another origin, and none back", async () => {
    const one: Site = await site((request, response) => {
      if (request.url === "/") redirect(response, `http://127.0.0.2:${other.port}/`);
      else response.end();
    });
    const other = await site((_request, response) => redirect(response, `${one.url}/back`), "127.0.0.2");
    const headers = { authorization: "Bearer x", cookie: "a=1", "x-password": "k", "accept-language": "de" };
    expect(await get(open(), one.url, { headers })).toMatchObject({ ok: true, url: `${one.url}/back` });
    expect(one.requests[0]?.headers).toMatchObject(headers);
    for (const request of [other.requests[0], one.requests[1]]) {
      const { authorization, cookie, "x-password": key, "accept-language": plain } = request?.headers ?? {};
      expect([authorization, cookie, key, plain]).toEqual([undefined, undefined, undefined, "de"]);
    }
  });
});

describe("what a site is told of where a visitor comes from", () => {
  it("stays whole at one origin, is an origin at another, and ends where encryption does", async () => {
    const other = await site((_request, response) => response.end(), "127.0.0.2");
    const one: Site = await site((request, response) => {
      if (request.url === "/") redirect(response, "/here");
      else redirect(response, `http://127.0.0.2:${other.port}/`);
    });
    const referers = async (referer: string) => {
      one.requests.splice(0);
      other.requests.splice(0);
      await get(open(), one.url, { headers: { referer } });
      return [...one.requests, ...other.requests].map(({ headers }) => headers.referer);
    };
    const plain = "http://start.test/page?x=1";
    expect(await referers(plain)).toEqual([plain, plain, "http://start.test/"]);
    const secure = "https://start.test/page";
    expect(await referers(secure)).toEqual([secure, secure, undefined]);
  });

  it("a cookie that is set on the way replaces the caller's", async () => {
    const one = await site((request, response) => {
      if (request.url === "/") redirect(response, "/next", { "set-cookie": "session=new; Path=/" });
      else response.end();
    });
    await get(open(), one.url, { headers: { cookie: "session=old; lang=de" } });
    expect(one.requests[1]?.headers.cookie).toBe("lang=de; session=new");
  });
});

describe("sites that misbehave", () => {
  const siteError = { ok: false, code: "SCRAPE_SITE_ERROR" };

  it.each([
    ["closes at once", ""],
    ["speaks nonsense", "nonsense\r\n\r\n"],
    ["sends less than it says", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"],
    ["ends a chunked body early", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"],
    ["has a chunk without a length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc"],
    ["has two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"],
    ["sends a head over 128 KB", `HTTP/1.1 200 OK\r\nX-Big: ${"x".repeat(140_000)}\r\n\r\n`],
    ["sends many headers over 128 KB", `HTTP/1.1 200 OK\r\n${`X-Big: ${"x".repeat(1000)}\r\n`.repeat(140)}\r\n`],
    [
      "sends informational answers without end",
      `HTTP/1.1 103 Early Hints\r\nLink: ${"x".repeat(100_000)}\r\n\r\n`.repeat(12),
    ],
  ])("one that %s is a failure of the site", async (_what, bytes) => {
    const one = await raw((socket) => socket.end(bytes));
    expect(await get(open(), one.url)).toMatchObject(siteError);
  });

  it("one that resets is asked once more, then a failure of the site; what was sent to it is not sent again", async () => {
    const one = await raw((socket) => socket.resetAndDestroy());
    expect(await get(open(), one.url)).toMatchObject(siteError);
    expect(one.connections).toBe(2);
    expect(await get(open(), one.url, { method: "POST", body: "x" })).toMatchObject(siteError);
    expect(one.connections).toBe(3);
  });

  it("one that drops a connection and answers on the next is fine", async () => {
    let count = 0;
    const one = await raw((socket) => {
      count += 1;
      if (count === 1) socket.resetAndDestroy();
      else socket.end("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc");
    });
    expect(await get(open(), one.url)).toMatchObject({ ok: true, body: Buffer.from("abc") });
    expect(one.connections).toBe(2);
  });

  it("one without a length and one that ends by closing are fine", async () => {
    const one = await raw((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nabc"));
    expect(await get(open(), one.url)).toMatchObject({ ok: true, body: Buffer.from("abc") });
  });

  it("a silent head ends with the deadline, a silent body with the idle time", async () => {
    const silent = await raw(() => undefined);
    const stalling = await raw((socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"));
    const net = open({ idleMs: 100 });
    const isLate = { ok: false, code: "SCRAPE_TIMEOUT" };
    expect(await get(net, silent.url, { signal: AbortSignal.timeout(100) })).toMatchObject(isLate);
    expect(await get(net, stalling.url)).toMatchObject(isLate);
  });

  it("a body that drips ends with the deadline", async () => {
    const one = await raw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const timer = setInterval(() => socket.write("1\r\nx\r\n"), 10);
      socket.on("close", () => clearInterval(timer));
    });
    const outcome = await get(open({ idleMs: 1000 }), one.url, { signal: AbortSignal.timeout(150) });
    expect(outcome).toMatchObject({ ok: false, code: "SCRAPE_TIMEOUT" });
  });
});

describe("a caller that goes away", () => {
  it("ends the request, and the site sees its connection close", async () => {
    const one = await site((_request, response) => void response.write("some"));
    const net = open();
    const caller = new AbortController();
    const pending = net.fetch({ url: one.url, signal: caller.signal });
    await expect.poll(() => one.requests.length).toBe(1);
    const { socket } = one.requests[0] as IncomingMessage;
    // It may end with a reset, which is an error before the close.
    const closed = new Promise((done) => socket.on("error", () => undefined).once("close", done));
    caller.abort();
    expect(await pending).toEqual({ ok: false, code: "ABORTED", message: "The request was cancelled" });
    await closed;
  });

  it("before the start costs no connection", async () => {
    const one = await site((_request, response) => response.end());
    expect(await get(open(), one.url, { signal: AbortSignal.abort() })).toMatchObject({ code: "ABORTED" });
    expect(one.connections).toBe(0);
  });

  it("while the connection comes up sends nothing over it", async () => {
    const caller = new AbortController();
    const goAway = () => {
      caller.abort();
      return ["127.0.0.1"];
    };
    const dns = keep(await startDnsServer(goAway));
    const one = await site((_request, response) => response.end());
    const net = keep(openNet({ allow: "127.0.0.1", dnsServer: dns }));
    const url = `http://slow.test:${one.port}`;
    const outcome = await get(net, `${url}/gone`, { signal: caller.signal });
    expect(outcome).toMatchObject({ ok: false, code: "ABORTED" });
    await expect.poll(() => one.connections).toBe(1);
    expect(await get(net, `${url}/next`)).toMatchObject({ ok: true });
    expect(one.requests.map((request) => request.url)).toEqual(["/next"]);
  });

  it("while waiting for a place at the host leaves the queue", async () => {
    const held: ServerResponse[] = [];
    const one = await site((_request, response) => void held.push(response));
    const net = open();
    const running = Array.from({ length: 4 }, () => get(net, one.url));
    await expect.poll(() => held.length).toBe(4);
    const caller = new AbortController();
    const waiting = net.fetch({ url: one.url, signal: caller.signal });
    const last = get(net, one.url);
    caller.abort();
    expect(await waiting).toMatchObject({ code: "ABORTED" });
    for (const response of held.splice(0)) response.end();
    await Promise.all(running);
    await expect.poll(() => held.length).toBe(1);
    held[0]?.end();
    expect(await last).toMatchObject({ ok: true });
    expect(one.requests).toHaveLength(5);
  });
});

describe("many requests to one host", () => {
  it("run at most 4 at once, and all are answered", async () => {
    let active = 0;
    let most = 0;
    const one = await site((_request, response) => {
      active += 1;
      most = Math.max(most, active);
      setTimeout(() => {
        active -= 1;
        response.end("ok");
      }, 2);
    });
    const net = open();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => get(net, one.url)));
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
    expect(most).toBe(4);
    expect(one.connections).toBeLessThanOrEqual(8);
  });
});

describe("whether a page is private", () => {
  const dnsOf = async (names: Record<string, string[]>) =>
    keep(await startDnsServer((name) => names[name] ?? ["127.0.0.1"]));

  it("is judged by the address that was dialled, on new and on kept connections", async () => {
    const one = await site((_request, response) => response.end());
    const dns = await dnsOf({ "public.test": ["93.184.215.14"], "listed.test": ["93.184.215.15"] });
    const proxy = keep(await startProxy({ port: one.port }));
    const net = keep(openNet({ dnsServer: dns, allow: "127.0.0.1, listed.test", proxies: proxies(proxy.url) }));
    const isPrivate = async (host: string) => {
      const outcome = await get(net, `http://${host}/`);
      return outcome.ok && outcome.isPrivate;
    };
    for (let round = 0; round < 3; round += 1) {
      expect(await isPrivate("public.test")).toBe(false);
      expect(await isPrivate("inside.test")).toBe(true);
      expect(await isPrivate("127.0.0.1")).toBe(true);
      expect(await isPrivate("listed.test")).toBe(true);
    }
    expect(proxy.asked.length).toBeLessThan(12);
  });

  it("is told of any hop on the way", async () => {
    const one = await site((request, response) => {
      if (request.headers.host === "inside.test") redirect(response, "http://public.test/");
      else response.end();
    });
    const dns = await dnsOf({ "public.test": ["93.184.215.14"] });
    const proxy = keep(await startProxy({ port: one.port }));
    const net = keep(openNet({ dnsServer: dns, allow: "127.0.0.1", proxies: proxies(proxy.url) }));
    expect(await get(net, "http://inside.test/")).toMatchObject({ url: "http://public.test/", isPrivate: true });
    expect(await get(net, "http://public.test/")).toMatchObject({ isPrivate: false });
  });

  it("is known although its pool was pushed out meanwhile", async () => {
    const held: ServerResponse[] = [];
    const one = await site((request, response) => (request.url === "/hold" ? held.push(response) : response.end()));
    const net = keep(openNet({ dnsServer: await dnsOf({}), allow: "127.0.0.1" }));
    const pending = get(net, `http://first.test:${one.port}/hold`);
    await expect.poll(() => held.length).toBe(1);
    await fillPools(net, one.port);
    held[0]?.end();
    expect(await pending).toMatchObject({ ok: true, isPrivate: true });
  });
});

describe("closing", () => {
  it("ends running requests and idle connections", async () => {
    const one = await site((_request, response) => void response.write("some"));
    const net = openNet({ allow: "127.0.0.1" });
    const pending = get(net, one.url);
    await expect.poll(() => one.requests.length).toBe(1);
    // By a reset or not: either way it is over.
    const closed = new Promise((done) => one.requests[0]?.socket.once("close", done));
    await net.close();
    expect(await pending).toMatchObject({ ok: false });
    await closed;
    expect(await get(net, one.url)).toEqual({ ok: false, code: "ABORTED", message: "This server is stopping" });
  });

  it("ends requests whose pool was pushed out by newer ones", async () => {
    const one = await site((request, response) => request.url === "/hang" || response.end());
    const dns = keep(await startDnsServer(() => ["127.0.0.1"]));
    const net = keep(openNet({ dnsServer: dns, allow: "127.0.0.1" }));
    const pending = get(net, `http://first.test:${one.port}/hang`);
    await expect.poll(() => one.requests.length).toBe(1);
    await fillPools(net, one.port);
    await net.close();
    expect(await pending).toMatchObject({ ok: false });
  });

  it("ends connections that are coming up", async () => {
    const one = await raw(() => undefined);
    const net = openNet({ allow: "127.0.0.1" });
    const pending = get(net, one.url.replace("http:", "https:"));
    await expect.poll(() => one.connections).toBe(1);
    await net.close();
    expect(await pending).toMatchObject({ ok: false });
  });
});
