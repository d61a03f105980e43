// Sign-in by the company's identity provider: the way there and the way back.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../base/index.ts";
import { sessionCookieText } from "../contract/index.ts";

export interface ProviderSignInDeps {
  provider: {
    begin(redirectUri: string, returnTo: string): Promise<{ url: string; cookie: string } | null>;
    finish(
      callback: URL,
      cookie: string | null,
      origin: { ip: string; requestId: string },
    ): Promise<{ session: { secret: string; expiresAt: number }; returnTo: string } | string>;
  } | null;
  publicUrl: string | null;
}

const path = "/dashboard/sign-in";
const cookieName = "trawl_oidc";
const cookieSeconds = 600;

export function addProviderSignIn(app: FastifyInstance, { provider, publicUrl }: ProviderSignInDeps): void {
  const baseOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;

  function cookieText(base: string, value: string, seconds: number): string {
    const flags = `Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
    return `${cookieName}=${value}; ${flags}${base.startsWith("https:") ? "; Secure" : ""}`;
  }

  function fail(reply: FastifyReply, base: string, code: string): FastifyReply {
    return reply.header("set-cookie", cookieText(base, "", 0)).redirect(`${path}?error=${code}`, 303);
  }

  app.get(`${path}/oidc`, async (request, reply) => {
    if (provider === null) throw new ServiceError("NOT_FOUND");
    const base = baseOf(request);
    const begun = await provider.begin(`${base}${path}/oidc/callback`, ownPath((request.query as Query).returnTo));
    if (begun === null) return fail(reply, base, "oidc_failed");
    const cookie = cookieText(base, begun.cookie, cookieSeconds);
    return reply.header("cache-control", "no-store").header("set-cookie", cookie).redirect(begun.url, 302);
  });

  app.get(`${path}/oidc/callback`, async (request, reply) => {
    if (provider === null) throw new ServiceError("NOT_FOUND");
    const base = baseOf(request);
    const search = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : "";
    const callback = new URL(`${base}${path}/oidc/callback${search}`);
    const found = await provider.finish(callback, readCookie(request), { ip: request.ip, requestId: request.id });
    if (typeof found === "string") return fail(reply, base, found);
    const { session, returnTo } = found;
    const cookies = [sessionCookieText({ ...session, isSecure: base.startsWith("https:") }), cookieText(base, "", 0)];
    return reply.header("cache-control", "no-store").header("set-cookie", cookies).redirect(returnTo, 303);
  });
}

interface Query {
  returnTo?: string | string[];
}

/** A page of the dashboard, and nothing that a browser could take for another origin. */
export function ownPath(text: string | string[] | undefined): string {
  const isOwn = typeof text === "string" && /^\/dashboard(?:[/?]|$)/.test(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers strip them, and what is left may name another origin
  return isOwn && text.length <= 2048 && !/\/\/|\\|[\u0000-\u0020\u007f-\uffff]/.test(text) ? text : "/dashboard";
}

function readCookie({ headers }: FastifyRequest): string | null {
  for (const part of (headers.cookie ?? "").split(";")) {
    const [name = "", value = ""] = part.trim().split("=", 2);
    if (name === cookieName && value !== "") return value;
  }
  return null;
}
