// What a team decides about its own requests: from where they may come, and which hosts are read.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { startServer } from "../support/policy-site.ts";

describe.each(bystanders)("the policy of a team on $name", (engine) => {
  let app: TestApp;
  let admin: string;
  let site: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    site = await startServer();
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1,localhost", CHROMIUM_PATH: "/nowhere/chromium" });
    const teamId = (await app.accounts.teams.find("acme"))?.id ?? "";
    const limits = { allowedEndpoints: ["admin"] };
    admin = (await app.accounts.keys.create(teamId, "admin", undefined, limits)).key;
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  const setTargets = async (body: object) => {
    const answer = await app.call("PUT", "/v2/team/threat-protection", { key: admin, body });
    expect(answer.status, answer.text).toBe(200);
  };
  const scrape = (url: string) => app.call("POST", "/v2/scrape", { body: { url, maxAge: 0 } });

  it("is read by any key with team, and changed by a key that was given admin by name", async () => {
    expect((await app.get("/v2/team/ip-allowlist")).body).toEqual({ success: true, ranges: [] });
    const refused = await app.call("PUT", "/v2/team/ip-allowlist", { body: { ranges: [] } });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: "INSUFFICIENT_SCOPE", details: { required: ["admin"] } });
    expect((await app.get("/v2/team/audit")).status).toBe(403);
    const bad = await app.call("PUT", "/v2/team/ip-allowlist", { key: admin, body: { ranges: ["10.0.0.0/99"] } });
    expect(bad.status).toBe(400);
    expect(bad.body.details[0].path).toEqual(["ranges", 0]);
  });

  it("refuses keys from other addresses, and holds for the key that set it", async () => {
    const set = (ranges: string[]) => app.call("PUT", "/v2/team/ip-allowlist", { key: admin, body: { ranges } });
    expect((await set(["127.0.0.0/8", "::1"])).body.ranges).toEqual(["127.0.0.0/8", "::1"]);
    expect((await app.get("/v2/team/ip-allowlist")).status).toBe(200);
    expect((await set(["203.0.113.1"])).status).toBe(200);
    expect((await app.get("/v2/team/ip-allowlist")).body.code).toBe("IP_NOT_ALLOWED");
    expect((await app.get("/v2/team/ip-allowlist", { key: app.otherKey })).status).toBe(200);
    const { id } = (await app.accounts.teams.find("acme")) as { id: string };
    await app.accounts.policies.replace(id, "ipRanges", [], { type: "cli", id: null, name: "cli" });
    expect((await app.get("/v2/team/ip-allowlist")).status).toBe(200);
  });

  it("judges a page before anything is asked of its host, and where it redirects", async () => {
    await setTargets({ mode: "manual-only", blacklist: ["localhost"] });
    const port = new URL(site.url).port;
    const refused = await scrape(`http://localhost:${port}/`);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: "unsafe_domain_blocked", details: { rule: "blacklist" } });
    const redirected = await scrape(`${site.url}/away`);
    expect(redirected.body).toMatchObject({ code: "unsafe_domain_blocked", details: { rule: "blacklist" } });
    expect(site.hosts().filter((host) => host.startsWith("localhost"))).toEqual([]);
    expect((await scrape(`${site.url}/`)).status).toBe(200);
    // Another team's lists are its own.
    const other = await app.call("POST", "/v2/scrape", {
      key: app.otherKey,
      body: { url: `http://localhost:${port}/` },
    });
    expect(other.status).toBe(200);
  });

  it("crawls within the whitelist alone where all else is blocked, and says what was refused", async () => {
    await setTargets({ mode: "manual-only", whitelist: ["127.0.0.1"], defaultAction: "block" });
    const before = site.hosts().length;
    const body = { url: `${site.url}/`, allowExternalLinks: true, limit: 10 };
    const { id } = (await app.call("POST", "/v2/crawl", { body })).body;
    await expect
      .poll(async () => (await app.get(`/v2/crawl/${id}`)).body.status, { timeout: 30_000 })
      .toBe("completed");
    const { errors } = (await app.get(`/v2/crawl/${id}/errors`)).body;
    expect(JSON.stringify(errors)).toContain("unsafe_domain_blocked");
    expect(
      site
        .hosts()
        .slice(before)
        .filter((host) => host.startsWith("localhost")),
    ).toEqual([]);
    await setTargets({});
  });

  it("refuses lists that are none, and modes that this server does not have", async () => {
    const put = (body: object) => app.call("PUT", "/v2/team/threat-protection", { key: admin, body });
    const bad = await put({ mode: "manual-only", blacklist: ["ok.example", "https://no.example/"] });
    expect([bad.status, bad.body.details[0].path]).toEqual([400, ["blacklist", 1]]);
    expect((await put({ mode: "zscaler" })).status).toBe(501);
  });

  it("shows who changed what, to admins alone, page by page and as a file", async () => {
    const filter = "action=policy.*&actor=admin";
    const { body } = await app.get(`/v2/team/audit?${filter}&limit=1`, { key: admin });
    expect(body).toMatchObject({ success: true, has_more: true });
    expect(body.data[0]).toMatchObject({
      action: "policy.changed",
      actor: { type: "key", name: "admin" },
      target: { type: "policy", id: "targets" },
      ip: expect.stringContaining("127.0.0.1"),
      details: { before: { defaultAction: "block" }, after: { mode: "off" } },
    });
    const file = await app.get(`/v2/team/audit/export?${filter}`, { key: admin });
    expect(file.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
    expect(file.headers.get("content-disposition")).toContain("attachment");
    const rows = file.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted());
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(["policy.changed"]));
    const { data } = (await app.get("/v2/team/audit?action=audit.exported", { key: admin })).body;
    expect(data).toHaveLength(1);
    expect((await app.get("/v2/team/audit?from=yesterday", { key: admin })).status).toBe(400);
  });
});
