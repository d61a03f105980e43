// Signing in by an identity provider: a real one, and one that lies.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { startTokenProvider } from "../support/token-provider.ts";

const { Provider } = (await import(
  createRequire(new URL("../clients/package.json", import.meta.url)).resolve("oidc-provider")
)) as {
  // biome-ignore lint/suspicious/noExplicitAny: the package has no types of its own
  Provider: any;
};

const secret = "a secret of the client that is long enough to sign with";
const settings = {
  CHROMIUM_PATH: "/nowhere/chromium",
  OIDC_CLIENT_ID: "trawl",
  OIDC_CLIENT_SECRET: secret,
  OIDC_ALLOWED_DOMAINS: "corp.example",
  OIDC_TEAM: "company",
  OIDC_ROLE_CLAIM: "access.groups",
  OIDC_OWNER_VALUES: "admins",
};

const cookiesOf = (response: Response) =>
  new Map(
    response.headers.getSetCookie().map((line) => (line.split(";", 1)[0] ?? "").split(/=(.*)/s, 2) as [string, string]),
  );
const noted = (jar: Map<string, string>) => Array.from(jar, ([name, value]) => `${name}=${value}`).join("; ");
const visit = (url: string, cookie = "") => fetch(url, { redirect: "manual", headers: { cookie } });

async function begin(app: TestApp, returnTo = "/dashboard/keys") {
  const response = await visit(`${app.url}/dashboard/sign-in/oidc?returnTo=${encodeURIComponent(returnTo)}`);
  const cookie = response.headers.getSetCookie()[0] ?? "";
  return { status: response.status, url: response.headers.get("location") ?? "", cookie };
}

async function finish(url: string, cookie: string) {
  const response = await visit(url, cookie.split(";", 1)[0]);
  const session = cookiesOf(response).get("trawl_session");
  return { status: response.status, to: response.headers.get("location"), session };
}

describe("a real identity provider", () => {
  const people: Record<string, object> = {
    ann: { name: "Ann", email: "ann@corp.example", email_verified: true, access: { groups: ["admins"] } },
    bob: { name: "Bob", email: "bob@corp.example", email_verified: true, access: { groups: "staff" } },
    twin: { name: "Twin", email: "bob@corp.example", email_verified: true },
    sub: { name: "Sub", email: "eve@sub.corp.example", email_verified: true },
    unsure: { name: "Unsure", email: "eve@corp.example", email_verified: false },
  };
  let who = "ann";
  let app: TestApp;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let provider: any;
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void provider.callback()(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: who } });
  });

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app = await startApp(anyEngine, { ...settings, OIDC_ISSUER: issuer });
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: "trawl",
          client_secret: secret,
          redirect_uris: [`${app.url}/dashboard/sign-in/oidc/callback`],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      claims: { openid: ["sub", "access"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      cookies: { keys: ["a key of the test"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...people[id] }),
      }),
      // biome-ignore lint/suspicious/noExplicitAny: as above
      async loadExistingGrant({ oidc }: any) {
        const grant = new oidc.provider.Grant({ clientId: "trawl", accountId: oidc.session.accountId });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
  });
  afterAll(async () => {
    await app.stop();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  /** Follows the provider's own redirects, as a browser would, to the URL that leads back. */
  async function signInAt(url: string, name: string): Promise<string> {
    who = name;
    const jar = new Map<string, string>();
    for (let at = url, steps = 0; steps < 8; steps += 1) {
      if (at.startsWith(app.url)) return at;
      const response = await visit(at, noted(jar));
      for (const [key, value] of cookiesOf(response)) jar.set(key, value);
      at = new URL(response.headers.get("location") ?? "", at).href;
    }
    throw new Error("the provider did not lead back");
  }

  async function signIn(name: string) {
    const { url, cookie } = await begin(app);
    return finish(await signInAt(url, name), cookie);
  }

  const session = async (value: string | undefined) =>
    (await app.get("/dashboard/api/session", { key: null, headers: { cookie: `trawl_session=${value}` } })).body;

  it("signs people in to its team, in the role of their claim, and back to where they were", async () => {
    expect((await app.get("/dashboard/api/sign-in/methods", { key: null })).body).toEqual({
      success: true,
      ...{ password: true, passkey: true, oidc: { name: "Company account" } },
    });
    const begun = await begin(app);
    expect(begun.status).toBe(302);
    expect(begun.cookie).toMatch(/^trawl_oidc=.+; Path=\/dashboard\/sign-in; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const asked = new URL(begun.url).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    const ann = await finish(await signInAt(begun.url, "ann"), begun.cookie);
    expect(ann).toMatchObject({ status: 303, to: "/dashboard/keys" });
    expect(await session(ann.session)).toMatchObject({
      person: { name: "Ann", signInName: "ann@corp.example", hasPassword: false },
      ...{ role: "owner", team: { name: "company" } },
    });
    const bob = await session((await signIn("bob")).session);
    expect(bob.role).toBe("member");
    // The same person again, and another one with the same email.
    expect((await session((await signIn("bob")).session)).person.id).toBe(bob.person.id);
    const twin = await session((await signIn("twin")).session);
    expect(twin.person).toMatchObject({ signInName: null });
    expect(twin.person.id).not.toBe(bob.person.id);
  });

  it("lets in verified emails of its domains only, and nobody whom an owner has removed", async () => {
    for (const name of ["sub", "unsure"])
      expect(await signIn(name), name).toEqual({ status: 303, to: "/dashboard/sign-in?error=oidc_refused" });
    const teamId = (await app.accounts.teams.find("company"))?.id ?? "";
    const [bob] = (await app.accounts.people.listPeople(teamId)).filter(({ name }) => name === "Bob");
    await app.accounts.people.remove(teamId, bob?.id ?? "", { type: "cli", id: null, name: "cli" });
    expect((await signIn("bob")).to).toBe("/dashboard/sign-in?error=oidc_refused");
    const { rows } = await app.accounts.audit.page(teamId, { limit: 100, action: "person.*" });
    const acts = rows.map(({ action }) => action);
    for (const act of ["joined", "signed_in", "sign_in_failed", "removed"]) expect(acts).toContain(`person.${act}`);
  });

  it("takes an answer once, from the browser that asked, with its state and issuer", async () => {
    const { url, cookie } = await begin(app);
    const back = await signInAt(url, "ann");
    const expired = { status: 303, to: "/dashboard/sign-in?error=oidc_expired" };
    expect(await finish(back, "")).toEqual(expired);
    expect(await finish(back, "trawl_oidc=v1.forged")).toEqual(expired);
    expect((await finish(back, cookie)).session).toBeDefined();
    expect(await finish(back, cookie)).toEqual(expired);
    const failed = { status: 303, to: "/dashboard/sign-in?error=oidc_failed" };
    for (const [name, value] of [
      ["state", "another"],
      ["iss", "https://evil.example"],
      ["code", "another"],
    ] as const) {
      const next = await begin(app);
      const changed = new URL(await signInAt(next.url, "ann"));
      changed.searchParams.set(name, value);
      expect(await finish(changed.href, next.cookie), name).toEqual(failed);
    }
    const other = await begin(app);
    // The answer to another browser's request.
    expect(await finish(await signInAt((await begin(app)).url, "ann"), other.cookie)).toEqual(failed);
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/dashboard//evil.example",
    "/dashboardx",
    "/dashboard/\\evil",
    "/\t/evil",
  ])("leads to the dashboard and not to %j", async (returnTo) => {
    const { url, cookie } = await begin(app, returnTo);
    expect((await finish(await signInAt(url, "ann"), cookie)).to).toBe("/dashboard");
  });
});

describe("an identity provider that lies", () => {
  let app: TestApp;
  let provider: Awaited<ReturnType<typeof startTokenProvider>>;
  beforeAll(async () => {
    provider = await startTokenProvider();
    app = await startApp(anyEngine, { ...settings, OIDC_ISSUER: provider.url, OIDC_ONLY: "1" });
  });
  afterAll(async () => {
    await app.stop();
    await provider.close();
  });

  async function signInWith(token: Parameters<typeof provider.give>[0]) {
    const { url, cookie } = await begin(app);
    provider.give(token, url);
    const state = new URL(url).searchParams.get("state");
    return finish(`${app.url}/dashboard/sign-in/oidc/callback?code=c&state=${state}`, cookie);
  }
  const seconds = () => Math.floor(Date.now() / 1000);

  it("is believed within 30 seconds of the clock", async () => {
    expect((await signInWith({})).session).toBeDefined();
    expect((await signInWith({ claims: { exp: seconds() - 20 } })).session).toBeDefined();
  });

  it.each([
    ["a key that it does not publish", () => ({ sign: provider.withOtherKey })],
    ["the client's secret as a key", () => ({ sign: (claims: object) => provider.withSecret({ ...claims }, secret) })],
    ["no signature", () => ({ sign: provider.unsigned })],
    ["another issuer", () => ({ claims: { iss: "https://other.example" } })],
    ["another client", () => ({ claims: { aud: "other" } })],
    ["another party among several", () => ({ claims: { aud: ["trawl", "other"], azp: "other" } })],
    ["another nonce", () => ({ claims: { nonce: "other" } })],
    ["an end that is past", () => ({ claims: { exp: seconds() - 60 } })],
    ["no subject", () => ({ claims: { sub: undefined } })],
  ])("is not believed with %s", async (_name, token) => {
    expect(await signInWith(token())).toEqual({ status: 303, to: "/dashboard/sign-in?error=oidc_failed" });
  });

  it("is the only way in besides links of the operator where the operator wants that", async () => {
    const password = { signInName: "eve", password: "long enough to be one" };
    const post = (body: object) => app.call("POST", "/dashboard/api/sign-in", { key: null, body });
    expect((await post(password)).status).toBe(403);
    const { id } = await app.accounts.teams.findOrCreate("company");
    expect((await post({ link: (await app.accounts.people.createSignInLink(id)).secret })).status).toBe(200);
  });
});
