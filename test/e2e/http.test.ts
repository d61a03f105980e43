// How the server treats requests as such: paths, bodies, headers, limits, pages.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "../../src/app.ts";
import { type CallOptions, otherKey, startApp, type TestApp, testKey } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { sendRaw } from "../support/raw.ts";

const usage = "/v2/team/credit-usage";
const uuid = "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01";

describe.each([anyEngine])("the HTTP face on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { MAX_BODY_BYTES: "100000" });
  });
  afterAll(() => app.stop());

  describe("paths", () => {
    it.each(["//v2//team/credit-usage", "/v2/team/credit-usage/", "//v2/team//credit-usage//"])(
      "tolerates %s",
      async (path) => {
        expect((await app.get(path)).status).toBe(200);
      },
    );

    it("answers an unknown path with 404 and where to look", async () => {
      const { status, body } = await app.get("/v2/nothing?secret=1");
      expect(status).toBe(404);
      expect(body).toEqual({
        success: false,
        code: "NOT_FOUND",
        error: "There is no endpoint GET /v2/nothing. See /docs.",
      });
    });

    it.each(["/v2/%zz", "/%", "/v2/crawl/%ff"])("answers 4xx to the broken path %s", async (path) => {
      const { status, text } = await sendRaw(
        app.url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nConnection: close\r\n\r\n`,
      );
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(text).toContain('"success":false');
    });
  });

  describe("bodies", () => {
    it("accepts the JSON content type without a body where none is needed", async () => {
      const headers = { "content-type": "application/json" };
      expect((await app.call("DELETE", `/v1/crawl/${uuid}`, { headers })).status).toBe(404);
      expect((await app.call("POST", `/v2/monitor/${uuid}/run`, { headers })).status).toBe(404);
      expect((await app.get(usage, { headers })).status).toBe(200);
    });

    it("names the missing fields where a body is needed", async () => {
      const { status, body } = await app.call("POST", "/v2/map", { headers: { "content-type": "application/json" } });
      expect(status).toBe(400);
      expect(body).toMatchObject({ success: false, code: "BAD_REQUEST", error: "Bad Request" });
      expect(body.details[0].path).toEqual(["url"]);
    });

    it.each([
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/xml",
      "multipart/form-data; boundary=x",
      "nonsense",
    ])("answers 415 to %s", async (type) => {
      const { status, body } = await app.call("POST", "/v2/map", {
        body: '{"url":"https://example.com"}',
        headers: { "content-type": type },
      });
      expect(status).toBe(415);
      expect(body).toMatchObject({ success: false, code: "UNSUPPORTED_MEDIA_TYPE" });
    });

    it.each(["gzip", "br", "deflate", "zstd"])("answers 415 to a body encoded with %s", async (encoding) => {
      const { status, body } = await app.call("POST", "/v2/map", {
        body: "{}",
        headers: { "content-encoding": encoding },
      });
      expect(status).toBe(415);
      expect(body.error).toContain("Compressed");
    });

    it.each(["identity", "Identity"])("accepts the encoding %s", async (encoding) => {
      const { status } = await app.call("POST", "/v2/map", {
        body: { url: "http://10.0.0.1/" },
        headers: { "content-encoding": encoding },
      });
      expect(status).toBe(403);
    });

    it.each(["{", '{"url":', "[1,2", '{"url":"a"} extra', "\u0000", '{"a":"\u0000"}', "nul"])(
      "answers 400 to the malformed JSON %j",
      async (text) => {
        const { status, body } = await app.call("POST", "/v2/map", { body: text });
        expect(status).toBe(400);
        expect(body).toEqual({
          success: false,
          code: "BAD_REQUEST_INVALID_JSON",
          error: "Bad request, malformed JSON",
        });
      },
    );

    it.each(["[]", "null", "5", '"text"', "true"])("answers 400 to the body %s, which is no object", async (text) => {
      const { status, body } = await app.call("POST", "/v2/map", { body: text });
      expect(status).toBe(400);
      expect(body.details).toEqual([{ code: "invalid_type", path: [], message: "Expected a JSON object" }]);
    });

    it("answers 400 to JSON nested deeper than 64", async () => {
      const { status, body } = await app.call("POST", "/v2/map", {
        body: `{"url":${"[".repeat(70)}${"]".repeat(70)}}`,
      });
      expect(status).toBe(400);
      expect(body.details[0].message).toContain("64 levels");
    });

    it("answers 400 to an object with more than 1,000 keys", async () => {
      const body = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 1]));
      expect((await app.call("POST", "/v2/map", { body })).status).toBe(400);
    });

    it("answers 413 to a body over the limit, told or found out", async () => {
      const body = JSON.stringify({ url: "https://example.com", search: "x".repeat(100_001) });
      const told = await app.call("POST", "/v2/map", { body });
      expect(told.status).toBe(413);
      expect(told.body).toMatchObject({ success: false, code: "BODY_TOO_LARGE" });
      const head = `POST /v2/map HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
      const found = await sendRaw(app.url, head, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
      expect(found.status).toBe(413);
    });

    it("answers 400, never 5xx, to NUL bytes and lone surrogates in fields", async () => {
      for (const text of [
        '{"url":"https://example.com/\\u0000"}',
        '{"url":"https://exa\\u0000mple.com"}',
        '{"url":"\\ud800"}',
      ]) {
        const { status, body } = await app.call("POST", "/v2/map", { body: text });
        expect([text, status]).toEqual([text, 400]);
        expect(body.details[0].path).toEqual(["url"]);
      }
      const { status } = await app.call("POST", "/v2/map", {
        body: '{"url":"http://10.0.0.1/","search":"\\u0000 \\ud800"}',
      });
      expect(status).toBe(403);
      expect((await app.get("/v2/team/activity?cursor=%00%ed%a0%80")).status).toBe(400);
    });

    it("names unknown fields in a warning and answers all the same", async () => {
      const { status, body } = await app.get("/v2/team/activity?limt=5&endpoint=map&since=today");
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, data: [], warning: "Unknown fields were ignored: limt, since." });
    });

    it("reads a multipart body in either order and checks its parts", async () => {
      const form = (...parts: [string, string | Blob][]) => {
        const data = new FormData();
        for (const [name, value] of parts)
          typeof value === "string" ? data.append(name, value) : data.append(name, value, "ü.html");
        return data;
      };
      const file = new Blob(["<p>Hello</p>"], { type: "text/html" });
      const options = '{"formats":["markdown"]}';
      expect((await app.call("POST", "/v2/parse", { body: form(["file", file], ["options", options]) })).status).toBe(
        200,
      );
      expect((await app.call("POST", "/v2/parse", { body: form(["options", options], ["file", file]) })).status).toBe(
        200,
      );
      const noFile = await app.call("POST", "/v2/parse", { body: form(["options", options]) });
      expect(noFile.status).toBe(400);
      expect(noFile.body.details[0].path).toEqual(["file"]);
      expect((await app.call("POST", "/v2/parse", { body: form(["file", file], ["options", "{"]) })).body.code).toBe(
        "BAD_REQUEST_INVALID_JSON",
      );
      const badOption = await app.call("POST", "/v2/parse", {
        body: form(["file", file], ["options", '{"timeout":"soon"}']),
      });
      expect(badOption.body.details[0].path).toEqual(["timeout"]);
      const cut = await app.call("POST", "/v2/parse", {
        body: "--x\r\nno part",
        headers: { "content-type": "multipart/form-data; boundary=x" },
      });
      expect(cut.status).toBe(400);
    });
  });

  describe("answers", () => {
    const required = ["x-request-id", "x-content-type-options", "x-frame-options", "content-security-policy"];

    it("carry a request id and security headers, errors too", async () => {
      for (const path of [usage, "/nothing", "/", "/docs"]) {
        const { headers } = await app.get(path);
        for (const name of required) expect([path, name, headers.has(name)]).toEqual([path, name, true]);
        expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
        expect(headers.get("x-powered-by")).toBeNull();
        expect(headers.get("access-control-allow-origin")).toBeNull();
      }
    });

    it.each([
      ["a path that cannot be decoded", "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
      ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
      ["an expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n", 417],
      ["no HTTP", "hello\r\n\r\n", 400],
    ])("carry them also to %s", async (_what, head, expected) => {
      const { status, text } = await sendRaw(app.url, head);
      expect(status).toBe(expected);
      for (const name of required) expect(text.toLowerCase()).toContain(`\r\n${name}: `);
      expect(text).toContain('"success":false');
    });

    it("to unknown paths come before any body is read", async () => {
      const head =
        "POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90000\r\nConnection: close\r\n\r\n";
      expect((await sendRaw(app.url, head)).status).toBe(404);
      expect((await app.call("POST", "/nothing", { body: "{bad", key: null })).status).toBe(404);
    });

    it("do not take a request id from outside", async () => {
      const { headers } = await app.get(usage, { headers: { "x-request-id": "mine" } });
      expect(headers.get("x-request-id")).not.toBe("mine");
    });

    it("repeat External-Request-Id, errors too, unless it is empty or longer than 2,048 bytes", async () => {
      const longest = `\u00e9 ${"x".repeat(2046)}`;
      const repeated = async (path: string, id: string) =>
        (await app.get(path, { headers: { "external-request-id": id } })).headers.get("external-request-id");
      for (const path of [usage, "/nothing", "/"]) expect(await repeated(path, longest)).toBe(longest);
      for (const dropped of ["", `${longest}x`]) expect(await repeated(usage, dropped)).toBeNull();
    });

    it("are logged without key, address or body", async () => {
      app.logLines.length = 0;
      await app.call("POST", "/v2/map", { body: { url: "http://10.0.0.1/private-path", search: "a secret word" } });
      const own = () => app.logLines.filter((each) => each.includes("/v2/map"));
      await expect.poll(() => own().length).toBe(1);
      const [line = "{}"] = own();
      expect(JSON.parse(line)).toMatchObject({
        level: "info",
        msg: "request",
        method: "POST",
        route: "/v2/map",
        status: 403,
        team: "acme",
      });
      expect(line).not.toMatch(/fc-0|private-path|secret word/);
    });
  });

  describe("pages", () => {
    it("introduce the server at /", async () => {
      const { body } = await app.get("/", { key: null });
      expect(body).toMatchObject({
        success: true,
        name: "Trawl",
        version,
        links: { docs: "/docs", openapi: "/openapi.json" },
      });
    });

    it("tell liveness and readiness without a key", async () => {
      expect((await app.get("/health/liveness", { key: null })).body).toEqual({ success: true, status: "alive" });
      expect((await app.get("/health/readiness", { key: null })).body).toMatchObject({
        success: true,
        status: "ready",
      });
    });

    it("give metrics to a key holder only", async () => {
      expect((await app.get("/metrics", { key: null })).status).toBe(401);
      const { status, text } = await app.get("/metrics");
      expect(status).toBe(200);
      expect(text).toContain("trawl_process_resident_memory_bytes");
      expect(text).toMatch(
        /trawl_http_request_duration_seconds_count\{method="GET",route="\/health\/liveness",status="200"\} \d/,
      );
      expect(text).not.toMatch(/acme|fc-0/);
    });

    it("describe the API as OpenAPI 3.1, the same as the committed file", async () => {
      const { body } = await app.get("/openapi.json", { key: null });
      expect(body.openapi).toBe("3.1.0");
      expect(body).toEqual(JSON.parse(readFileSync("openapi.json", "utf8")));
    });
  });
});

describe("limits of a connection", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(anyEngine, { MAX_HEADER_BYTES: "4096", HEADERS_TIMEOUT_MS: "300", REQUEST_TIMEOUT_MS: "600" });
  });
  afterAll(() => app.stop());

  it("answers 431 to headers over the limit", async () => {
    const { status, text } = await sendRaw(app.url, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(5000)}\r\n\r\n`);
    expect(status).toBe(431);
    expect(text).toContain('"code":"HEADERS_TOO_LARGE"');
  });

  it("answers 400 to what is not HTTP", async () => {
    const { status, text } = await sendRaw(app.url, "hello\r\n\r\n");
    expect(status).toBe(400);
    expect(text).toContain('"success":false');
  });

  it("answers 408 to headers and to bodies that do not arrive in time", async () => {
    const slowHead = sendRaw(app.url, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    const slowBody = sendRaw(
      app.url,
      `POST /v2/map HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expect((await slowHead).status).toBe(408);
    expect((await slowBody).status).toBe(408);
  });

  it("goes on serving", async () => {
    expect((await app.get(usage)).status).toBe(200);
  });
});

describe("the entry of an error in the docs", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(anyEngine, {
      PUBLIC_URL: "https://trawl.test/",
      MAX_BODY_BYTES: "2000",
      RATE_LIMIT_SCRAPE: "1",
      TRAWL_API_KEYS: `acme:${testKey}:0,other:${otherKey}`,
    });
  });
  afterAll(() => app.stop());

  const form = new FormData();
  form.append("file", new Blob(["x".repeat(10)]), "broken.pdf");
  it.each<[string, string, string, CallOptions]>([
    ["NOT_FOUND", "GET", "/v2/nothing", {}],
    ["TOKEN_INVALID", "GET", usage, { key: "fc-unknown" }],
    ["BAD_REQUEST", "POST", "/v2/map", { body: { url: 1 } }],
    ["BAD_REQUEST_INVALID_JSON", "POST", "/v2/map", { body: "{" }],
    ["BODY_TOO_LARGE", "POST", "/v2/map", { body: "x".repeat(2001) }],
    ["UNSUPPORTED_MEDIA_TYPE", "POST", "/v2/map", { body: form }],
    ["PARSE_FILE_BROKEN", "POST", "/v2/parse", { body: form }],
    ["UPLOAD_NOT_FOUND", "PUT", `/v2/parse/upload/${uuid}`, { body: "bytes" }],
    ["thread_not_found", "GET", `/v2/agent/threads/${uuid}`, {}],
    ["EXCHANGE_NOT_ENABLED", "GET", "/exchange/anything", {}],
    ["NOT_SIGNED_IN", "GET", "/dashboard/api/session", { key: null }],
    ["UNAUTHORIZED", "POST", "/mcp", { key: null, body: {} }],
    ["BAD_REQUEST", "POST", "/tavily/search", { body: { query: 1 } }],
    ["UNAUTHORIZED", "POST", "/exa/search", { key: null, body: { query: "a" } }],
    ["METHOD_NOT_ALLOWED", "DELETE", "/jina/https://example.com", {}],
    ["FORBIDDEN", "GET", "/searxng/search?format=pdf&q=a", {}],
  ])("is linked by %s of %s %s", async (code, method, path, options) => {
    const { status, headers } = await app.call(method, path, options);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.get("link")).toBe(`<https://trawl.test/docs/errors#${code.toLowerCase()}>; rel="help"`);
  });

  it("is linked by 429, and by nothing that succeeds", async () => {
    const map = () => app.call("POST", "/v2/map", { key: otherKey, body: { url: 1 } });
    await map();
    const limited = await map();
    expect([limited.status, limited.headers.get("link")]).toEqual([429, expect.stringContaining("#rate_limited>")]);
    expect((await app.get(usage)).headers.get("link")).toBeNull();
  });

  it.each([
    ["bad_request", "hello\r\n\r\n"],
    ["expectation_failed", "GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n"],
    ["token_invalid", handshakeOf(`/cdp/${uuid}?token=x`)],
    ["not_found", handshakeOf("/v2/nothing")],
  ])("is linked by %s of what never becomes a request", async (anchor, head) => {
    const { text } = await sendRaw(app.url, head);
    expect(text).toContain(`\r\nlink: <https://trawl.test/docs/errors#${anchor}>; rel="help"\r\n`);
  });

  it("is linked by its path alone without PUBLIC_URL, and is there", async () => {
    const plain = await startApp(anyEngine);
    const link = (await plain.get("/nothing")).headers.get("link");
    expect(link).toBe('</docs/errors#not_found>; rel="help"');
    const { status, text } = await plain.get("/docs/errors", { key: null });
    expect([status, text.includes('id="not_found"')]).toEqual([200, true]);
    await plain.stop();
  });
});

function handshakeOf(path: string): string {
  const head = ["Host: x", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  return `GET ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\nSec-WebSocket-Key: ${btoa("x".repeat(16))}\r\n\r\n`;
}

describe("CORS", () => {
  it("is open to the origins of the setting only, with every method and the headers that clients need", async () => {
    const app = await startApp(anyEngine, { CORS_ORIGINS: "https://app.example.com" });
    const preflight = (origin: string, method: string) =>
      app.call("OPTIONS", usage, { key: null, headers: { origin, "access-control-request-method": method } });
    const allowed = await preflight("https://app.example.com", "DELETE");
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    expect(allowed.headers.get("access-control-allow-methods")).toMatch(/DELETE/);
    expect((await preflight("https://evil.example", "GET")).headers.get("access-control-allow-origin")).toBeNull();
    const answer = await app.get(usage, { headers: { origin: "https://app.example.com" } });
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/x-request-id.*retry-after.*link/);
    await app.stop();
  });
});

describe("connections", () => {
  it("beyond the limit get 503 with Retry-After, whatever they send, and a place when one is free", async () => {
    const app = await startApp(anyEngine, { MAX_CONNECTIONS: "2" });
    const held = await Promise.all([holdConnection(app.url), holdConnection(app.url)]);
    const large = { url: "http://a.test/", pad: "x".repeat(5_000_000) };
    const waiting = await holdConnection(app.url);
    for (const answer of [
      await app.get("/"),
      await app.get("/health/liveness"),
      await app.call("POST", "/v2/scrape", { body: large }),
    ]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(answer.body).toEqual({
        success: false,
        code: "OVERLOADED",
        error: "This server has too many open connections. Try again in 1 second.",
      });
    }
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await app.get("/")).status).toBe(200);
    waiting.write("GET /health/liveness HTTP/1.1\r\nHost: x\r\n\r\n");
    const [head] = await once(waiting, "data");
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 /);
    waiting.destroy();
    await app.stop();
  });
});

async function holdConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  // An answer proves that the server has taken the connection in.
  socket.write("GET /health/liveness HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "data");
  return socket;
}
