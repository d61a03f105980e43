// OAuth over HTTP: documents, registration, authorization, tokens, and what an attacker tries. Each attack fails because of one
// defence, whose removal was tried (docs/decisions/0058-oauth-server.md).
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { anyEngine, engines } from "../support/engines.ts";
import {
  allow,
  authorize,
  authorizePath,
  challengeOf,
  connectApp,
  exchange,
  postForm,
  redirectUri,
  register,
  renew,
  requestOf,
  type SignedInPerson,
  signInMember,
  signInOwner,
  verifier,
} from "../support/oauth-app.ts";
import { propertyRuns } from "../support/property-runs.ts";

const scopes = ["scrape", "batch", "parse", "crawl", "map", "search", "extract", "agent", "browser", "monitor", "team"];
const settings = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", OAUTH_REGISTRATIONS_PER_HOUR: "100000" };
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const accept = { accept: "application/json, text/event-stream" };
const minuteMs = 60_000;

describe.each(engines)("OAuth on $name", (engine) => {
  let app: TestApp;
  let owner: SignedInPerson;
  const clock = createMovableClock("2026-03-10T09:30:00Z");
  beforeAll(async () => {
    app = await startApp(engine, settings, clock);
    owner = await signInOwner(app);
  });
  afterAll(() => app.stop());
  const useMcp = (key: string) => app.call("POST", "/mcp", { key, body: list, headers: accept });

  it("connects an app: challenge, documents, registration, consent, tokens, use, renewal, revocation", async () => {
    const refused = await app.call("POST", "/mcp", { key: null, body: list, headers: accept });
    expect(refused.body).toMatchObject({ success: false, code: "UNAUTHORIZED" });
    const metadata = `${app.url}/.well-known/oauth-protected-resource`;
    expect(refused.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadata}/mcp"`);
    const resource = await app.get("/.well-known/oauth-protected-resource/mcp", { key: null });
    expect(resource.body).toEqual({
      resource: `${app.url}/mcp`,
      authorization_servers: [app.url],
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
      resource_name: "Trawl",
    });
    expect(resource.headers.get("cache-control")).toBe("public, max-age=300");
    expect(resource.headers.get("access-control-allow-origin")).toBe("*");
    expect((await app.get("/.well-known/oauth-protected-resource")).body.resource).toBe(app.url);
    const server = (await app.get("/.well-known/oauth-authorization-server")).body;
    expect(server).toMatchObject({
      issuer: app.url,
      registration_endpoint: `${app.url}/oauth/register`,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });

    const registered = await register(app, { token_endpoint_auth_method: "none", tos_uri: "ignored" });
    expect([registered.status, registered.headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(registered.body).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      redirect_uris: [redirectUri],
      client_name: "Test app",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    const { client_id: clientId } = registered.body;
    const sent = await authorize(app.url, authorizePath(clientId, { scope: "crawl map offline_access nonsense" }));
    expect(sent.status).toBe(303);
    const location = sent.headers.get("location") ?? "";
    expect(location).toMatch(new RegExp(`^${app.url}/dashboard/consent\\?request=[\\w-]{43}$`));
    const requestId = location.split("=")[1] ?? "";
    expect((await app.get(`/dashboard/api/oauth/requests/${requestId}`, { key: null })).status).toBe(401);
    const shown = (await owner.ask("GET", `/oauth/requests/${requestId}`)).body.request;
    expect(shown).toMatchObject({
      client: { id: clientId, name: "Test app", host: "app.example", verified: false },
      redirectHost: "app.example",
      isLoopback: false,
      scopes: [
        { name: "crawl", description: expect.any(String) },
        { name: "map", description: expect.any(String) },
      ],
      resource: `${app.url}/mcp`,
      teams: [{ name: "acme" }],
    });
    const back = await allow(owner, requestId);
    expect([back.get("state"), back.get("iss"), back.get("code")]).toEqual([
      "s 1&x",
      app.url,
      expect.stringMatching(/^trawl_ac_[\w-]{43}$/),
    ]);
    const { status, headers, body } = await exchange(app, clientId, back.get("code") ?? "");
    expect([status, headers.get("cache-control"), headers.get("access-control-allow-origin")]).toEqual([
      200,
      "no-store",
      "*",
    ]);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^trawl_at_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^trawl_rt_[\w-]{43}$/),
      scope: "crawl map",
    });
    expect((await useMcp(body.access_token)).status).toBe(200);
    const second = (await renew(app, clientId, body.refresh_token)).body;
    expect(second.refresh_token).not.toBe(body.refresh_token);
    expect((await useMcp(second.access_token)).status).toBe(200);
    const revoked = await postForm(app, "/oauth/revoke", { token: second.refresh_token, client_id: clientId });
    expect([revoked.status, revoked.body]).toEqual([200, {}]);
    const after = await useMcp(second.access_token);
    expect([after.status, after.body.code]).toEqual([401, "TOKEN_INVALID"]);
    expect(after.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", resource_metadata="${metadata}/mcp"`,
    );
  });

  it("keeps hashes only: no code, token or secret is in the store or in the log", async () => {
    const { code, accessToken, refreshToken } = await connectApp(app, owner);
    const secret = (await register(app, { token_endpoint_auth_method: "client_secret_post" })).body.client_secret;
    await useMcp(accessToken);
    const rows = (await app.fresh.listRows()).join("\n");
    for (const text of [code, accessToken, refreshToken, secret]) {
      expect(text.length).toBeGreaterThan(40);
      expect(rows).not.toContain(text);
      expect(app.logLines.join("\n")).not.toContain(text);
    }
  });

  it("a code is good once, and one that comes again ends what it gave", async () => {
    const { clientId, code, accessToken, refreshToken } = await connectApp(app, owner);
    const again = await exchange(app, clientId, code);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    expect((await useMcp(accessToken)).status).toBe(401);
    expect((await renew(app, clientId, refreshToken)).body.error).toBe("invalid_grant");
  });

  it("of two exchanges of a code at the same time one wins at most", async () => {
    const clientId = (await register(app)).body.client_id;
    const code = (await allow(owner, await requestOf(app, clientId))).get("code") ?? "";
    const both = await Promise.all([exchange(app, clientId, code), exchange(app, clientId, code)]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it("a refresh token that comes again ends the whole grant, and of two at the same time one wins at most", async () => {
    const first = await connectApp(app, owner);
    const next = (await renew(app, first.clientId, first.refreshToken)).body;
    expect((await renew(app, first.clientId, first.refreshToken)).body.error).toBe("invalid_grant");
    expect((await useMcp(next.access_token)).status).toBe(401);
    expect((await renew(app, first.clientId, next.refresh_token)).body.error).toBe("invalid_grant");
    const second = await connectApp(app, owner);
    const both = await Promise.all([1, 2].map(() => renew(app, second.clientId, second.refreshToken)));
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it("codes end after 60 s, access after an hour, a grant 30 days after its last use", async () => {
    const clientId = (await register(app)).body.client_id;
    const late = (await allow(owner, await requestOf(app, clientId))).get("code") ?? "";
    clock.advance(61_000);
    expect((await exchange(app, clientId, late)).body.error).toBe("invalid_grant");
    const { accessToken, refreshToken, clientId: id } = await connectApp(app, owner);
    clock.advance(61 * minuteMs);
    expect((await useMcp(accessToken)).status).toBe(401);
    clock.advance(29 * 24 * 60 * minuteMs);
    const renewed = (await renew(app, id, refreshToken)).body;
    clock.advance(31 * 24 * 60 * minuteMs);
    expect((await renew(app, id, renewed.refresh_token)).body.error).toBe("invalid_grant");
    owner = await signInOwner(app);
  });

  it("owners see and revoke all apps of the team, members their own, and others find nothing", async () => {
    const member = await signInMember(app, "Mia");
    const stranger = await signInOwner(app, "other");
    const [ofOwner, ofMember] = [await connectApp(app, owner), await connectApp(app, member, { scope: "map" })];
    await useMcp(ofMember.accessToken);
    const apps = (await owner.ask("GET", "/apps")).body.apps;
    const own = (await member.ask("GET", "/apps")).body.apps;
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({
      client: { name: "Test app", host: "app.example" },
      person: { name: "Mia" },
      scopes: ["map"],
      resource: `${app.url}/mcp`,
      lastUsedAt: expect.any(String),
    });
    const ids = apps.map(({ id }: { id: string }) => id);
    expect(ids).toContain(own[0].id);
    expect((await stranger.ask("GET", "/apps")).body.apps).toEqual([]);
    const owners = apps.find(({ person }: { person: { name: string } }) => person.name !== "Mia");
    for (const [person, id] of [
      [member, owners.id],
      [stranger, own[0].id],
      [owner, "0190d2a4-5f0e-7c11-9a55-0d6f5f0a1b01"],
    ] as const) {
      const refused = await person.ask("DELETE", `/apps/${id}`);
      expect([refused.status, refused.body.code]).toEqual([404, "APP_NOT_FOUND"]);
    }
    expect((await useMcp(ofMember.accessToken)).status).toBe(200);
    expect((await owner.ask("DELETE", `/apps/${own[0].id}`)).status).toBe(200);
    expect((await useMcp(ofMember.accessToken)).status).toBe(401);
    expect((await useMcp(ofOwner.accessToken)).status).toBe(200);
    const keys = (await owner.ask("GET", "/keys")).body.keys.map(({ name }: { name: string }) => name);
    expect(keys.filter((name: string) => name.startsWith("app:"))).toEqual([]);
  });

  it("a person who leaves the team takes the apps along, for good", async () => {
    const member = await signInMember(app, "Nils");
    const { accessToken, refreshToken, clientId } = await connectApp(app, member);
    const people = (await owner.ask("GET", "/people")).body.people;
    const { id } = people.find(({ name }: { name: string }) => name === "Nils");
    await owner.ask("DELETE", `/people/${id}`);
    expect((await useMcp(accessToken)).status).toBe(401);
    expect((await renew(app, clientId, refreshToken)).body.error).toBe("invalid_grant");
    const team = await app.accounts.teams.findOrCreate(app.team);
    await app.store.people.join(team.id, id, "member", clock.now());
    expect((await useMcp(accessToken)).status).toBe(401);
  });

  it("a token does what its scopes say, and is told what it lacks", async () => {
    const { accessToken } = await connectApp(app, owner, { scope: "map" });
    const challenge = (path: string, scope: string) =>
      `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${app.url}/.well-known/oauth-protected-resource${path}"`;
    const { text } = await useMcp(accessToken);
    expect(text).toContain('"name":"map"');
    expect(text).not.toContain('"name":"crawl"');
    const params = { name: "crawl", arguments: { url: "http://127.0.0.1:1/" } };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const refused = await app.call("POST", "/mcp", { key: accessToken, body: call, headers: accept });
    expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(refused.headers.get("www-authenticate")).toBe(challenge("/mcp", "crawl"));
    const forApi = (await connectApp(app, owner, { scope: "map", resource: app.url })).accessToken;
    const scrape = await app.call("POST", "/v2/scrape", { key: forApi, body: { url: "http://127.0.0.1:1/" } });
    expect([scrape.status, scrape.body.details]).toEqual([403, { required: ["scrape"], allowed: ["map"] }]);
    expect(scrape.headers.get("www-authenticate")).toBe(challenge("", "scrape"));
  });

  it("what happens to apps is in the audit log", async () => {
    const { clientId, code } = await connectApp(app, owner);
    await exchange(app, clientId, code);
    const denied = await requestOf(app, clientId);
    await owner.ask("POST", `/oauth/requests/${denied}`, { decision: "deny" });
    await connectApp(app, owner);
    const [newest] = (await owner.ask("GET", "/apps")).body.apps;
    await owner.ask("DELETE", `/apps/${newest.id}`);
    const team = await app.accounts.teams.findOrCreate(app.team);
    const { rows } = await app.accounts.audit.page(team.id, { action: "oauth.*", limit: 8 });
    expect(rows.map(({ action, actor }) => `${action} ${actor.type}`)).toEqual(
      expect.arrayContaining([
        "oauth.client_registered app",
        "oauth.granted person",
        "oauth.denied person",
        "oauth.revoked person",
        "oauth.token_reused app",
      ]),
    );
    expect(JSON.stringify(rows)).not.toMatch(/trawl_(?:at|rt|ac)_/);
  });

  it("usage by key names the app", async () => {
    const { accessToken } = await connectApp(app, owner, { resource: app.url });
    expect(
      (await app.call("POST", "/v2/map", { key: accessToken, body: { url: "http://127.0.0.1:1/" } })).status,
    ).not.toBe(401);
    const csv = await owner.ask("GET", "/usage.csv");
    expect(csv.text).toContain("app: Test app");
  });
});

describe("an attacker of OAuth", () => {
  let app: TestApp;
  let owner: SignedInPerson;
  let clientId: string;
  beforeAll(async () => {
    app = await startApp(anyEngine, settings);
    owner = await signInOwner(app);
    clientId = (await register(app)).body.client_id;
  });
  afterAll(() => app.stop());

  it.each([
    ["an unknown client", { client_id: "trawl_client_unknown" }],
    ["another redirect URI", { redirect_uri: "https://evil.example/callback" }],
    ["a longer redirect URI", { redirect_uri: `${redirectUri}/../evil` }],
    ["another port", { redirect_uri: "https://app.example:444/callback" }],
    ["another case", { redirect_uri: "https://APP.example/callback" }],
    ["markup", { client_id: "<script>alert(1)</script>" }],
  ])("with %s is never redirected", async (_what, different) => {
    const response = await authorize(app.url, authorizePath(clientId, different));
    const text = await response.text();
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(text).not.toContain("evil");
    expect(text).not.toContain("alert");
  });

  it.each(["client_id", "redirect_uri"])("who sends %s twice is never redirected", async (name) => {
    const path = `${authorizePath(clientId)}&${name}=x`;
    const response = await authorize(app.url, path);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  it.each<[string, Record<string, string | null>, string]>([
    ["no challenge", { code_challenge: null }, "invalid_request"],
    ["a malformed challenge", { code_challenge: "short" }, "invalid_request"],
    ["no method", { code_challenge_method: null }, "invalid_request"],
    ["the method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["a request object", { request: "x" }, "invalid_request"],
    ["a request URI", { request_uri: "https://evil.example" }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["no known scope", { scope: "everything" }, "invalid_scope"],
    ["the scope admin", { scope: "admin" }, "invalid_scope"],
    ["another resource", { resource: "https://evil.example/mcp" }, "invalid_target"],
  ])("with %s goes back with an error", async (_what, different, error) => {
    const response = await authorize(app.url, authorizePath(clientId, different));
    expect(response.status).toBe(303);
    const location = response.headers.get("location") ?? "";
    expect(location.startsWith(`${redirectUri}?`)).toBe(true);
    const sent = Object.fromEntries(new URL(location).searchParams);
    expect(sent).toEqual({ error, state: "s 1&x", iss: app.url });
  });

  it("with a repeated parameter or a second resource goes back with an error", async () => {
    const errorOf = async (more: string) => {
      const response = await authorize(app.url, authorizePath(clientId) + more);
      return new URL(response.headers.get("location") ?? "").searchParams.get("error");
    };
    expect(await errorOf("&scope=map&scope=crawl")).toBe("invalid_request");
    const resource = encodeURIComponent(`${app.url}/mcp`);
    expect(await errorOf(`&resource=${resource}&resource=${resource}`)).toBe("invalid_target");
  });

  it.each([
    "http://app.example/callback",
    "https://app.example/callback#part",
    "https://user@app.example/callback",
    "https://*.example/callback",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "blob:https://app.example/x",
    "about:blank",
    "ws://app.example/",
    "http://localhost.evil.example/",
    "http://127.0.0.1@evil.example/",
    "https://app.example\\@evil.example/",
    "https:app.example",
    "//app.example/callback",
    "/callback",
    `https://app.example/${"x".repeat(2048)}`,
    "https://app.example/call\nback",
  ])("cannot register %j", async (uri) => {
    const { status, body } = await register(app, { redirect_uris: [uri] });
    expect([status, body.error]).toEqual([400, "invalid_redirect_uri"]);
  });

  it("may register private schemes and loopback, of which only the port is free", async () => {
    const uris = ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost/cb", "http://[::1]:7000/cb"];
    const { body } = await register(app, { redirect_uris: uris });
    expect(body.redirect_uris).toEqual(uris);
    const statusOf = async (uri: string) =>
      (await authorize(app.url, authorizePath(body.client_id, { redirect_uri: uri }))).status;
    expect(await statusOf("http://localhost:51234/cb")).toBe(303);
    expect(await statusOf("http://127.0.0.1:51234/cb")).toBe(400);
    expect(await statusOf("http://localhost:51234/cb2")).toBe(400);
    expect(await statusOf("http://localhost:51234@evil.example/cb")).toBe(400);
    const requestId = await requestOf(app, body.client_id, { redirect_uri: "http://localhost:51234/cb" });
    const { request } = (await owner.ask("GET", `/oauth/requests/${requestId}`)).body;
    expect(request).toMatchObject({ isLoopback: true, redirectHost: "localhost:51234" });
  });

  it.each<[string, Record<string, string | null>]>([
    ["another verifier", { code_verifier: "x".repeat(43) }],
    ["the challenge itself", { code_verifier: challengeOf(verifier) }],
    ["another redirect URI", { redirect_uri: "https://app.example/other" }],
    ["no redirect URI", { redirect_uri: null }],
  ])("cannot exchange a code with %s", async (_what, different) => {
    const code = (await allow(owner, await requestOf(app, clientId))).get("code") ?? "";
    const { status, body } = await exchange(app, clientId, code, different);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
  });

  it("cannot exchange or renew what another client was given, or for another resource", async () => {
    const other = (await register(app)).body.client_id;
    const code = (await allow(owner, await requestOf(app, clientId))).get("code") ?? "";
    expect((await exchange(app, other, code)).body.error).toBe("invalid_grant");
    expect((await exchange(app, clientId, code, { resource: app.url })).body.error).toBe("invalid_target");
    const connected = await connectApp(app, owner);
    expect((await renew(app, other, connected.refreshToken)).body.error).toBe("invalid_grant");
    const target = await renew(app, connected.clientId, connected.refreshToken, { resource: app.url });
    expect(target.body.error).toBe("invalid_target");
    const foreign = await postForm(app, "/oauth/revoke", { token: connected.accessToken, client_id: other });
    expect(foreign.status).toBe(200);
    const used = await app.call("POST", "/mcp", { key: connected.accessToken, body: list, headers: accept });
    expect(used.status).toBe(200);
  });

  it("cannot make a scope grow, at consent or on renewal", async () => {
    const requestId = await requestOf(app, clientId, { scope: "map crawl" });
    const more = await owner.ask("POST", `/oauth/requests/${requestId}`, { decision: "allow", scopes: ["team"] });
    expect([more.status, more.body.details[0].path]).toEqual([400, ["scopes"]]);
    const code = (await allow(owner, requestId, { scopes: ["map"] })).get("code") ?? "";
    const { body } = await exchange(app, clientId, code);
    expect(body.scope).toBe("map");
    expect((await renew(app, clientId, body.refresh_token, { scope: "map crawl" })).body.error).toBe("invalid_scope");
    expect((await renew(app, clientId, body.refresh_token, { scope: "map" })).body.scope).toBe("map");
  });

  it("a request is decided once, by a person who is signed in, from the dashboard itself", async () => {
    const requestId = await requestOf(app, clientId);
    const path = `/dashboard/api/oauth/requests/${requestId}`;
    const body = { decision: "allow" };
    expect((await app.call("POST", path, { body })).status).toBe(403);
    expect((await app.call("POST", path, { key: null, body, headers: { cookie: owner.cookie } })).status).toBe(403);
    const foreign = await owner.ask("POST", `/oauth/requests/${requestId}`, body, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    const denied = await owner.ask("POST", `/oauth/requests/${requestId}`, { decision: "deny" });
    expect(new URL(denied.body.redirectTo).searchParams.get("error")).toBe("access_denied");
    const again = await owner.ask("POST", `/oauth/requests/${requestId}`, body);
    expect([again.status, again.body.code]).toEqual([404, "OAUTH_REQUEST_NOT_FOUND"]);
    const second = await requestOf(app, clientId);
    const foreignTeam = (await app.accounts.teams.findOrCreate("other")).id;
    const elsewhere = await owner.ask("POST", `/oauth/requests/${second}`, { ...body, teamId: foreignTeam });
    expect(elsewhere.body.code).toBe("TEAM_NOT_FOUND");
  });

  it("a token is good for one resource, and in the header Authorization alone", async () => {
    const { accessToken } = await connectApp(app, owner);
    const forApi = (await connectApp(app, owner, { resource: app.url })).accessToken;
    const mcp = (key: string | null, headers = {}, path = "/mcp") =>
      app.call("POST", path, { key, body: list, headers: { ...accept, ...headers } });
    expect((await mcp(accessToken)).status).toBe(200);
    expect((await mcp(forApi)).status).toBe(401);
    const wrong = await app.get("/v2/team/credit-usage", { key: accessToken });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer error="invalid_token", resource_metadata="${app.url}/.well-known/oauth-protected-resource"`,
    ]);
    expect((await app.get("/v2/team/credit-usage", { key: forApi })).status).toBe(200);
    expect((await mcp(null, {}, `/mcp?access_token=${accessToken}`)).status).toBe(401);
    const basic = { authorization: `Basic ${Buffer.from(`x:${forApi}`).toString("base64")}` };
    expect((await app.get("/v2/team/credit-usage", { key: null, headers: basic })).status).toBe(401);
    expect((await app.get("/v2/team/credit-usage", { key: null, headers: { "x-api-key": forApi } })).status).toBe(401);
    expect((await app.get("/dashboard/api/apps", { key: forApi })).status).not.toBe(200);
  });

  it("a client with a secret must send it, the way it registered", async () => {
    const made = await register(app, { token_endpoint_auth_method: "client_secret_basic" });
    const { client_id: id, client_secret: secret } = made.body;
    const code = (await allow(owner, await requestOf(app, id))).get("code") ?? "";
    const basic = (password: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${password}`).toString("base64")}`,
    });
    const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
    for (const [more, headers] of [
      [{ client_id: id }, {}],
      [{ client_id: id, client_secret: secret }, {}],
      [{}, basic("wrong")],
    ] as const) {
      const refused = await postForm(app, "/oauth/token", { ...fields, ...more }, headers);
      expect([refused.status, refused.body.error]).toEqual([401, "invalid_client"]);
    }
    const twice = await postForm(app, "/oauth/token", { ...fields, client_secret: secret }, basic(secret));
    expect(twice.body.error).toBe("invalid_request");
    expect((await postForm(app, "/oauth/token", fields, basic(secret))).status).toBe(200);
  });

  it("no Host header becomes an issuer, and without OAUTH or keys nothing is there", async () => {
    const raw = async (url: string, headers: Record<string, string> = {}) => {
      const { request } = await import("node:http");
      return new Promise<[number, string | undefined]>((done, failed) => {
        const sent = request(url, { headers }, (response) => {
          response.resume();
          done([response.statusCode ?? 0, [response.headers["www-authenticate"]].flat().join()]);
        });
        sent.on("error", failed).end();
      });
    };
    const path = "/.well-known/oauth-authorization-server";
    expect((await raw(app.url + path))[0]).toBe(200);
    expect((await raw(app.url + path, { host: "evil.example" }))[0]).toBe(404);
    expect((await raw(`${app.url}/v2/team/credit-usage`, { host: "evil.example" }))[1]).not.toContain(
      "resource_metadata",
    );
    for (const env of [
      { OAUTH: "0" },
      { TRAWL_AUTH: "none", TRAWL_API_KEYS: "" },
      { PUBLIC_URL: "http://a.example" },
    ]) {
      const without = await startApp(anyEngine, env);
      for (const each of [path, "/.well-known/oauth-protected-resource/mcp", "/oauth/authorize"])
        expect((await without.get(each)).status).toBe(404);
      expect((await without.call("POST", "/oauth/token", { body: {} })).status).toBe(404);
      await without.stop();
    }
    const published = await startApp(anyEngine, { PUBLIC_URL: "https://trawl.example", OAUTH_REGISTRATION: "0" });
    const { body } = await published.get(path);
    expect([body.issuer, body.registration_endpoint]).toEqual(["https://trawl.example", undefined]);
    expect((await register(published)).status).toBe(404);
    await published.stop();
  });

  it("is limited by address", async () => {
    const limited = await startApp(anyEngine, { OAUTH_REGISTRATIONS_PER_HOUR: "2" });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push(await register(limited));
    expect(statuses.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(Number(statuses[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
    const asked = await Promise.all(Array.from({ length: 130 }, () => postForm(limited, "/oauth/token", {})));
    expect(asked.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
    const opened = await Promise.all(Array.from({ length: 70 }, () => authorize(limited.url, "/oauth/authorize")));
    expect(opened.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
    await limited.stop();
  });

  it("finds no input that breaks the token endpoint, registration or authorization", async () => {
    const text = fc.string({ maxLength: 60, unit: "grapheme" });
    const names = [
      "grant_type",
      "code",
      "refresh_token",
      "client_id",
      "client_secret",
      "code_verifier",
      "scope",
      "resource",
    ];
    const form = fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...names), text),
        fc.oneof(text, fc.constantFrom("authorization_code", "refresh_token", clientId)),
      ),
      { maxLength: 8 },
    );
    const quiet = await startApp(anyEngine, settings);
    const wellFormed = ({ status, body }: { status: number; body: { error?: unknown } | null }) => {
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(typeof body?.error).toBe("string");
    };
    await fc.assert(
      fc.asyncProperty(form, fc.jsonValue({ maxDepth: 3 }), async (fields, json) => {
        const body = new URLSearchParams(fields).toString();
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        for (const path of ["/oauth/token", "/oauth/revoke"])
          wellFormed(await quiet.call("POST", path, { key: null, body, headers }));
        const object = typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
        wellFormed(
          await quiet.call("POST", "/oauth/register", {
            key: null,
            body: JSON.stringify(json),
            headers: { "content-type": "application/json" },
          }),
        );
        wellFormed(await register(quiet, object));
        const opened = await authorize(quiet.url, `/oauth/authorize?${body}`);
        expect(opened.status).toBeLessThan(500);
        expect(opened.headers.get("location")).toBeNull();
      }),
      { numRuns: propertyRuns(300) },
    );
    await quiet.stop();
  });
});
