// Where OAuth is spoken, and what a refused caller is told about it.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyHolder } from "../accounts/index.ts";
import type { ServiceError } from "../base/index.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether apps can be connected at all. */
    hasOauth: boolean;
  }
}

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/** The public URL, with https; without one only a host of this machine, because any other could be named by anyone. Null: none. */
export function issuerOf(request: FastifyRequest): string | null {
  const { publicUrl, hasOauth } = request.server;
  if (!hasOauth) return null;
  if (publicUrl !== null) return publicUrl.startsWith("https:") ? publicUrl : null;
  const url = `${request.protocol}://${request.host}`;
  return URL.canParse(url) && loopbackHosts.includes(new URL(url).hostname) ? url : null;
}

function resourcePath({ url }: FastifyRequest): "" | "/mcp" {
  return /^\/+mcp(?:[/?]|$)/.test(url) ? "/mcp" : "";
}

/** Finds whose token of OAuth a request carries, as far as it is one for what is asked. */
export type FindApp = (token: string, resource: string) => Promise<KeyHolder | null>;

/** Only in the header, as Bearer: a token elsewhere ends in logs. Null where it is no such token, or not good here. */
export async function identifyApp(request: FastifyRequest, findApp: FindApp | undefined): Promise<KeyHolder | null> {
  const [, token] = /^bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? "") ?? [];
  const issuer = token === undefined ? null : issuerOf(request);
  if (token === undefined || issuer === null || !findApp) return null;
  return findApp(token, issuer + resourcePath(request));
}

const unknownCaller = ["UNAUTHORIZED", "TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_EXPIRED"];

/** Tells a refused program where it gets a token, or which scopes its token lacks. */
export function addChallenge(error: ServiceError, request: FastifyRequest, reply: FastifyReply): void {
  const { code, details } = error as { code: string; details: unknown };
  const isUnknown = unknownCaller.includes(code);
  if (!(isUnknown || code === "INSUFFICIENT_SCOPE") || /^\/+(?:dashboard|oauth)\b/.test(request.url)) return;
  const issuer = issuerOf(request);
  if (issuer === null) return;
  const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource${resourcePath(request)}"`;
  const { required = [] } = (details ?? {}) as { required?: string[] };
  const scope = `error="insufficient_scope", scope="${required.join(" ")}", `;
  const why = isUnknown ? (code === "UNAUTHORIZED" ? "" : 'error="invalid_token", ') : scope;
  const own = [reply.getHeader("www-authenticate") ?? []].flat().map(String);
  const others = own.filter((value) => !value.startsWith("Bearer"));
  reply.header("www-authenticate", [...others, `Bearer ${why}${metadata}`]);
}
