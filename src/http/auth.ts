// Identifies the caller of a request by its API key, before the body is read.
import type { FastifyRequest } from "fastify";
import { dashboardName, type KeyHolder, keylessName, type SignedIn } from "../accounts/index.ts";
import { createIpList, remember, ServiceError } from "../base/index.ts";
import { type EndpointGroup, requireGroups, sessionCookieName } from "../contract/index.ts";
import { type FindApp, identifyApp } from "./issuer.ts";

export interface KeylessTeam {
  id: string;
  name: string;
  requestsPerMinute: number | null;
}

export interface Authentication {
  mode: "keys" | "none";
  identify(token: string): Promise<KeyHolder | null>;
  /** The team of requests without a key in open mode. */
  openTeam: KeylessTeam | null;
  /** Absent where no app can be connected. */
  findApp?: FindApp | undefined;
  /** From where keys and tokens of a team may be used. */
  findPolicy(teamId: string): Promise<{ ipRanges: readonly string[] }>;
  /** Whose session a cookie of the dashboard opens; absent where there is no dashboard. */
  findSession?(secret: string): Promise<SignedIn | null>;
}

/** Returns the holder or throws one of the 401 rows. */
export async function authenticate(
  request: FastifyRequest,
  authentication: Authentication,
  acceptsBasic = false,
): Promise<KeyHolder> {
  const token = readToken(request, acceptsBasic);
  const holder = token === null ? await identifySession(request, authentication) : null;
  return holder ?? identifyToken(token, request, authentication);
}

/** Throws for a key or token that may not be used from where the request comes. */
export async function requireAddress(
  { teamId, allowedIps = null }: KeyHolder,
  { ip }: Pick<FastifyRequest, "ip">,
  { findPolicy }: Authentication,
): Promise<void> {
  const { ipRanges } = await findPolicy(teamId);
  const lists = [allowedIps ?? [], ipRanges].filter((list) => list.length > 0);
  if (lists.every((list) => listOf(JSON.stringify(list)).has(ip))) return;
  throw new ServiceError("IP_NOT_ALLOWED");
}

const listOf = remember((ranges: string) => createIpList(JSON.parse(ranges) as string[]), 500);

const csrfHeader = "x-trawl-csrf";

/** Whether the dashboard itself sends the request: a link that is followed carries the cookie alone. */
export function hasSessionToken({ headers }: FastifyRequest): boolean {
  return headers[csrfHeader] !== undefined;
}

/** Somebody who is signed in to the dashboard; null without a cookie that opens a session. */
export async function identifySession(
  request: FastifyRequest,
  { findSession }: Authentication,
): Promise<KeyHolder | null> {
  const secret = readSessionCookie(request);
  const session = secret === null ? null : await findSession?.(secret);
  if (!session) return null;
  requireOwnPage(request, session);
  const { teamId, teamName, requestsPerMinute } = session;
  return { teamId, teamName, keyId: null, keyName: dashboardName, requestsPerMinute, session };
}

/** A browser sends the cookie with whatever page asks for it, so the page must be one of ours. */
function requireOwnPage({ headers, host, method }: FastifyRequest, { csrf }: SignedIn): void {
  const { origin, "sec-fetch-site": site, upgrade } = headers;
  const isForeign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
  const isCross = site !== undefined && site !== "same-origin" && site !== "none";
  // A handshake can carry no header of ours: it must name its origin.
  const isBlindSocket = upgrade !== undefined && origin === undefined;
  if (isForeign || isCross || isBlindSocket) {
    throw new ServiceError(
      "FORBIDDEN",
      "A dashboard session works only from the dashboard itself, not from pages of other origins.",
    );
  }
  if (method !== "GET" && method !== "HEAD" && headers[csrfHeader] !== csrf) {
    throw new ServiceError(
      "FORBIDDEN",
      `The header ${csrfHeader} is missing or belongs to another session. Reload the dashboard.`,
    );
  }
}

function readSessionCookie({ headers }: FastifyRequest): string | null {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [name = "", value = ""] = part.trim().split("=", 2);
    if (name === sessionCookieName && value !== "") return value;
  }
  return null;
}

/** Throws unless the caller may use the endpoints of a group. */
export function requireGroup(group: EndpointGroup | undefined, holder: KeyHolder, request: FastifyRequest): void {
  const { keyId, allowedGroups = null } = holder;
  const isKey = keyId !== null || allowedGroups !== null;
  if (isKey) requireGroups(allowedGroups, group);
  else if (group === "admin") requireSignedIn("owner", holder, request);
}

/** Throws unless the caller has permission: a person signed in with the role, or in open mode anyone on this machine. */
export function requireSignedIn(role: "member" | "owner", holder: KeyHolder, request: FastifyRequest): void {
  if (holder.keyId !== null)
    throw new ServiceError(
      "FORBIDDEN",
      "This needs a signed-in person; an API key is not enough. Sign in to the dashboard.",
    );
  if (!holder.session) requireLoopback(request);
  if (role === "owner" && holder.session && holder.session.role !== "owner") {
    throw new ServiceError("FORBIDDEN", "Only owners of the team can do this. Ask one of them.");
  }
}

/** Without sign-in the dashboard is there for this machine only. */
export function requireLoopback({ ip }: FastifyRequest): void {
  if (/^(?:127\.|::1$|::ffff:127\.)/.test(ip)) return;
  throw new ServiceError("FORBIDDEN", "With TRAWL_AUTH=none the dashboard opens only on the server's own machine.");
}

/** `keylessTeam`: whose request it is when it has no key. */
export async function identifyToken(
  token: string | null,
  request: FastifyRequest,
  authentication: Authentication,
  keylessTeam: KeylessTeam | null = null,
): Promise<KeyHolder> {
  const app = token ? await identifyApp(request, authentication.findApp) : null;
  if (app === null) return identifyKey(token, request, authentication, keylessTeam);
  await requireAddress(app, request, authentication);
  return app;
}

/** The same by a key alone, as for requests that no framework has read. */
export async function identifyKey(
  token: string | null,
  request: Pick<FastifyRequest, "ip">,
  authentication: Authentication,
  keylessTeam: KeylessTeam | null = null,
): Promise<KeyHolder> {
  const { identify, openTeam } = authentication;
  const holder = token ? await identify(token) : null;
  if (holder) {
    await requireAddress(holder, request, authentication);
    return holder;
  }
  if (openTeam) return keylessHolder(openTeam);
  if (!token && keylessTeam) return keylessHolder(keylessTeam);
  if (token === null) throw new ServiceError("UNAUTHORIZED");
  throw new ServiceError(token === "" ? "TOKEN_MISSING" : "TOKEN_INVALID");
}

/** null: no header; '': a header without a token. */
function readToken({ headers }: FastifyRequest, acceptsBasic: boolean): string | null {
  const { authorization } = headers;
  // Browsers cannot set headers on a WebSocket: the key is sent as the subprotocol.
  const protocol = headers["sec-websocket-protocol"];
  if (headers.upgrade !== undefined && protocol !== undefined && !/^\s*bearer\s/i.test(authorization ?? "")) {
    return protocol.split(",")[0]?.trim() ?? "";
  }
  if (authorization === undefined) return null;
  const [scheme = "", token = ""] = authorization.trim().split(/\s+/, 2);
  if (acceptsBasic && scheme.toLowerCase() === "basic") {
    return Buffer.from(token, "base64")
      .toString("utf8")
      .replace(/^[^:]*:/, "");
  }
  return scheme.toLowerCase() === "bearer" ? token : "";
}

function keylessHolder({ id, name, requestsPerMinute }: KeylessTeam): KeyHolder {
  return { teamId: id, teamName: name, keyId: null, keyName: keylessName, requestsPerMinute };
}
