// Watching a job over a WebSocket: who may, what is told in which order, how it ends.
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Caller } from "../../src/accounts/index.ts";
import { ServiceError } from "../../src/base/index.ts";
import { otherKey, testKey } from "../support/app.ts";
import { startFace, type TestFace } from "../support/http-face.ts";
import { sendRaw } from "../support/raw.ts";
import { openWatcher, sendHandshake, watch } from "../support/watcher.ts";

const id = "0198f1c6-51aa-7c44-9d20-4f0b6d2f9a11";
const path = `/v2/crawl/${id}`;
const progress = { status: "completed", total: 2, completed: 2, creditsUsed: 2 };
const done = { type: "done", data: progress };
const documentOf = (markdown: string) => ({ type: "document", data: { markdown, metadata: {} } });
const withKey = `Sec-WebSocket-Protocol: ${testKey}\r\n`;

let face: TestFace;
const start = async (...given: Parameters<typeof startFace>) => {
  face = await startFace(...given);
  return face;
};
afterEach(() => face.close());

async function* twoPages(input: { id: string }, caller: Caller) {
  yield {
    type: "catchup",
    data: { success: true, ...progress, next: `${caller.baseUrl}/v2/crawl/${input.id}`, data: [] },
  };
  yield documentOf("# One");
  yield documentOf("# Two");
  yield done;
}

/** Resolves when the signal fires, as an operation does that waits for the next page. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((over) => signal.addEventListener("abort", () => over(), { once: true }));

function createGate() {
  let resolve = () => {};
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}

/** An operation that says one thing and waits, and tells when it began and ended. */
function waiting() {
  const began = createGate();
  const ended = createGate();
  async function* watchCrawl(_input: unknown, _caller: Caller, signal: AbortSignal) {
    began.resolve();
    try {
      yield documentOf("# One");
      await untilAborted(signal);
    } finally {
      ended.resolve();
    }
  }
  return { watchCrawl, began: began.promise, ended: ended.promise };
}

describe("a watched job", () => {
  it.each([path, `/v2/batch/scrape/${id}`, `//v2//crawl/${id}/`])("tells everything in order at %s", async (at) => {
    const { url } = await start({ watchCrawl: twoPages, watchBatch: twoPages });
    const { messages, code, reason } = await watch(url, at);
    expect(messages.map(({ type }) => type)).toEqual(["catchup", "document", "document", "done"]);
    expect(messages[0].data.next).toBe(`${url}/v2/crawl/${id}`);
    expect(messages.slice(1)).toEqual([documentOf("# One"), documentOf("# Two"), done]);
    expect([code, reason]).toEqual([1000, { type: "done" }]);
  });

  it("is told to a v1 watcher in v1 words", async () => {
    const { url } = await start({ watchCrawl: twoPages });
    const { messages, code } = await watch(url, `/v1/crawl/${id}`);
    expect(messages[0].data.next).toBe(`${url}/v1/crawl/${id}`);
    expect(messages.at(-1)).toEqual(done);
    expect(code).toBe(1000);
  });

  it("keeps the order of many messages", async () => {
    const texts = Array.from({ length: 2000 }, (_, at) => `page ${at}`);
    const { url } = await start({
      async *watchCrawl() {
        for (const text of texts) yield documentOf(text);
      },
    });
    expect((await watch(url, path)).messages.map(({ data }) => data.markdown)).toEqual(texts);
  });

  it("leaves the plain GET of its path as it is", async () => {
    const { url } = await start({
      watchCrawl: twoPages,
      readCrawl: async () => ({ success: true, ...progress, data: [] }),
    });
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${testKey}` } });
    expect([response.status, await response.json()]).toEqual([200, { success: true, ...progress, data: [] }]);
  });

  it("is watched by 500 at once", async () => {
    const count = 500;
    const all = createGate();
    let running = 0;
    const { url } = await start({
      async *watchCrawl(input: { id: string }) {
        running += 1;
        if (running === count) all.resolve();
        await all.promise;
        yield documentOf(input.id);
        yield done;
      },
    });
    const ids = Array.from({ length: count }, (_, at) => id.slice(0, -3) + String(at).padStart(3, "0"));
    const watched = await Promise.all(ids.map((each) => watch(url, `/v2/crawl/${each}`)));
    expect(watched.map(({ messages }) => messages)).toEqual(ids.map((each) => [documentOf(each), done]));
    expect(new Set(watched.map(({ code }) => code))).toEqual(new Set([1000]));
  });

  it("makes no more messages than a slow reader can take", async () => {
    const text = "x".repeat(256 * 1024);
    const total = 400;
    let made = 0;
    const { url } = await start({
      async *watchCrawl() {
        for (; made < total; made += 1) yield documentOf(text);
        yield done;
      },
    });
    const socket = openWatcher(url, path);
    let read = 0;
    let ahead = 0;
    socket.on("message", () => {
      read += 1;
      ahead = Math.max(ahead, made - read);
      socket.pause();
      setImmediate(() => socket.resume());
    });
    const [code] = await once(socket, "close");
    expect([code, read]).toEqual([1000, total + 1]);
    // 1 MB here, and what the two kernels hold.
    expect(ahead * text.length).toBeLessThan(32 * 1024 * 1024);
  });

  it("ends its work when the watcher closes", async () => {
    const { watchCrawl, ended } = waiting();
    const { url } = await start({ watchCrawl });
    const socket = openWatcher(url, path);
    await once(socket, "message");
    socket.close();
    await ended;
  });

  it("ends its work when the connection breaks", async () => {
    const { watchCrawl, ended } = waiting();
    const { url } = await start({ watchCrawl });
    const socket = openWatcher(url, path);
    await once(socket, "message");
    socket.terminate();
    await ended;
  });

  it("ends its work when the watcher closes with everything unread", async () => {
    const ended = createGate();
    const { url } = await start({
      async *watchCrawl() {
        try {
          for (;;) yield documentOf("x".repeat(1024 * 1024));
        } finally {
          ended.resolve();
        }
      },
    });
    const socket = openWatcher(url, path);
    await once(socket, "message");
    socket.terminate();
    await ended.promise;
  });

  it("ends iterables that do not look at the signal", async () => {
    const ended = createGate();
    const steps = [Promise.resolve({ done: false, value: documentOf("# One") }), new Promise<never>(() => {})];
    const { url } = await start(
      {
        watchCrawl: () => ({
          [Symbol.asyncIterator]: () => ({
            next: () => steps.shift() as Promise<IteratorResult<unknown>>,
            async return() {
              ended.resolve();
              return { done: true, value: undefined };
            },
          }),
        }),
      },
      {},
      { stopTimeoutMs: 0 },
    );
    const socket = openWatcher(url, path);
    await once(socket, "message");
    socket.close();
    await ended.promise;
  });

  it("ignores what watchers say, and closes on what is too long", async () => {
    const { watchCrawl } = waiting();
    const { url } = await start({ watchCrawl });
    const socket = openWatcher(url, path);
    await once(socket, "message");
    socket.send("hello");
    socket.ping("are you there");
    expect(String((await once(socket, "pong"))[0])).toBe("are you there");
    socket.send("x".repeat(17 * 1024));
    expect((await once(socket, "close"))[0]).toBe(1009);
  });

  it("writes one line per watch, without the address asked for", async () => {
    const { url, logLines } = await start({ watchCrawl: twoPages });
    await watch(url, path);
    await face.close();
    const lines = logLines.map((line) => JSON.parse(line)).filter(({ method }) => method === "WS");
    expect(lines).toMatchObject([{ route: "/v2/crawl/:id", close: 1000, team: "acme", msg: "request" }]);
  });
});

describe("who may watch", () => {
  it("is said by the subprotocol, which is echoed", async () => {
    const { url } = await start({ watchCrawl: twoPages });
    expect(await watch(url, path)).toMatchObject({ code: 1000, protocol: testKey });
    expect(await watch(url, path, { protocols: [testKey, "json"] })).toMatchObject({ code: 1000, protocol: testKey });
  });

  it("is said by the Authorization header, with any subprotocol or none", async () => {
    const { url } = await start({ watchCrawl: twoPages });
    const headers = { authorization: `Bearer ${testKey}` };
    expect(await watch(url, path, { protocols: [], headers })).toMatchObject({ code: 1000, protocol: "" });
    expect(await watch(url, path, { protocols: ["json"], headers })).toMatchObject({ code: 1000, protocol: "json" });
  });

  it.each([
    { protocols: ["fc-wrong"], error: "Unauthorized: Invalid token" },
    { protocols: [], error: "Unauthorized" },
    { protocols: [], headers: { authorization: "Bearer" }, error: "Unauthorized: Token missing" },
  ])("is refused with 3000: $error", async ({ error, ...options }) => {
    const { url } = await start({ watchCrawl: twoPages });
    const message = { type: "error", error };
    expect(await watch(url, path, options)).toMatchObject({ code: 3000, messages: [message], reason: message });
  });

  it("is counted, and refused over the limit", async () => {
    const groups: string[] = [];
    const { url } = await start(
      { watchCrawl: twoPages },
      {},
      {
        async takeRate(_holder, group) {
          groups.push(group);
          return { isAllowed: groups.length < 2, limit: 1, remaining: 0, resetSeconds: 12 };
        },
      },
    );
    expect((await watch(url, path)).code).toBe(1000);
    const message = { type: "error", error: "Rate limit exceeded. Retry after 12s." };
    expect(await watch(url, path)).toMatchObject({ code: 1008, messages: [message], reason: message });
    expect(groups).toEqual(["status", "status"]);
  });

  it("needs no key in open mode, where any subprotocol is echoed", async () => {
    const { url } = await start({ watchCrawl: twoPages }, { TRAWL_AUTH: "none" });
    expect(await watch(url, path, { protocols: [] })).toMatchObject({ code: 1000, protocol: "" });
    expect(await watch(url, path, { protocols: ["undefined"] })).toMatchObject({ code: 1000, protocol: "undefined" });
    expect(await watch(url, path, { headers: { origin: url } })).toMatchObject({ code: 1000 });
  });

  it.each(["Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Host: evil.example"])(
    "is no web page of another origin in open mode: %s",
    async (header) => {
      const { url } = await start({ watchCrawl: twoPages }, { TRAWL_AUTH: "none" });
      const head = [
        `GET ${path} HTTP/1.1`,
        ...(header.startsWith("Host") ? [] : ["Host: localhost"]),
        header,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      ];
      const { status, text } = await sendRaw(url, `${head.join("\r\n")}\r\n\r\n`);
      expect(status).toBe(403);
      expect(text).toContain('"code":"FORBIDDEN"');
    },
  );
});

describe("trouble", () => {
  const failing = (error: unknown) => ({
    // biome-ignore lint/correctness/useYield: it fails before it has anything to say
    async *watchCrawl(): AsyncGenerator<unknown> {
      throw error;
    },
  });
  const notFound = { code: 1008, messages: [{ type: "error", error: "Job not found" }] };

  it("is an unknown id", async () => {
    const { url } = await start(failing(new ServiceError("JOB_NOT_FOUND")));
    expect(await watch(url, path)).toMatchObject({ ...notFound, reason: notFound.messages[0] });
  });

  it("is another team's id, told as an unknown one", async () => {
    const { url } = await start({
      async *watchCrawl(_input: unknown, caller: Caller) {
        if (caller.teamId !== "acme") throw new ServiceError("JOB_NOT_FOUND");
        yield done;
      },
    });
    expect(await watch(url, path, { protocols: [otherKey] })).toMatchObject(notFound);
    expect(await watch(url, path)).toMatchObject({ code: 1000 });
  });

  it.each(["not-a-uuid", "active", `${id}0`])("is the id %s", async (bad) => {
    const { url } = await start({ watchCrawl: twoPages });
    const error = "Invalid job ID format. Job ID must be a valid UUID.";
    expect(await watch(url, `/v2/crawl/${bad}`)).toMatchObject({ code: 1008, messages: [{ type: "error", error }] });
  });

  it.each([
    [new Error("the secret of the server"), "Something went wrong on this server. Its log has the details."],
    [
      new ServiceError("STORE_UNAVAILABLE", "the secret of the server"),
      "The database is unavailable. Nothing was changed.",
    ],
  ])("of ours is told without its text: %s", async (thrown, error) => {
    const { url, logLines } = await start(failing(thrown));
    expect(await watch(url, path)).toMatchObject({ code: 1011, messages: [{ type: "error", error }] });
    expect(logLines.filter((line) => line.includes("the secret of the server"))).toHaveLength(1);
  });

  it("comes after the messages that were made before it", async () => {
    const { url } = await start({
      async *watchCrawl() {
        yield documentOf("# One");
        throw new ServiceError("JOB_NOT_FOUND", "Job expired");
      },
    });
    const { messages, code } = await watch(url, path);
    expect([code, messages]).toEqual([1008, [documentOf("# One"), { type: "error", error: "Job expired" }]]);
  });

  it("fits a close frame as JSON, however long its text", async () => {
    const error = "größer als ein Rahmen ".repeat(30);
    const { url } = await start(failing(new ServiceError("BAD_REQUEST", error)));
    const { code, messages, reason } = await watch(url, path);
    expect([code, messages]).toEqual([1008, [{ type: "error", error }]]);
    expect(reason.type).toBe("error");
    expect(error.startsWith(reason.error) && reason.error.length > 50).toBe(true);
  });
});

describe("a connection", () => {
  it("is closed by us when the peer leaves our close frame unanswered", async () => {
    const { url } = await start({ watchCrawl: twoPages });
    const { status, text } = await sendHandshake(url, path, withKey);
    expect(status).toBe(101);
    expect(text).toContain(`Sec-WebSocket-Protocol: ${testKey}`);
    expect(text).toContain('{"type":"done"}');
  });

  it("is pinged, and cut when it does not answer", async () => {
    const { watchCrawl, ended } = waiting();
    const { url } = await start({ watchCrawl }, {}, { pingIntervalMs: 20 });
    await sendHandshake(url, path, withKey);
    await ended;
  });

  it("lives as long as pings are answered", async () => {
    const { watchCrawl } = waiting();
    const { url } = await start({ watchCrawl }, {}, { pingIntervalMs: 20 });
    const socket = openWatcher(url, path);
    for (let pings = 0; pings < 6; pings += 1) await once(socket, "ping");
    expect(socket.readyState).toBe(socket.OPEN);
  });

  it("of a live view is told that it lives, pinged, and cut when it does not answer; the watching ends with it", async () => {
    const left = createGate();
    const openLiveView = async () => ({ watch: () => left.resolve, input: null });
    const { url } = await start({}, {}, { pingIntervalMs: 20, openLiveView });
    const socket = openWatcher(url, `/view/${id}/stream`, { protocols: [] });
    const [told] = await once(socket, "message");
    expect(JSON.parse(String(told))).toEqual({ type: "alive" });
    for (let pings = 0; pings < 6; pings += 1) await once(socket, "ping");
    expect(socket.readyState).toBe(socket.OPEN);
    // From here on it neither reads nor answers, as behind a network that went away.
    socket.pause();
    await left.promise;
    const closed = once(socket, "close");
    socket.resume();
    expect((await closed)[0]).toBe(1006);
  });

  it("is closed with 1001 when the server stops, and its work ended", async () => {
    const { watchCrawl, ended } = waiting();
    const { url } = await start({ watchCrawl });
    const socket = openWatcher(url, path);
    await once(socket, "message");
    const closed = once(socket, "close");
    await face.close();
    await ended;
    const [code, reason] = await closed;
    expect([code, JSON.parse(String(reason))]).toEqual([1001, { type: "error", error: "The server is stopping." }]);
  });

  it("does not hold up the stop when the peer is silent and the work does not end", async () => {
    const began = createGate();
    const { url } = await start(
      {
        async *watchCrawl(): AsyncGenerator<unknown> {
          began.resolve();
          await new Promise(() => {});
        },
      },
      {},
      { stopTimeoutMs: 100 },
    );
    const answer = sendHandshake(url, path, withKey);
    await began.promise;
    // It would never end.
    await face.close();
    expect((await answer).text).toContain("The server is stopping.");
  });
});

describe("an Upgrade", () => {
  it.each(["/v2/nothing", "/v2/team/credit-usage", "/", "/v1/batch/scrape/x"])(
    "to a WebSocket is refused with 404 at %s, and the connection closed",
    async (at) => {
      const { url } = await start({});
      const { status, text } = await sendHandshake(url, at, withKey);
      expect(status).toBe(404);
      expect(text).toContain(`There is no endpoint WS ${at}.`);
      expect(text.toLowerCase()).toContain("x-request-id");
    },
  );

  it.each(["/v2/crawl/%zz", `/v2/crawl/${"x".repeat(9000)}`, "/%"])(
    "to a WebSocket gets a 4xx for a broken path: %#",
    async (at) => {
      const { url } = await start({ watchCrawl: twoPages });
      const { status, text } = await sendHandshake(url, at, withKey);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(text).toContain('"success":false');
    },
  );

  it("to a WebSocket without a key for its handshake gets 400", async () => {
    const { url } = await start({ watchCrawl: twoPages });
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${withKey}\r\n`;
    expect((await sendRaw(url, head)).status).toBe(400);
  });

  it("to another protocol is ignored, body and all: some clients offer h2c with every request", async () => {
    const urls: string[] = [];
    const { url } = await start({
      async startCrawl(input: { url: string }) {
        urls.push(input.url);
        return { success: true, id, url: "" };
      },
    });
    const warnings: unknown[] = [];
    const note = (warning: unknown) => void warnings.push(warning);
    process.on("warning", note);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const count = 15;
    for (let at = 0; at < count; at += 1) {
      const body = JSON.stringify({ url: `https://example.com/${at}/ü` });
      const connection = at < count - 1 ? "Upgrade, HTTP2-Settings" : "Upgrade, close";
      socket.write(
        `POST /v2/crawl HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n` +
          `Authorization: Bearer ${testKey}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${at % 2 ? body : body.slice(0, 9)}`,
      );
      // The rest comes in its own packet.
      if (at % 2 === 0) setImmediate(() => socket.write(body.slice(9)));
      const [answer] = await once(socket, "data");
      expect(String(answer)).toContain("HTTP/1.1 200 OK");
    }
    await once(socket, "close");
    process.off("warning", note);
    expect(urls).toEqual(Array.from({ length: count }, (_, at) => `https://example.com/${at}/%C3%BC`));
    expect(warnings).toEqual([]);
  });
});

describe("x-idempotency-key", () => {
  const keys: (string | null)[] = [];
  const post = async (header?: string) => {
    const { url } = await start({
      async startCrawl(_input: unknown, caller: Caller) {
        keys.push(caller.idempotencyKey);
        return { success: true, id, url: "" };
      },
    });
    return fetch(`${url}/v2/crawl`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${testKey}`,
        "content-type": "application/json",
        ...(header === undefined ? {} : { "x-idempotency-key": header }),
      },
      body: JSON.stringify({ url: "https://example.com" }),
    });
  };

  it.each([
    [undefined, null],
    [" abc ", "abc"],
    ["x".repeat(256), "x".repeat(256)],
  ])("%s reaches the operation", async (header, key) => {
    expect((await post(header)).status).toBe(200);
    expect(keys.at(-1)).toBe(key);
  });

  it.each(["", "  ", "x".repeat(257)])("'%s' is refused", async (header) => {
    const response = await post(header);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("x-idempotency-key");
  });
});
