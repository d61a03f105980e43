// TRAWL_AUTH=none: no key is needed, but a web page must not be able to drive the server.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp, testKey } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { sendRaw } from "../support/raw.ts";

const usage = "/v2/team/credit-usage";

describe.each(bystanders)("open mode on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { TRAWL_AUTH: "none", PUBLIC_URL: "https://trawl.example.com" });
  });
  afterAll(() => app.stop());

  it.each([
    {},
    { authorization: "Bearer" },
    { authorization: "Bearer " },
    { authorization: "Bearer undefined" },
    { authorization: "Bearer whatever" },
  ])("accepts %j", async (headers) => {
    expect((await app.get(usage, { key: null, headers })).status).toBe(200);
  });

  it("serves a known key as its team", async () => {
    const holder = await app.accounts.keys.identify(testKey);
    if (!holder) throw new Error("the key is not known");
    await app.accounts.credits.charge(holder, [{ jobId: "j", endpoint: "scrape", credits: 4, reason: "page" }]);
    const path = "/v2/team/credit-usage/historical?byApiKey=true";
    expect((await app.get(path)).body.periods).toMatchObject([{ apiKey: "env-1", totalCredits: 4 }]);
    expect((await app.get(path, { key: null })).body.periods).toMatchObject([{ apiKey: "open mode", totalCredits: 0 }]);
  });

  const withHost = (host: string, extra = "") =>
    sendRaw(app.url, `GET ${usage} HTTP/1.1\r\nHost: ${host}\r\n${extra}Connection: close\r\n\r\n`);

  it.each(["localhost", "localhost:3002", "127.0.0.1:80", "[::1]:3002", "app.localhost", "trawl.example.com"])(
    "answers the Host %s",
    async (host) => {
      expect((await withHost(host)).status).toBe(200);
    },
  );

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "evil.example:3002", "@evil.example", "%"])(
    "refuses the Host %s: a name rebound to this machine",
    async (host) => {
      expect((await withHost(host)).status).toBe(403);
    },
  );

  it.each(["https://evil.example", "null", "http://localhost:1", "http://localhost.evil.example"])(
    "refuses the Origin %s",
    async (origin) => {
      const { status, text } = await withHost("localhost", `Origin: ${origin}\r\n`);
      expect(status).toBe(403);
      expect(text).toContain("CORS_ORIGINS");
    },
  );

  it("accepts its own Origin", async () => {
    expect((await withHost("localhost:3002", "Origin: http://localhost:3002\r\n")).status).toBe(200);
  });

  it("refuses a page's request that comes without an Origin", async () => {
    expect((await withHost("localhost", "Sec-Fetch-Site: cross-site\r\n")).status).toBe(403);
    expect((await withHost("localhost", "Sec-Fetch-Site: same-site\r\n")).status).toBe(403);
    expect((await withHost("localhost", "Sec-Fetch-Site: none\r\n")).status).toBe(200);
  });

  it("still wants the JSON content type", async () => {
    const { status } = await app.call("POST", "/v2/map", {
      key: null,
      body: '{"url":"https://example.com"}',
      headers: { "content-type": "text/plain" },
    });
    expect(status).toBe(415);
  });
});
