// The numbers in the names are sections of RFC 9309: the facts of the table that are about the file, not its lines.
import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { openNet, startRawSite, startSite } from "../../../test/support/site-server.ts";
import { hourMs, minuteMs } from "../../base/index.ts";
import type { FetchOutcome, FetchRequest } from "../../net/index.ts";
import { createRobotsReader, type RobotsReaderOptions, robotsAgent } from "./robots-reader.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
function keep<Part extends { close(): Promise<void> }>(part: Part): Part {
  opened.push(part);
  return part;
}

const signal = new AbortController().signal;
const site = (handle: (request: IncomingMessage, response: ServerResponse) => void) => startSite(handle).then(keep);
const robots = (text: string | Buffer, headers = {}) =>
  site((_request, response) => response.writeHead(200, { "content-type": "text/plain", ...headers }).end(text));
const status = (code: number, text = "User-agent: *\nDisallow: /") =>
  site((_request, response) => response.writeHead(code).end(text));
const redirect = (response: ServerResponse, location: string) => response.writeHead(302, { location }).end();

function open(options: RobotsReaderOptions & { allow?: string } = {}) {
  const time = { now: Date.UTC(2026, 0, 1) };
  const { allow = "127.0.0.0/8", ...own } = options;
  const net = keep(openNet({ allow }));
  return { time, reader: createRobotsReader({ fetch: net.fetch, clock: { now: () => time.now } }, own) };
}

const readOnce = (url: string, options?: Parameters<typeof open>[0]) => open(options).reader.read(url, { signal });

describe("a robots.txt that is there", () => {
  it("is asked for at the top of the origin (2.3) and gives rules, sitemaps and the delay of our group", async () => {
    const one = await robots(
      `User-agent: *\nDisallow: /\nUser-agent: ${robotsAgent.toLowerCase()}/1.0\nDisallow: /a\nCrawl-delay: 1.5\nSitemap: /s.xml`,
    );
    const state = await readOnce(`${one.url}/deep/page?x=1#y`);
    expect(one.requests.map(({ url }) => url)).toEqual(["/robots.txt"]);
    expect(state).toMatchObject({ state: "rules", sitemaps: [`${one.url}/s.xml`], crawlDelayMs: 1500 });
    expect([state.allows(`${one.url}/a/b`), state.allows(new URL("/b", one.url))]).toEqual([false, true]);
    expect(state.reason).toBe(undefined);
  });

  it("may ask for a delay of a minute, and for no more", async () => {
    const one = await robots("User-agent: *\nCrawl-delay: 3600");
    expect(await readOnce(one.url)).toMatchObject({ state: "rules", crawlDelayMs: 60_000 });
  });

  it("is read for another name where the caller gives one, beside what is known for ours", async () => {
    const one = await robots(`User-agent: *\nDisallow: /all\n\nUser-agent: friend\nDisallow: /friend`);
    const { reader } = open();
    const ours = await reader.read(one.url, { signal });
    const theirs = await reader.read(one.url, { signal, agent: "Friend" });
    const allowed = ["/all", "/friend"].map((path) => [ours.allows(one.url + path), theirs.allows(one.url + path)]);
    expect(allowed).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it("may begin with a byte order mark", async () => {
    const one = await robots("\ufeffUser-agent: *\nDisallow: /a");
    expect((await readOnce(one.url)).allows(`${one.url}/a`)).toBe(false);
  });

  it("restricts nothing as an HTML page", async () => {
    const html = "<!doctype html>\n<title>Hello: you</title>\n<p>Disallow: /</p>\nDisallow: /\n";
    const one = await robots(html, { "content-type": "text/html" });
    const state = await readOnce(one.url);
    expect(state).toMatchObject({ state: "free", sitemaps: [], crawlDelayMs: null });
    expect(state.allows(`${one.url}/a`)).toBe(true);
  });

  it("may name sitemaps and restrict nothing", async () => {
    const one = await robots("Sitemap: https://a.test/s.xml\nUser-agent: *\nDisallow:");
    expect(await readOnce(one.url)).toMatchObject({ state: "free", sitemaps: ["https://a.test/s.xml"] });
  });

  it.each([false, true])("counts up to 512 KiB when it is larger (packed: %s)", async (isPacked) => {
    const text = `User-agent: *\nDisallow: /a\n${`${"#".repeat(1023)}\n`.repeat(3000)}Disallow: /b\n`;
    const one = isPacked ? await robots(gzipSync(text), { "content-encoding": "gzip" }) : await robots(text);
    const state = await readOnce(one.url);
    expect(state.state).toBe("rules");
    expect([state.allows(`${one.url}/a`), state.allows(`${one.url}/b`)]).toEqual([false, true]);
  });

  it.each([false, true])("is read no further than it counts, be it 60 MB (packed: %s)", async (isPacked) => {
    const megabyte = 1024 * 1024;
    const start = Buffer.from("User-agent: *\nDisallow: /a\n");
    const filler = Buffer.from(`${"#".repeat(1023)}\n`.repeat(1024));
    let sentBytes = 0;
    let isCut = false;
    const one = await site(async (_request, response) => {
      response.on("close", () => {
        isCut = !response.writableFinished;
      });
      const length = { "content-length": start.length + 60 * megabyte };
      response.writeHead(200, isPacked ? { "content-encoding": "gzip" } : length);
      const body = isPacked ? createGzip({ level: 0 }) : new PassThrough();
      body.on("data", (piece: Buffer) => {
        sentBytes += piece.length;
      });
      body.pipe(response);
      body.write(start);
      for (let sent = 0; sent < 60 && !response.destroyed; sent += 1) {
        if (!body.write(filler)) await Promise.race([once(body, "drain"), once(response, "close")]);
      }
      body.end();
    });
    const state = await readOnce(one.url);
    expect(state.state).toBe("rules");
    expect([state.allows(`${one.url}/a`), state.allows(`${one.url}/b`)]).toEqual([false, true]);
    await expect.poll(() => isCut).toBe(true);
    // The rest is what the two ends of the connection hold in between.
    expect(sentBytes).toBeLessThan(30 * megabyte);
  });
});

describe("a robots.txt that is not there", () => {
  it.each([400, 401, 403, 404, 410, 429, 451, 499])("leaves the site free (2.3.1.3, status %d)", async (code) => {
    const one = await status(code);
    const state = await readOnce(one.url);
    expect(state).toMatchObject({ state: "free", sitemaps: [], crawlDelayMs: null });
    expect(state.allows(`${one.url}/a`)).toBe(true);
  });

  it.each([500, 502, 503, 599])("closes the site when the site is broken (2.3.1.4, status %d)", async (code) => {
    const one = await status(code, "User-agent: *\nAllow: /");
    const state = await readOnce(one.url);
    expect(state.state).toBe("closed");
    expect(state.allows(`${one.url}/a`)).toBe(false);
    expect(state.reason).toBe(
      `The robots.txt of ${one.url} returned status ${code}, so no page of this site can be fetched for now.`,
    );
  });

  it("closes the site when it does not answer (2.3.1.4)", async () => {
    const one = await startSite(() => undefined);
    await one.close();
    const state = await readOnce(one.url);
    expect(state).toMatchObject({ state: "closed", reason: expect.stringContaining("refused the connection") });
    expect(state.allows(one.url)).toBe(false);
  });

  it("closes the site when the answer breaks off (2.3.1.4)", async () => {
    const one = keep(
      await startRawSite((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nUser-agent: *")),
    );
    expect(await readOnce(one.url)).toMatchObject({ state: "closed" });
  });

  it("closes the site when it takes too long, which does not end the caller's own time", async () => {
    const one = await site((_request, response) => response.writeHead(200).write("User-agent: *\n"));
    expect(await readOnce(one.url, { timeoutMs: 50 })).toMatchObject({
      state: "closed",
      reason: expect.stringContaining("not read in time"),
    });
  });

  it("closes the site when we may not go there, and nothing leaves", async () => {
    const one = await robots("");
    const state = await readOnce(one.url, { allow: "" });
    expect(state).toMatchObject({ state: "closed", reason: expect.stringContaining(one.url) });
    expect(one.connections).toBe(0);
  });
});

describe("redirects (2.3.1.2)", () => {
  const chain = (hops: number) =>
    site((request, response) => {
      const hop = Number(request.url?.slice(1)) || 0;
      if (hop < hops) redirect(response, `/${hop + 1}`);
      else response.end("User-agent: *\nDisallow: /a");
    });

  it("are followed five times", async () => {
    const one = await chain(5);
    const state = await readOnce(one.url);
    expect([state.state, state.allows(`${one.url}/a`)]).toEqual(["rules", false]);
  });

  it("beyond five are as good as no file", async () => {
    const one = await chain(6);
    expect(await readOnce(one.url)).toMatchObject({ state: "free" });
    expect(one.requests).toHaveLength(6);
  });

  it("in a ring too", async () => {
    const one = await site((_request, response) => redirect(response, "/robots.txt"));
    expect(await readOnce(one.url)).toMatchObject({ state: "free" });
    expect(one.requests).toHaveLength(6);
  });

  it("to another host bring rules for the first", async () => {
    const other = await robots("User-agent: *\nDisallow: /a");
    const one = await site((_request, response) => redirect(response, `${other.url}/robots.txt`));
    expect((await readOnce(one.url)).allows(`${one.url}/a`)).toBe(false);
  });

  it("to where we may not go close the site", async () => {
    const one = await site((_request, response) => redirect(response, "http://10.0.0.1/robots.txt"));
    expect(await readOnce(one.url)).toMatchObject({ state: "closed" });
  });
});

describe("callers at the same time", () => {
  /** A site that answers when told to. */
  async function held() {
    const gate = new EventEmitter();
    const opening = once(gate, "open");
    const one = await site(async (_request, response) => {
      await opening;
      response.end("User-agent: *\nDisallow: /a");
    });
    const asked = async (count: number) => {
      await expect.poll(() => one.requests.length, { interval: 5 }).toBe(count);
    };
    return { one, asked, answer: () => gate.emit("open") };
  }

  it("share one request", async () => {
    const { one, answer, asked } = await held();
    const { reader } = open();
    const states = Promise.all(["/", "/b", "/c?d"].map((path) => reader.read(one.url + path, { signal })));
    await asked(1);
    answer();
    expect(new Set(await states).size).toBe(1);
    expect(one.requests).toHaveLength(1);
  });

  it("do not end it for each other", async () => {
    const { one, answer, asked } = await held();
    const { reader } = open();
    const first = new AbortController();
    const leaving = reader.read(one.url, { signal: first.signal });
    const staying = reader.read(one.url, { signal });
    await asked(1);
    const reason = new Error("gone");
    first.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    answer();
    expect((await staying).allows(`${one.url}/a`)).toBe(false);
    expect(one.requests).toHaveLength(1);
  });

  it("end it when all are gone, and leave no trace", async () => {
    const { one, answer, asked } = await held();
    const { reader } = open();
    const callers = [new AbortController(), new AbortController()];
    const reads = callers.map((caller) => reader.read(one.url, { signal: caller.signal }));
    await asked(1);
    const closing = once(one.requests[0]?.socket ?? new EventEmitter(), "close");
    for (const caller of callers) caller.abort();
    expect((await Promise.allSettled(reads)).map((each) => each.status)).toEqual(["rejected", "rejected"]);
    await closing;
    answer();
    expect(await reader.read(one.url, { signal })).toMatchObject({ state: "rules" });
    expect(one.requests).toHaveLength(2);
  });

  it("ask nothing when their time is over before they begin", async () => {
    const one = await robots("");
    const reason = new Error("late");
    await expect(open().reader.read(one.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(one.connections).toBe(0);
  });

  it("with their own headers get their own answer", async () => {
    const one = await site((request, response) => {
      response.end(request.headers["x-key"] === "1" ? "" : "User-agent: *\nDisallow: /");
    });
    const { reader } = open();
    const read = async (headers?: Record<string, string>) =>
      (await reader.read(one.url, { signal, ...(headers && { headers }) })).state;
    expect([await read(), await read({ "X-Key": "1" }), await read({ "x-key": "1" }), await read()]).toEqual([
      "rules",
      "free",
      "free",
      "rules",
    ]);
    expect(one.requests).toHaveLength(2);
  });
});

describe("what is remembered", () => {
  it.each([200, 404])("holds for 24 hours and no longer (2.4, status %d)", async (code) => {
    const one = await status(code);
    const { reader, time } = open();
    await reader.read(one.url, { signal });
    time.now += 24 * hourMs - 1;
    await reader.read(`${one.url}/other`, { signal });
    expect(one.requests).toHaveLength(1);
    time.now += 1;
    await reader.read(one.url, { signal });
    expect(one.requests).toHaveLength(2);
  });

  it("holds for a minute when the site is closed", async () => {
    let code = 503;
    const one = await site((_request, response) => response.writeHead(code).end());
    const { reader, time } = open();
    expect((await reader.read(one.url, { signal })).state).toBe("closed");
    code = 200;
    time.now += minuteMs - 1;
    expect((await reader.read(one.url, { signal })).state).toBe("closed");
    time.now += 1;
    expect((await reader.read(one.url, { signal })).state).toBe("free");
    expect(one.requests).toHaveLength(2);
  });

  /** A web of any number of sites. */
  function openWeb(options: RobotsReaderOptions, text = "User-agent: *\nDisallow: /a") {
    const asked: string[] = [];
    const fetch = async ({ url }: FetchRequest): Promise<FetchOutcome> => {
      asked.push(new URL(url).hostname);
      const body = Buffer.from(text);
      const rest = {
        headers: {},
        contentType: "",
        redirects: [],
        isPrivate: false,
        proxy: "none" as const,
        retryAfterSeconds: null,
        durationMs: 0,
      };
      return { ok: true, url, status: 200, body, wireBytes: body.length, ...rest };
    };
    const reader = createRobotsReader({ fetch, clock: { now: () => 0 } }, options);
    const read = async (...hosts: string[]) => {
      for (const host of hosts) await reader.read(`https://${host}/`, { signal });
    };
    return { asked, read };
  }

  it("is so many sites, the longest unused forgotten first", async () => {
    const { asked, read } = openWeb({ maxOrigins: 2 });
    await read("a", "b", "a", "c", "a", "c", "b");
    expect(asked).toEqual(["a", "b", "c", "b"]);
  });

  it("is so many bytes", async () => {
    const { asked, read } = openWeb({ maxBytes: 25_000 }, `User-agent: *\nDisallow: /a\n${"#".repeat(10_000)}`);
    await read("a", "b", "b", "a", "c", "b");
    expect(asked).toEqual(["a", "b", "c", "b"]);
  });

  it("differs by scheme and port", async () => {
    const asked: string[] = [];
    const fetch = async ({ url }: FetchRequest): Promise<FetchOutcome> => {
      asked.push(url);
      return { ok: false, code: "SCRAPE_DNS_RESOLUTION_ERROR", message: "No such host" };
    };
    const reader = createRobotsReader({ fetch, clock: { now: () => 0 } });
    for (const url of ["http://u:p@A.test/x", "https://a.test", "http://a.test:80/", "http://a.test:81"]) {
      expect(await reader.read(url, { signal })).toMatchObject({ state: "closed" });
    }
    expect(asked).toEqual(["http://a.test/robots.txt", "https://a.test/robots.txt", "http://a.test:81/robots.txt"]);
  });

  it("is nothing when asking fails by itself, which every caller learns", async () => {
    let calls = 0;
    const fetch = async (): Promise<FetchOutcome> => {
      calls += 1;
      throw new Error("broken");
    };
    const reader = createRobotsReader({ fetch, clock: { now: () => 0 } });
    const reads = [reader.read("http://a.test", { signal }), reader.read("http://a.test", { signal })];
    expect((await Promise.allSettled(reads)).map((each) => each.status)).toEqual(["rejected", "rejected"]);
    await expect(reader.read("http://a.test", { signal })).rejects.toThrow("broken");
    expect(calls).toBe(2);
  });
});
