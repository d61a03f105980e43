// Codes and refresh tokens become access tokens. Each is good once; one that comes again is in wrong hands, so what it gave ends.
import { createHash, timingSafeEqual } from "node:crypto";
import { type Clock, dayMs, minuteMs, sha256 } from "../base/index.ts";
import { appHash, type GrantedToken, type OauthCodeRow, type Store } from "../store/index.ts";
import type { AppOrigin, ConnectedApps } from "./app-grants.ts";
import { appName, type ClientCredentials, type OauthClients } from "./oauth-clients.ts";
import { OauthFault } from "./oauth-fault.ts";
import { makeSecret } from "./oauth-secrets.ts";
import { readResource, readScope, scopesOf, scopeText } from "./scopes.ts";

export interface TokenOptions {
  accessMinutes: number;
  refreshDays: number;
}

export interface TokenDeps {
  store: Store;
  clock: Clock;
  clients: OauthClients;
  apps: Pick<ConnectedApps, "end">;
}

export interface TokenRequest extends AppOrigin {
  /** The issuer. */
  base: string;
}

type Statements = Pick<Store, "oauth">;

export function createTokenEndpoint({ store, clock, clients, apps }: TokenDeps, options: TokenOptions) {
  async function issue({ oauth }: Statements, grantId: string, scope: string) {
    const now = clock.now();
    const [access, refresh] = [makeSecret("access"), makeSecret("refresh")];
    const ends = { access: now + options.accessMinutes * minuteMs, refresh: now + options.refreshDays * dayMs };
    const common = { grantId, scope, createdAt: now, usedAt: null };
    await oauth.addTokens([
      { hash: access.hash, kind: "access", expiresAt: ends.access, ...common },
      { hash: refresh.hash, kind: "refresh", expiresAt: ends.refresh, ...common },
    ]);
    await oauth.extendGrant(grantId, ends.refresh);
    return {
      access_token: access.text,
      token_type: "Bearer",
      expires_in: options.accessMinutes * 60,
      refresh_token: refresh.text,
      scope,
    };
  }

  /** A grant and the row of keys under which it is counted. */
  async function addGrant({ oauth, keys }: Pick<Store, "oauth" | "keys">, code: OauthCodeRow): Promise<void> {
    const { grantId: id, teamId, personId, clientId, clientName, clientHost, scope, resource } = code;
    const createdAt = clock.now();
    const about = { teamId, personId, clientId, clientName, clientHost, scope, resource };
    await oauth.addGrant({ id, ...about, createdAt, expiresAt: createdAt, revokedAt: null });
    await keys.insert({ id, teamId, name: appName(clientName), hash: appHash(id), lastFour: "", createdAt });
  }

  async function exchangeCode(fields: URLSearchParams, clientId: string, { base, ...origin }: TokenRequest) {
    const code = await store.oauth.findCode(sha256(required(fields, "code")));
    const verifier = required(fields, "code_verifier");
    if (code === null || code.clientId !== clientId) throw badGrant();
    if (code.usedAt !== null) {
      await apps.end(code.grantId, "oauth.token_reused", origin);
      throw badGrant();
    }
    const isFit = code.expiresAt > clock.now() && code.redirectUri === fields.get("redirect_uri");
    if (!isFit || !isChallenge(verifier, code.challenge)) throw badGrant();
    requireResource(fields, code.resource, base);
    const isMember = (await store.people.listTeams(code.personId)).some(({ teamId }) => teamId === code.teamId);
    if (!isMember) throw badGrant();
    const made = await store.transaction(async (statements) => {
      if (!(await statements.oauth.useCode(code.hash, clock.now()))) return null;
      await addGrant(statements, code);
      return issue(statements, code.grantId, code.scope);
    });
    if (made !== null) return made;
    await apps.end(code.grantId, "oauth.token_reused", origin);
    throw badGrant();
  }

  async function refresh(fields: URLSearchParams, clientId: string, { base, ...origin }: TokenRequest) {
    const token = await store.oauth.findToken(sha256(required(fields, "refresh_token")));
    if (token?.kind !== "refresh" || token.clientId !== clientId) throw badGrant();
    if (token.usedAt !== null) {
      await apps.end(token.grantId, "oauth.token_reused", origin);
      throw badGrant();
    }
    if (token.expiresAt <= clock.now()) throw badGrant();
    requireResource(fields, token.resource, base);
    const scope = scopeText(shrunkScope(fields.get("scope"), token));
    const made = await store.transaction(async (statements) => {
      if (!(await statements.oauth.useToken(token.hash, clock.now()))) return null;
      return issue(statements, token.grantId, scope);
    });
    if (made !== null) return made;
    await apps.end(token.grantId, "oauth.token_reused", origin);
    throw badGrant();
  }

  return {
    async exchange(fields: URLSearchParams, credentials: ClientCredentials, request: TokenRequest) {
      requireSingle(fields);
      const type = required(fields, "grant_type");
      if (type !== "authorization_code" && type !== "refresh_token")
        throw new OauthFault("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
      const clientId = await clients.authenticate(credentials);
      return type === "refresh_token" ? refresh(fields, clientId, request) : exchangeCode(fields, clientId, request);
    },

    /** Nothing happens for a token that is unknown or another client's. */
    async revoke(fields: URLSearchParams, credentials: ClientCredentials, origin: AppOrigin): Promise<void> {
      requireSingle(fields);
      const hash = sha256(required(fields, "token"));
      const clientId = await clients.authenticate(credentials);
      const token = await store.oauth.findToken(hash);
      if (token?.clientId !== clientId) return;
      if (token.kind === "refresh") await apps.end(token.grantId, "oauth.revoked", origin);
      else await store.oauth.removeToken(hash, "access");
    },
  };
}

function badGrant(): OauthFault {
  return new OauthFault("invalid_grant", "It is unknown, used, expired, or another client's.");
}

function required(fields: URLSearchParams, name: string): string {
  const value = fields.get(name);
  if (value === null || value === "") throw new OauthFault("invalid_request", `${name} is missing.`);
  return value;
}

function requireSingle(fields: URLSearchParams): void {
  const names = [...fields.keys()].filter((name) => name !== "resource");
  if (new Set(names).size < names.length) throw new OauthFault("invalid_request", "A parameter comes twice.");
}

function requireResource(fields: URLSearchParams, allowed: string, base: string): void {
  const sent = fields.getAll("resource");
  if (sent.length > 0 && readResource(sent, base) !== allowed)
    throw new OauthFault("invalid_target", "Another resource was allowed.");
}

/** Of what the token has; a scope that it lacks is refused. */
function shrunkScope(text: string | null, token: GrantedToken): string[] {
  const had = scopesOf(token.scope);
  const words = scopesOf(text ?? "");
  if (words.some((name) => !had.includes(name) && name !== "offline_access"))
    throw new OauthFault("invalid_scope", "This scope was not allowed.");
  return readScope(text, had);
}

/** PKCE: the one who exchanges the code is the one who asked for it. */
function isChallenge(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const made = createHash("sha256").update(verifier).digest("base64url");
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}
