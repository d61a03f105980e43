// An app that connects itself by OAuth, step by step, and the person who allows it over HTTP.
import { createHash, randomBytes } from "node:crypto";
import { commandLine } from "../../src/accounts/index.ts";
import type { Answer, TestApp } from "./app.ts";

export interface SignedInPerson {
  cookie: string;
  csrf: string;
  /** Calls an endpoint of the dashboard as this person. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

const api = "/dashboard/api";

async function signInBy(app: TestApp, body: object): Promise<SignedInPerson> {
  const signedIn = await app.call("POST", `${api}/sign-in`, { key: null, body });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { csrf } = (await app.get(`${api}/session`, { key: null, headers: { cookie } })).body;
  return {
    cookie,
    csrf,
    ask: (method, path, sent, headers = {}) =>
      app.call(method, api + path, {
        key: null,
        headers: { cookie, "x-trawl-csrf": csrf, ...headers },
        ...(sent === undefined ? {} : { body: sent }),
      }),
  };
}

/** As the first owner of the team. */
export async function signInOwner(app: TestApp, team = app.team): Promise<SignedInPerson> {
  const { id } = await app.accounts.teams.findOrCreate(team);
  const { secret } = await app.accounts.people.createSignInLink(id);
  return signInBy(app, { link: secret });
}

export async function signInMember(app: TestApp, name: string, team = app.team): Promise<SignedInPerson> {
  const { id } = await app.accounts.teams.findOrCreate(team);
  const { secret } = await app.accounts.people.createInvitation(id, "member", commandLine);
  return signInBy(app, { link: secret, name });
}

export const redirectUri = "https://app.example/callback";
export const verifier = randomBytes(32).toString("base64url");
export const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");

export function register(app: Pick<TestApp, "call">, fields: object = {}): Promise<Answer> {
  const body = { redirect_uris: [redirectUri], client_name: "Test app", ...fields };
  return app.call("POST", "/oauth/register", { key: null, body });
}

type Parameters = Record<string, string | null>;

/** The URL that the app sends its person to; null leaves a parameter out. */
export function authorizePath(clientId: string, different: Parameters = {}): string {
  const usual = { response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "s 1&x" };
  const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: "S256" };
  const all = Object.entries<string | null>({ ...usual, ...pkce, ...different });
  return `/oauth/authorize?${new URLSearchParams(all.filter((each): each is [string, string] => each[1] !== null))}`;
}

/** Without following where it leads. */
export function authorize(url: string, path: string): Promise<Response> {
  return fetch(url + path, { redirect: "manual" });
}

export async function requestOf(app: Pick<TestApp, "url">, clientId: string, different?: Parameters): Promise<string> {
  const response = await authorize(app.url, authorizePath(clientId, different));
  return new URL(response.headers.get("location") ?? "", app.url).searchParams.get("request") ?? "";
}

/** Where the app is sent back to. */
export async function allow(person: SignedInPerson, requestId: string, body: object = {}): Promise<URLSearchParams> {
  const answer = await person.ask("POST", `/oauth/requests/${requestId}`, { decision: "allow", ...body });
  return new URL(answer.body.redirectTo).searchParams;
}

export function postForm(
  app: Pick<TestApp, "call">,
  path: string,
  fields: Parameters,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const given = Object.entries(fields).filter((each): each is [string, string] => each[1] !== null);
  return app.call("POST", path, {
    key: null,
    body: new URLSearchParams(given).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

export function exchange(app: Pick<TestApp, "call">, clientId: string, code: string, different: Parameters = {}) {
  const fields = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  return postForm(app, "/oauth/token", { ...fields, client_id: clientId, ...different });
}

export function renew(app: Pick<TestApp, "call">, clientId: string, refreshToken: string, different: Parameters = {}) {
  const fields = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId };
  return postForm(app, "/oauth/token", { ...fields, ...different });
}

/** An app that is connected, with its tokens. */
export async function connectApp(app: TestApp, person: SignedInPerson, different: Parameters = {}) {
  const clientId: string = (await register(app)).body.client_id;
  const code = (await allow(person, await requestOf(app, clientId, different))).get("code") ?? "";
  const { body } = await exchange(app, clientId, code);
  return { clientId, code, accessToken: String(body.access_token), refreshToken: String(body.refresh_token), body };
}
