// HTTP/2 where a site offers it, with every promise that holds for HTTP/1.1; and HTTP/1.1 where its HTTP/2 fails.
import { constants, type Http2ServerRequest, type Http2ServerResponse, type SecureServerOptions } from "node:http2";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startDnsServer } from "../../test/support/dns-server.ts";
import { makeCertificate } from "../../test/support/site-certificates.ts";
import { startProxy, startSocksProxy } from "../../test/support/site-proxy.ts";
import { openNet, proxies, startHttp2Site, startSite } from "../../test/support/site-server.ts";
import type { FetchRequest, Net, NetOptions } from "./index.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
function keep<Part extends { close(): Promise<void> }>(part: Part): Part {
  opened.push(part);
  return part;
}

const tls = makeCertificate("h2.test");
type Handle = (request: Http2ServerRequest, response: Http2ServerResponse) => void;
const site = (handle: Handle, options: SecureServerOptions = {}) => startHttp2Site(tls, handle, options).then(keep);
const get = (net: Net, url: string, more: Partial<FetchRequest> = {}) =>
  net.fetch({ url, signal: AbortSignal.timeout(60_000), ...more });
const textOf = (outcome: Awaited<ReturnType<typeof get>>) => (outcome.ok ? outcome.body.toString() : outcome);

async function open(options: Partial<NetOptions> = {}): Promise<Net> {
  const dns = keep(await startDnsServer((name) => (name === "h2.test" ? ["127.0.0.1"] : null)));
  return keep(openNet({ dnsServer: dns, allow: "127.0.0.1", certificates: [tls.cert], ...options }));
}

const at = ({ port }: { port: number }, path = "/") => `https://h2.test:${port}${path}`;
/** For what takes a moment on the other side. */
const soon = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 20 });

describe("a page over HTTP/2", () => {
  it("comes with its status, headers, cookies and bytes, and is asked for like any other", async () => {
    const one = await site((request, response) => {
      one.requests.push(request as never);
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.writeHead(404, { "content-type": "text/html; charset=utf-8", "x-name": "Zoë" });
      response.end("nö");
    });
    const headers = { "X-Own": "1", Host: "evil.test", Connection: "close", "HTTP2-Settings": "x", TE: "gzip" };
    const outcome = await get(await open(), at(one, "/x?y=1#z"), { headers });
    expect(outcome).toMatchObject({ ok: true, status: 404, url: at(one, "/x?y=1#z"), wireBytes: 3, isPrivate: true });
    expect(textOf(outcome)).toBe("nö");
    expect(outcome.ok && outcome.headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], "x-name": "Zoë" });
    expect(outcome.ok && Object.keys(outcome.headers).filter((name) => name.startsWith(":"))).toEqual([]);
    const [asked] = one.requests;
    expect(asked?.httpVersion).toBe("2.0");
    expect(asked?.headers).toMatchObject({
      ":authority": `h2.test:${one.port}`,
      ":path": "/x?y=1",
      "user-agent": "TestBot",
      "accept-encoding": "gzip, deflate, br, zstd",
      "x-own": "1",
    });
    expect(asked?.headers).not.toHaveProperty("te");
  });

  it("shares one connection with others, of which no more than the limit are asked for at once", async () => {
    let [now, most] = [0, 0];
    const one = await site((_request, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        response.end("x".repeat(100_000));
      }, 30);
    });
    const net = await open();
    const all = await Promise.all(Array.from({ length: 12 }, (_, index) => get(net, at(one, `/${index}`))));
    expect(all.every((outcome) => outcome.ok && outcome.body.length === 100_000)).toBe(true);
    expect([one.connections, most]).toEqual([1, 4]);
    expect(one.asked.every((each) => each.startsWith("2.0"))).toBe(true);
  });

  it("is unpacked, in pieces and at once, and held to the limits of size", async () => {
    const page = "<p>page</p>".repeat(100_000);
    const one = await site((request, response) => {
      const isBrotli = request.url === "/br";
      response.writeHead(200, request.url === "/plain" ? {} : { "content-encoding": isBrotli ? "br" : "gzip" });
      response.end(request.url === "/plain" ? page : isBrotli ? brotliCompressSync(page) : gzipSync(page));
    });
    const net = await open();
    for (const path of ["/br", "/gzip", "/plain"]) expect(textOf(await get(net, at(one, path)))).toBe(page);
    const limits = { wireBytes: 200_000 };
    expect(await get(net, at(one, "/plain"), { limits })).toMatchObject({ code: "SCRAPE_PAGE_TOO_LARGE" });
    expect(await get(net, at(one, "/gzip"), { limits: { decodedBytes: 200_000 } })).toMatchObject({
      code: "SCRAPE_PAGE_TOO_LARGE",
    });
    expect(one.connections).toBe(1);
  });

  it("may redirect, with cookies and letters beyond ASCII", async () => {
    const one = await site((request, response) => {
      if (request.url === "/from")
        response.writeHead(302, { location: "/caf\u00e9", "set-cookie": "a=1" }).end("moved");
      else response.end(`${request.url} ${request.headers.cookie}`);
    });
    const outcome = await get(await open(), at(one, "/from"));
    expect(textOf(outcome)).toBe("/caf%E9 a=1");
    expect(one.connections).toBe(1);
  });

  it("may be posted to", async () => {
    const one = await site((request, response) => request.pipe(response));
    const outcome = await get(await open(), at(one), { method: "POST", body: "said" });
    expect(textOf(outcome)).toBe("said");
  });

  it("ends with the deadline, the idle time or the caller, and its connection serves the next", async () => {
    const one = await site((request, response) => {
      if (request.url === "/half") response.write("half");
      else if (request.url === "/whole") response.end("whole");
    });
    const net = await open({ limits: { idleMs: 300 } });
    const caller = new AbortController();
    const left = get(net, at(one, "/never"), { signal: caller.signal });
    await soon(() => expect(one.asked).toEqual(["2.0 /never"]));
    caller.abort();
    expect(await left).toMatchObject({ code: "ABORTED" });
    expect(await get(net, at(one, "/half"))).toMatchObject({ code: "SCRAPE_TIMEOUT" });
    expect(await get(net, at(one), { signal: AbortSignal.timeout(200) })).toMatchObject({ code: "SCRAPE_TIMEOUT" });
    expect(textOf(await get(net, at(one, "/whole")))).toBe("whole");
    expect(one.connections).toBe(1);
  });

  it("has a head of bounded size, informational ones included", async () => {
    const long = (times: number) =>
      Object.fromEntries(Array.from({ length: times }, (_, index) => [`x-${index}`, "y".repeat(50_000)]));
    const one = await site(
      (request, response) => {
        if (request.url === "/long") response.writeHead(200, long(4)).end();
        else if (request.url === "/hints" && request.httpVersion === "2.0") {
          const hint = () => {
            if (response.stream.destroyed) return;
            for (let count = 0; count < 100; count += 1) {
              response.stream.additionalHeaders({ ":status": 103, link: "x".repeat(1000) });
            }
            setImmediate(hint);
          };
          hint();
        } else response.writeHead(200, long(2)).end("fine");
      },
      { maxSendHeaderBlockLength: 1_000_000 },
    );
    const net = await open();
    expect(textOf(await get(net, at(one, "/short")))).toBe("fine");
    const tooLarge = { code: "SCRAPE_SITE_ERROR", message: "The header of the site's response is too large" };
    expect(await get(net, at(one, "/hints"))).toMatchObject(tooLarge);
    expect(await get(net, at(one, "/long"))).toMatchObject(tooLarge);
  });

  it("is never served by a connection that was opened without verification, and not in private space", async () => {
    const one = await site((_request, response) => void response.end("x"));
    const strict = await open({ certificates: [makeCertificate("other.test").cert] });
    expect(await get(strict, at(one), { skipTlsVerification: true })).toMatchObject({ ok: true });
    expect(await get(strict, at(one))).toMatchObject({ code: "SCRAPE_SSL_ERROR" });
    expect(one.asked).toEqual(["2.0 /"]);
    const before = one.connections;
    const closed = await open({ allowedPrivateHosts: [] });
    expect(await get(closed, at(one))).toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(one.connections).toBe(before);
  });

  it.each(["http", "socks5"])("comes through a proxy of %s, which is asked for the checked address", async (kind) => {
    const one = await site((_request, response) => void response.end("x"));
    const proxy = keep(await (kind === "http" ? startProxy() : startSocksProxy()));
    const net = await open({ proxies: proxies(proxy.url) });
    expect(await get(net, at(one))).toMatchObject({ ok: true, proxy: "basic" });
    expect(one.asked).toEqual(["2.0 /"]);
    expect(proxy.asked.map(({ authority }) => authority)).toEqual([`127.0.0.1:${one.port}`]);
  });

  it("leaves its connection, which is closed when it has rested", async () => {
    const one = await site((_request, response) => void response.end("x"));
    await get(await open(), at(one));
    expect(one.sessions[0]?.closed).toBe(false);
    await soon(() => expect(one.sessions[0]?.closed).toBe(true));
  });

  it("ends when the net closes", async () => {
    const one = await site(() => undefined);
    const net = await open();
    const asking = get(net, at(one));
    await soon(() => expect(one.asked).toHaveLength(1));
    await net.close();
    expect(await asking).toMatchObject({ ok: false });
  });
});

describe("a site without HTTP/2", () => {
  it("is read over the connection that asked, and the next pages over kept ones", async () => {
    const one = keep(await startSite((request, response) => response.end(`${request.httpVersion} ok`), { tls }));
    const net = await open();
    expect(textOf(await get(net, at(one)))).toBe("1.1 ok");
    expect(one.connections).toBe(1);
    const all = await Promise.all(Array.from({ length: 8 }, () => get(net, at(one)).then(textOf)));
    expect(all).toEqual(Array(8).fill("1.1 ok"));
    expect(one.connections).toBeLessThan(9);
  });

  /** Speaks TLS, and then whatever it is told to. */
  async function rawSite(answer: (socket: TLSSocket) => void, options: TlsOptions) {
    const server = createTlsServer({ ...tls, ...options }, (socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => answer(socket));
    });
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as { port: number };
    keep({ close: () => new Promise((done) => server.close(() => done())) });
    return { port };
  }
  const plainAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nplain";

  it("is read although it breaks off the handshake with who offers it", async () => {
    const ALPNCallback = ({ protocols }: { protocols: string[] }) =>
      protocols.includes("h2") ? undefined : protocols[0];
    const one = await rawSite((socket) => socket.end(plainAnswer), { ALPNCallback });
    expect(textOf(await get(await open(), at(one)))).toBe("plain");
  });

  it.each([
    ["answers in HTTP/1.1", (socket: TLSSocket) => socket.end(plainAnswer)],
    ["hangs up", (socket: TLSSocket) => socket.destroy()],
    ["ends", (socket: TLSSocket) => socket.end()],
  ])("is read although it chooses it and then %s", async (_what, answer) => {
    const one = await rawSite((socket) => (socket.alpnProtocol === "h2" ? answer(socket) : socket.end(plainAnswer)), {
      ALPNProtocols: ["h2", "http/1.1"],
    });
    expect(textOf(await get(await open(), at(one)))).toBe("plain");
  });
});

describe("a site whose HTTP/2 fails", () => {
  const resets = ["PROTOCOL_ERROR", "INTERNAL_ERROR", "REFUSED_STREAM", "CANCEL", "HTTP_1_1_REQUIRED", "NO_ERROR"];
  const codeOf = (name: string) => constants[`NGHTTP2_${name}` as "NGHTTP2_CANCEL"];

  it.each(resets)("gives its page over HTTP/1.1 when it resets the stream: %s", async (name) => {
    const one = await site((request, response) => {
      if (request.httpVersion === "2.0") response.stream.close(codeOf(name));
      else response.end("page");
    });
    const net = await open();
    expect(textOf(await get(net, at(one)))).toBe("page");
    expect(textOf(await get(net, at(one)))).toBe("page");
    expect(one.asked).toEqual(["2.0 /", "1.1 /", "1.1 /"]);
  });

  it("gives it over HTTP/1.1 when it resets the stream within the page", async () => {
    const one = await site((request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      if (request.httpVersion !== "2.0") response.end("whole page");
      else response.write("half", () => response.stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    });
    expect(textOf(await get(await open(), at(one)))).toBe("whole page");
    expect(one.asked).toEqual(["2.0 /", "1.1 /"]);
  });

  it("does not pass half a page for one when it knows its length", async () => {
    const one = await site((request, response) => {
      response.writeHead(200, { "content-length": "10" });
      if (request.httpVersion !== "2.0") response.write("half", () => request.socket.destroy());
      else response.write("half", () => response.stream.close(constants.NGHTTP2_NO_ERROR));
    });
    expect(await get(await open(), at(one))).toMatchObject({ ok: false, code: "SCRAPE_SITE_ERROR" });
  });

  it.each(["PROTOCOL_ERROR", "HTTP_1_1_REQUIRED", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "NO_ERROR"])(
    "gives its page over HTTP/1.1 when it sends everybody away: %s",
    async (name) => {
      const one = await site((request, response) => {
        if (request.httpVersion !== "2.0") return void response.end("page");
        const { session } = response.stream;
        session?.goaway(codeOf(name), 0);
        session?.destroy();
      });
      expect(textOf(await get(await open(), at(one)))).toBe("page");
      expect(one.asked.at(-1)).toBe("1.1 /");
    },
  );

  it("is sent a POST again only when it has certainly done nothing with it", async () => {
    const one = await site((request, response) => {
      const code = request.url === "/refused" ? "HTTP_1_1_REQUIRED" : "INTERNAL_ERROR";
      if (request.httpVersion === "2.0") response.stream.close(codeOf(code));
      else response.end("done");
    });
    const post = { method: "POST", body: "x" } as const;
    expect(await get(await open(), at(one, "/broken"), post)).toMatchObject({ ok: false, isRefusal: true });
    expect(one.asked).toEqual(["2.0 /broken"]);
    expect(textOf(await get(await open(), at(one, "/refused"), post))).toBe("done");
    expect(one.asked.slice(1)).toEqual(["2.0 /refused", "1.1 /refused"]);
  });
});

describe("a site that takes no more requests on a connection", () => {
  it("answers those that it has; the next go over a new one, still HTTP/2", async () => {
    let answer = () => undefined as unknown;
    const one = await site((request, response) => {
      if (request.url !== "/slow") return void response.end("next");
      response.write("first ");
      response.stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
      answer = () => response.end("last");
    });
    const net = await open();
    const slow = get(net, at(one, "/slow"));
    await soon(() => expect(one.asked).toHaveLength(1));
    await soon(async () => {
      expect(textOf(await get(net, at(one)))).toBe("next");
      expect(one.connections).toBe(2);
    });
    answer();
    expect(textOf(await slow)).toBe("first last");
    expect(one.asked.every((each) => each.startsWith("2.0"))).toBe(true);
  });

  it("or closes one that was kept is asked again over HTTP/2", async () => {
    const one = await site((_request, response) => void response.end("page"));
    const net = await open();
    for (let count = 0; count < 3; count += 1) {
      expect(textOf(await get(net, at(one)))).toBe("page");
      one.sessions.at(-1)?.destroy();
    }
    expect(one.asked).toEqual(["2.0 /", "2.0 /", "2.0 /"]);
  });
});
