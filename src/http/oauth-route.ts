// What apps ask by the words of OAuth: the documents, registration, authorization, tokens. Faults leave in those words, too.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isObject, ServiceError } from "../base/index.ts";
import { type Oauth, OauthFault, UnanswerableRequest } from "../oauth/index.ts";
import { pagePolicy } from "./built-in-pages.ts";
import { prepareError } from "./error-response.ts";
import { issuerOf } from "./issuer.ts";

const largestBody = 64 * 1024;
const open = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };
const kept = { ...open, "cache-control": "public, max-age=300" };
/** What pages of any origin may ask: nothing of it works by a cookie. */
const openPaths = /^\/+(?:\.well-known\/oauth-|oauth\/(?:token|revoke|register))/;
const preflight = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
  "access-control-max-age": "600",
};

export function addOauth(app: FastifyInstance, oauth: Oauth): void {
  app.addHook("onRequest", async (request, reply) => {
    if (openPaths.test(request.url) && issuerOf(request) !== null) reply.headers(open);
  });
  addDocuments(app, oauth);
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      async (_request: unknown, text: string | Buffer) => new URLSearchParams(String(text)),
    );
    scope.setErrorHandler(sendFault);
    addEndpoints(scope, oauth);
  });
}

function addDocuments(app: FastifyInstance, oauth: Oauth): void {
  const documents = {
    "/.well-known/oauth-protected-resource": (base: string) => oauth.describeResource(base, ""),
    "/.well-known/oauth-protected-resource/mcp": (base: string) => oauth.describeResource(base, "/mcp"),
    "/.well-known/oauth-authorization-server": oauth.describeServer,
  };
  for (const [path, describe] of Object.entries(documents)) {
    app.get(path, async (request, reply) => reply.headers(kept).send(describe(requireIssuer(request))));
    answerPreflight(app, path);
  }
}

function addEndpoints(scope: FastifyInstance, oauth: Oauth): void {
  const limits = { bodyLimit: largestBody };
  scope.get("/oauth/authorize", async (request, reply) => {
    const base = requireIssuer(request);
    await oauth.countRequest("authorize", request.ip);
    const [, query = ""] = /\?(.*)$/s.exec(request.url) ?? [];
    return reply.redirect(await oauth.consent.begin(new URLSearchParams(query), base), 303);
  });
  if (oauth.hasRegistration) {
    scope.post("/oauth/register", limits, async (request, reply) => {
      requireIssuer(request);
      if (!isObject(request.body)) throw new OauthFault("invalid_client_metadata", "The body must be a JSON object.");
      return reply.status(201).send(await oauth.register(request.body, request.ip));
    });
    answerPreflight(scope, "/oauth/register");
  }
  scope.post("/oauth/token", limits, async (request, reply) => {
    const base = requireIssuer(request);
    await oauth.countRequest("token", request.ip);
    const fields = formOf(request);
    return reply.send(
      await oauth.tokens.exchange(fields, credentialsOf(request, fields), { base, ...originOf(request) }),
    );
  });
  scope.post("/oauth/revoke", limits, async (request, reply) => {
    requireIssuer(request);
    await oauth.countRequest("token", request.ip);
    const fields = formOf(request);
    await oauth.tokens.revoke(fields, credentialsOf(request, fields), originOf(request));
    return reply.send({});
  });
  for (const path of ["/oauth/token", "/oauth/revoke"]) answerPreflight(scope, path);
}

function answerPreflight(app: FastifyInstance, path: string): void {
  app.options(path, async (request, reply) => {
    requireIssuer(request);
    return reply.status(204).headers(preflight).send();
  });
}

/** Throws 404 where apps cannot be connected. */
function requireIssuer(request: FastifyRequest): string {
  const issuer = issuerOf(request);
  if (issuer !== null) return issuer;
  throw new ServiceError("NOT_FOUND", "Apps cannot be connected here. See docs/doors.md.");
}

function originOf({ ip, id: requestId }: FastifyRequest) {
  return { ip, requestId };
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  if (body instanceof URLSearchParams) return body;
  throw new OauthFault("invalid_request", "The body must be a form: application/x-www-form-urlencoded.");
}

/** In the body or in HTTP Basic, but not in both. */
function credentialsOf({ headers }: FastifyRequest, fields: URLSearchParams) {
  const [id, secret] = [fields.get("client_id"), fields.get("client_secret")];
  const [, basic] = /^basic\s+(\S+)\s*$/i.exec(headers.authorization ?? "") ?? [];
  if (basic === undefined) return { id, secret, isBasic: false };
  const [name = "", ...rest] = Buffer.from(basic, "base64").toString().split(":");
  const sent = { id: decoded(name), secret: decoded(rest.join(":")), isBasic: true };
  if (secret !== null || (id !== null && id !== sent.id))
    throw new OauthFault("invalid_request", "The client names itself twice.");
  return sent;
}

function decoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll("&", "%26")}`).get("text") ?? "";
}

function sendFault(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (thrown instanceof UnanswerableRequest) {
    void reply
      .status(400)
      .header("content-security-policy", pagePolicy)
      .type("text/html; charset=utf-8")
      .send(pageOf(thrown.message));
    return;
  }
  if (thrown instanceof OauthFault) {
    const { status, code, message } = thrown;
    if (code === "invalid_client") reply.header("www-authenticate", 'Basic realm="Trawl"');
    void reply.status(status).send({ error: code, error_description: message });
    return;
  }
  const error = prepareError(thrown, request, reply);
  const isRegistration = request.routeOptions.url === "/oauth/register";
  const bad = isRegistration ? "invalid_client_metadata" : "invalid_request";
  const code = error.status >= 500 ? "server_error" : error.status === 429 ? "temporarily_unavailable" : bad;
  const status = error.status === 415 ? 400 : error.status;
  void reply.status(status).send({ error: code, error_description: error.message });
}

/** In our own words: nothing of the request is in it. */
function pageOf(message: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>This app cannot be connected</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}</style>
<main><h1>This app cannot be connected</h1><p>${message}</p><p>Nothing was allowed. Go back to the app and try again, or tell its makers.</p></main></html>`;
}
