// The dashboard's way in, its sessions and its own endpoints, over HTTP. The pages are tested in a browser elsewhere.
import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { engines, onOneEngine } from "../support/engines.ts";

const api = "/dashboard/api";
const hour = 60 * 60 * 1000;

interface Visitor {
  cookie: string;
  csrf: string;
}

/** The secret of a link that signs in to the team. */
async function linkOf(app: TestApp, team = "acme"): Promise<string> {
  const { id } = await app.accounts.teams.findOrCreate(team);
  return (await app.accounts.people.createSignInLink(id)).secret;
}

const cookieOf = (headers: Headers) => headers.get("set-cookie")?.split(";")[0] ?? "";

async function visit(app: TestApp, body: object): Promise<Visitor> {
  const answer = await app.call("POST", `${api}/sign-in`, { key: null, body });
  expect(answer.status).toBe(200);
  const cookie = cookieOf(answer.headers);
  const session = await app.get(`${api}/session`, { key: null, headers: { cookie } });
  return { cookie, csrf: session.body.csrf };
}

const as = ({ cookie, csrf }: Visitor, headers: Record<string, string> = {}) => ({
  key: null,
  headers: { cookie, "x-trawl-csrf": csrf, ...headers },
});

describe.each(engines)("the dashboard on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  const clock = createMovableClock("2026-03-10T09:30:00Z");
  beforeAll(async () => {
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }, clock);
  });
  afterAll(() => app.stop());

  it("offers a link at the first start, and none once somebody has signed in", async () => {
    expect(app.firstLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in#[\w-]{43}$/);
    await visit(app, { link: String(app.firstLink).split("#")[1] });
    const second = await startApp(engine, {}, clock, app.fresh);
    expect(second.firstLink).toBeNull();
    await second.stop();
  });

  it("signs in by a link once, with a cookie that scripts and other sites do not get", async () => {
    const link = await linkOf(app);
    const answer = await app.call("POST", `${api}/sign-in`, { key: null, body: { link } });
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^trawl_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Expires=/);
    expect(cookie).not.toContain("Secure");
    expect(answer.text).not.toContain(cookieOf(answer.headers).split("=")[1]);
    const again = await app.call("POST", `${api}/sign-in`, { key: null, body: { link } });
    expect([again.status, again.body.code]).toEqual([401, "LINK_NOT_VALID"]);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  it("lets one of many in who use a link at the same moment", async () => {
    const link = await linkOf(app);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.call("POST", `${api}/sign-in`, { key: null, body: { link } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  itOnce("refuses a link after 15 minutes and a session after 12 hours", async () => {
    const late = await linkOf(app);
    const visitor = await visit(app, { link: await linkOf(app) });
    clock.advance(15 * 60_000);
    expect((await app.call("POST", `${api}/sign-in`, { key: null, body: { link: late } })).status).toBe(401);
    clock.advance(12 * hour);
    const answer = await app.get(`${api}/session`, as(visitor));
    expect([answer.status, answer.body.code]).toEqual([401, "NOT_SIGNED_IN"]);
  });

  itOnce("changes the secret of a session each hour; the one before opens it for a minute more", async () => {
    const visitor = await visit(app, { link: await linkOf(app) });
    clock.advance(hour);
    const answer = await app.get(`${api}/session`, as(visitor));
    const cookie = cookieOf(answer.headers);
    expect(cookie).toMatch(/^trawl_session=/);
    expect(cookie).not.toBe(visitor.cookie);
    expect((await app.get(`${api}/keys`, as(visitor))).status).toBe(200);
    clock.advance(61_000);
    expect((await app.get(`${api}/keys`, as(visitor))).status).toBe(401);
    expect((await app.get(`${api}/keys`, as({ cookie, csrf: answer.body.csrf }))).status).toBe(200);
  });

  itOnce("never takes up a session that a stranger planted", async () => {
    const planted = `trawl_session=${"a".repeat(43)}`;
    const options = { key: null, headers: { cookie: planted }, body: { link: await linkOf(app) } };
    const answer = await app.call("POST", `${api}/sign-in`, options);
    expect(cookieOf(answer.headers)).not.toBe(planted);
    expect((await app.get(`${api}/session`, { key: null, headers: { cookie: planted } })).status).toBe(401);
  });

  itOnce("takes the session for requests of dialects with its token only, and from no other origin", async () => {
    const visitor = await visit(app, { link: await linkOf(app) });
    const statusOf = async (attempt: object) =>
      (await app.call("POST", "/tavily/extract", { ...attempt, body: { urls: "not a URL" } })).status;
    expect(await statusOf({ key: null, headers: { cookie: visitor.cookie } })).toBe(401);
    for (const headers of [
      { "x-trawl-csrf": "0".repeat(64) },
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ])
      expect(await statusOf(as(visitor, headers))).toBe(403);
    expect(await statusOf(as(visitor))).not.toBeOneOf([401, 403]);
  });

  itOnce("refuses what changes something without the session's token, and every page of another origin", async () => {
    const visitor = await visit(app, { link: await linkOf(app) });
    const body = { name: "planted" };
    const { cookie } = visitor;
    const attempts = [
      { key: null, headers: { cookie } },
      as(visitor, { "x-trawl-csrf": "0".repeat(64) }),
      as(visitor, { origin: "https://evil.example" }),
      as(visitor, { "sec-fetch-site": "cross-site" }),
    ];
    for (const attempt of attempts) {
      const answer = await app.call("POST", `${api}/keys`, { ...attempt, body });
      expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN"]);
      expect((await app.call("POST", "/v2/map", { ...attempt, body: { url: "https://example.com" } })).status).toBe(
        403,
      );
    }
    const keys = await app.get(`${api}/keys`, as(visitor));
    expect(keys.body.keys.map(({ name }: { name: string }) => name)).not.toContain("planted");
  });

  it("creates a key with limits that works at once, shows its use, and revokes it", async () => {
    const visitor = await visit(app, { link: await linkOf(app) });
    const body = { name: "laptop", requestsPerMinute: 1, creditsPerMonth: 5 };
    const made = await app.call("POST", `${api}/keys`, { ...as(visitor), body });
    const { key, id } = made.body;
    expect(key).toMatch(/^fc-[0-9a-f]{32}$/);
    expect((await app.get("/v2/team/credit-usage", { key })).status).toBe(200);
    const list = await app.get(`${api}/keys`, as(visitor));
    const shown = list.body.keys.find((each: { id: string }) => each.id === id);
    expect(shown).toMatchObject({ ...body, lastFour: key.slice(-4), lastUsedAt: expect.any(String), revokedAt: null });
    expect(list.text).not.toContain(key);
    const map = () => app.call("POST", "/v2/map", { key, body: { url: "not a url" } });
    expect([(await map()).status, (await map()).status]).toEqual([400, 429]);
    await app.accounts.credits.charge(
      {
        teamId: (await app.accounts.teams.findOrCreate("acme")).id,
        teamName: "acme",
        keyId: id,
        keyName: "",
        requestsPerMinute: null,
      },
      [{ jobId: id, endpoint: "scrape", credits: 5, reason: "scrape" }],
    );
    clock.advance(60_000);
    expect((await map()).body.code).toBe("INSUFFICIENT_CREDITS");
    expect((await app.call("DELETE", `${api}/keys/${id}`, as(visitor))).status).toBe(200);
    expect((await app.get("/v2/team/credit-usage", { key })).status).toBe(401);
  });

  itOnce("knows nothing of other teams", async () => {
    const visitor = await visit(app, { link: await linkOf(app) });
    const other = await visit(app, { link: await linkOf(app, "other") });
    const made = await app.call("POST", `${api}/keys`, { ...as(other), body: { name: "theirs" } });
    const revoked = await app.call("DELETE", `${api}/keys/${made.body.id}`, as(visitor));
    expect([revoked.status, revoked.body.code]).toEqual([404, "KEY_NOT_FOUND"]);
    const [owner] = (await app.get(`${api}/people`, as(other))).body.people;
    expect((await app.call("DELETE", `${api}/people/${owner.id}`, as(visitor))).status).toBe(404);
    const teamId = (await app.get(`${api}/session`, as(other))).body.team.id;
    expect((await app.call("POST", `${api}/session/team`, { ...as(visitor), body: { teamId } })).status).toBe(404);
  });

  it("invites people, gives them roles, and lets owners alone change what counts", async () => {
    const owner = await visit(app, { link: await linkOf(app) });
    const invite = async (role: string) => {
      const { body } = await app.call("POST", `${api}/invitations`, { ...as(owner), body: { role } });
      expect(body.url).toMatch(/\/dashboard\/invitation#[\w-]{43}$/);
      return body.url.split("#")[1];
    };
    const link = await invite("member");
    const nameless = await app.call("POST", `${api}/sign-in`, { key: null, body: { link } });
    expect([nameless.status, nameless.body.details[0].path]).toEqual([400, ["name"]]);
    const member = await visit(app, { link, name: "Mia" });
    expect((await app.get(`${api}/session`, as(member))).body).toMatchObject({
      role: "member",
      person: { name: "Mia" },
    });
    const refused = await app.call("POST", `${api}/keys`, { ...as(member), body: { name: "mine" } });
    expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
    const { people } = (await app.get(`${api}/people`, as(owner))).body;
    const mia = people.find(({ name }: { name: string }) => name === "Mia");
    const promoted = await app.call("PATCH", `${api}/people/${mia.id}`, { ...as(owner), body: { role: "owner" } });
    expect(promoted.status).toBe(200);
    expect((await app.call("POST", `${api}/keys`, { ...as(member), body: { name: "mine" } })).status).toBe(200);
    expect((await app.call("DELETE", `${api}/people/${mia.id}`, as(owner))).status).toBe(200);
    expect((await app.get(`${api}/session`, as(member))).status).toBe(401);
    const [last] = (await app.get(`${api}/people`, as(owner))).body.people;
    expect((await app.call("DELETE", `${api}/people/${last.id}`, as(owner))).status).toBe(400);
  });

  itOnce("lets somebody join a second team and switch", async () => {
    const visitor = await visit(app, { link: await linkOf(app) });
    const other = await visit(app, { link: await linkOf(app, "other") });
    const { body } = await app.call("POST", `${api}/invitations`, { ...as(other), body: { role: "member" } });
    const accepted = await app.call("POST", `${api}/invitations/accept`, {
      ...as(visitor),
      body: { link: body.url.split("#")[1] },
    });
    expect(accepted.status).toBe(200);
    const session = (await app.get(`${api}/session`, as(visitor))).body;
    expect(session.team.name).toBe("other");
    const acme = session.teams.find(({ name }: { name: string }) => name === "acme");
    await app.call("POST", `${api}/session/team`, { ...as(visitor), body: { teamId: acme.id } });
    expect((await app.get(`${api}/session`, as(visitor))).body.team.name).toBe("acme");
  });

  itOnce("signs in by a password, whose other sessions end with a new one, and slows down who guesses", async () => {
    const visitor = await visit(app, { link: await linkOf(app, "passwords") });
    const elsewhere = await visit(app, { link: await linkOf(app, "passwords") });
    const set = (body: object) => app.call("PUT", `${api}/password`, { ...as(visitor), body });
    const short = await set({ signInName: "Ada", password: "short" });
    expect([short.status, short.body.details[0].path]).toEqual([400, ["password"]]);
    const password = "a long enough password";
    expect((await set({ signInName: "Ada", password })).status).toBe(200);
    expect((await app.get(`${api}/session`, as(elsewhere))).status).toBe(401);
    await visit(app, { signInName: " ada ", password });
    const wrong = await set({ signInName: "ada", password: "another long password", current: "wrong" });
    expect([wrong.status, wrong.body.code]).toEqual([401, "SIGN_IN_FAILED"]);
    const guess = (signInName: string) =>
      app.call("POST", `${api}/sign-in`, { key: null, body: { signInName, password: "wrong" } });
    const codes: string[] = [];
    for (let tries = 0; tries < 12; tries += 1) codes.push((await guess("nobody")).body.code);
    expect(codes).toEqual([...Array(10).fill("SIGN_IN_FAILED"), "RATE_LIMITED", "RATE_LIMITED"]);
  });

  itOnce("is not opened by a key, and signs out", async () => {
    const byKey = await app.get(`${api}/keys`);
    expect([byKey.status, byKey.body.code]).toEqual([403, "FORBIDDEN"]);
    const visitor = await visit(app, { link: await linkOf(app) });
    const out = await app.call("POST", `${api}/sign-out`, { ...as(visitor), body: {} });
    expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await app.get(`${api}/session`, as(visitor))).status).toBe(401);
  });

  it("counts requests, failures, pages and credits by the hour", async () => {
    const visitor = await visit(app, { link: await linkOf(app, "counted") });
    const refused = { ...as(visitor), body: { url: "http://10.0.0.1/" } };
    expect((await app.call("POST", "/v2/scrape", refused)).status).toBe(403);
    const { id: teamId } = await app.accounts.teams.findOrCreate("counted");
    await app.accounts.credits.charge(
      { teamId, teamName: "counted", keyId: null, keyName: "", requestsPerMinute: null },
      [{ jobId: "1", endpoint: "scrape", credits: 7, reason: "scrape" }],
    );
    const { body } = await app.get(`${api}/overview?range=24h`, as(visitor));
    expect(body.total).toMatchObject({ requests: 1, failed: 1, pages: 1, credits: 7, p50Ms: expect.any(Number) });
    expect(body.steps).toHaveLength(24);
    expect(body.steps.at(-1)).toMatchObject({ requests: 1, credits: 7 });
    expect(body.causes).toEqual([{ name: "URL_NOT_ALLOWED", requests: 1 }]);
    expect(body.endpoints).toMatchObject([{ name: "scrape", credits: 7 }]);
    const csv = await app.get(`${api}/usage.csv`, as(visitor));
    expect(csv.text.split("\r\n")[1]).toMatch(/^2026-03-\d\d,dashboard or open mode,scrape,1,1,1,0,7$/);
    clock.advance(36 * 24 * hour);
    const later = await visit(app, { link: await linkOf(app, "counted") });
    const purged = await app.store.retention.purge({ now: clock.now(), limit: 10_000 });
    expect(purged.usageHours).toBeGreaterThan(0);
    expect((await app.get(`${api}/overview?range=30d`, as(later))).body.total.credits).toBe(0);
  });

  itOnce("shows forms, tools, settings without secrets, health and the index", async () => {
    const visitor = await visit(app, { link: await linkOf(app) });
    const form = (await app.get(`${api}/forms/scrape`, as(visitor))).body;
    expect(form).toMatchObject({ method: "POST", path: "/v2/scrape", required: ["url"] });
    expect(Object.keys(form.fields)).toEqual(expect.arrayContaining(["url", "formats", "onlyMainContent"]));
    const tools = (await app.get(`${api}/connect`, as(visitor))).text;
    expect(tools).toContain(`${app.url}/mcp`);
    const settings = (await app.get(`${api}/settings`, as(visitor))).text;
    expect(settings).toContain("TRAWL_SECRET");
    expect(settings).not.toContain("a secret of the tests");
    expect(settings).not.toContain(app.key);
    const health = (await app.get(`${api}/health?quick=true`, as(visitor))).body.findings;
    expect(health[0]).toMatchObject({ subject: "Store", state: "ok" });
    expect((await app.get(`${api}/index`, as(visitor))).body).toMatchObject({ pages: 0, hosts: [] });
  });
});

describe("the dashboard's page", () => {
  it("is served with a strict policy, its files with names that may be kept", async () => {
    const [engine] = engines;
    if (!engine) throw new Error("no engine");
    const app = await startApp(engine);
    const page = await app.get("/dashboard/keys", { key: null });
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("cache-control")).toBe("no-store");
    const [, script = ""] = /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec(page.text) ?? [];
    const file = await app.get(script, { key: null });
    expect([file.status, file.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    const unpacked = await app.get(script, { key: null, headers: { "accept-encoding": "identity" } });
    expect([unpacked.headers.get("content-encoding"), unpacked.text]).toEqual([null, file.text]);
    for (const path of [
      "/dashboard/assets/../../../package.json",
      "/dashboard/assets/none.js",
      "/dashboard/api/none",
    ]) {
      expect((await app.get(path, { key: null })).status).toBe(404);
    }
    await app.stop();
  });

  it("loads at most 250 KB of script before it is usable", () => {
    const folder = new URL("../../dist/dashboard/web/", import.meta.url);
    const html = gunzipSync(readFileSync(new URL("index.html.gz", folder))).toString();
    const scripts = [...html.matchAll(/"\/dashboard\/(assets\/[^"]+\.js)"/g)].map(([, name]) => String(name));
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.reduce((sum, name) => sum + statSync(new URL(`${name}.gz`, folder)).size, 0);
    expect(bytes).toBeLessThan(250 * 1024);
  });

  it("marks its cookie Secure where the server is reached over HTTPS", async () => {
    const [engine] = engines;
    if (!engine) throw new Error("no engine");
    const app = await startApp(engine, { PUBLIC_URL: "https://trawl.example" });
    const body = { link: await linkOf(app) };
    const answer = await app.call("POST", `${api}/sign-in`, { key: null, body });
    expect(answer.headers.get("set-cookie")).toContain("; Secure");
    await app.stop();
  });

  it("needs no sign-in in open mode", async () => {
    const [engine] = engines;
    if (!engine) throw new Error("no engine");
    const app = await startApp(engine, { TRAWL_AUTH: "none" });
    expect(app.firstLink).toBeNull();
    expect((await app.get(`${api}/session`, { key: null })).body).toMatchObject({
      person: null,
      team: { name: "default" },
    });
    await app.stop();
  });
});
