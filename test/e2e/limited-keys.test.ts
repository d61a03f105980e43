// Keys that may do less: groups of endpoints, formats, an end, addresses; and the log that says who gave them what.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { engines } from "../support/engines.ts";

describe.each(engines)("keys with limits on $name", (engine) => {
  let app: TestApp;
  let teamId: string;
  beforeAll(async () => {
    app = await startApp(engine, { CHROMIUM_PATH: "/nowhere/chromium", TRUST_PROXY: "1" });
    teamId = (await app.accounts.teams.find("acme"))?.id ?? "";
  });
  afterAll(() => app.stop());

  const keyWith = async (limits: object) => (await app.accounts.keys.create(teamId, "limited", undefined, limits)).key;

  it("opens its groups of endpoints and refuses the others before their body is read", async () => {
    const key = await keyWith({ allowedEndpoints: ["map", "scrape"] });
    const crawl = await app.call("POST", "/v2/crawl", { key, body: "{not json" });
    expect(crawl.status).toBe(403);
    expect(crawl.body).toMatchObject({
      code: "INSUFFICIENT_SCOPE",
      details: { required: ["crawl"], allowed: ["map", "scrape"] },
    });
    // Of a group that it has, the body is read.
    expect((await app.call("POST", "/v2/scrape", { key, body: "{not json" })).status).toBe(400);
    const dialect = await app.call("POST", "/tavily/crawl", { key, body: { url: "https://example.com" } });
    expect(dialect.status).toBe(403);
    expect((await app.get("/metrics", { key })).status).toBe(403);
    expect((await app.get("/v2/team/activity")).status).toBe(200);
  });

  it("asks for its formats only, those of actions and nested options included", async () => {
    const key = await keyWith({ allowedFormats: ["links"] });
    const url = "http://127.0.0.1:9/";
    const refused = async (path: string, body: object, formats: string[]) => {
      const answer = await app.call("POST", path, { key, body });
      expect(answer.body, path).toMatchObject({ code: "FORMAT_NOT_ALLOWED", details: { formats, allowed: ["links"] } });
      expect(answer.status).toBe(403);
    };
    await refused("/v2/scrape", { url }, ["markdown"]);
    await refused("/v2/scrape", { url, formats: ["links", "html"] }, ["html"]);
    await refused("/v2/scrape", { url, formats: ["links"], actions: [{ type: "executeJavascript", script: "1" }] }, [
      "rawHtml",
    ]);
    await refused("/v2/crawl", { url, scrapeOptions: { formats: ["rawHtml"] } }, ["rawHtml"]);
    await refused("/v2/extract", { urls: [url], schema: { type: "object" } }, ["json"]);
    const allowed = await app.call("POST", "/v2/scrape", { key, body: { url, formats: ["links"] } });
    expect(allowed.body.code).toBe("URL_NOT_ALLOWED");
  });

  it("ends at its time", async () => {
    const key = await keyWith({ expiresAt: Date.now() - 1 });
    const answer = await app.get("/v2/team/activity", { key });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ error: "Unauthorized: Token expired", code: "TOKEN_EXPIRED" });
  });

  it("works from its addresses only, by the rightmost one that no proxy of ours added", async () => {
    const key = await keyWith({ allowedIps: ["203.0.113.0/24"] });
    const from = (forwarded: string) =>
      app.get("/v2/team/activity", { key, headers: { "x-forwarded-for": forwarded } });
    expect((await from("203.0.113.9")).status).toBe(200);
    expect((await from("::ffff:203.0.113.9")).status).toBe(200);
    const forged = await from("203.0.113.9, 198.51.100.1");
    expect(forged.status).toBe(403);
    expect(forged.body).toEqual({
      success: false,
      error: "Requests from this IP address are not allowed.",
      code: "IP_NOT_ALLOWED",
    });
    expect((await from("nonsense")).status).toBe(403);
    expect((await app.get("/v2/team/activity", { key })).status).toBe(403);
    const socket = await app.call("POST", "/mcp", { key, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
    expect(socket.status).toBe(403);
  });

  it("has a row in the log for each act, which nothing changes or removes", async () => {
    const { key, id } = await app.accounts.keys.create(teamId, "watched");
    await app.accounts.keys.change(teamId, id, { allowedEndpoints: ["map"] }, { type: "cli", id: null, name: "cli" });
    await app.accounts.keys.revoke(id);
    const rows = (await app.accounts.audit.page(teamId, { limit: 100, actor: undefined })).rows.filter(
      ({ target }) => target.id === id,
    );
    expect(rows.map(({ action }) => action)).toEqual(["key.revoked", "key.changed", "key.created"]);
    expect(rows[1]?.details).toMatchObject({
      before: { allowedEndpoints: null },
      after: { allowedEndpoints: ["map"] },
    });
    expect(JSON.stringify(rows)).not.toContain(key);
    await expect(app.fresh.run("update audit_rows set actor_name = 'nobody'")).rejects.toThrow("kept as they are");
    await expect(app.fresh.run("delete from audit_rows")).rejects.toThrow("kept as they are");
  });

  it("lets rows of the log go when their time is over, and only those", async () => {
    const count = async () => (await app.accounts.audit.page(teamId, { limit: 100 })).rows.length;
    const before = await count();
    const later = Date.now() + 100 * 86_400_000;
    const kept = await app.store.retention.purge({ now: later, limit: 1000, auditDays: 101 });
    expect([kept.auditRows, await count()]).toEqual([0, before]);
    expect((await app.store.retention.purge({ now: later, limit: 1000 })).auditRows).toBe(0);
    const removed = await app.store.retention.purge({ now: later, limit: 1000, auditDays: 99 });
    expect(removed.auditRows).toBeGreaterThanOrEqual(before);
    expect(await count()).toBe(0);
  });
});
