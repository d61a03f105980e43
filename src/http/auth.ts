// Identifies the caller of a request by its API key, before the body is read.
import type { FastifyRequest } from "fastify";
import { type KeyHolder, keylessName } from "../accounts/index.ts";
import { ServiceError } from "../base/index.ts";

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
}

/** Returns the holder or throws one of the 401 rows. */
export async function authenticate(
  request: FastifyRequest,
  authentication: Authentication,
  acceptsBasic = false,
): Promise<KeyHolder> {
  return identifyToken(readToken(request, acceptsBasic), authentication);
}

/** `keylessTeam`: whose request it is when it has no key. */
export async function identifyToken(
  token: string | null,
  { identify, openTeam }: Authentication,
  keylessTeam: KeylessTeam | null = null,
): Promise<KeyHolder> {
  const holder = token ? await identify(token) : null;
  if (holder) return holder;
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
