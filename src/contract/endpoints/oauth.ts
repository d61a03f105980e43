// Apps that people connect: what the dashboard asks before and after, and the endpoints that apps themselves use.
import * as z from "zod";
import { nameField, success, time } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";
import { member } from "./dashboard-people.ts";

const client = z.object({ id: z.string(), name: z.string(), host: z.string() });
const scopes = z.array(z.string().max(64)).max(100);
const named = z.object({ id: z.string(), name: z.string() });
const done = z.object({ success });
const requestId = z.strictObject({ requestId: nameField("Id of the request") });

export const appEndpoints = [
  member("GET /dashboard/api/oauth/requests/{requestId}", "readAppRequest", "Get what an app asks for", {
    params: requestId,
    response: z.object({
      success,
      request: z.object({
        id: z.string(),
        client: client.extend({ verified: z.literal(false) }),
        redirectHost: z.string(),
        isLoopback: z.boolean(),
        scopes: z.array(z.object({ name: z.string(), description: z.string() })),
        resource: z.string(),
        teams: z.array(named),
        expiresAt: time,
      }),
    }),
    notFound: "OAUTH_REQUEST_NOT_FOUND",
  }),
  member("POST /dashboard/api/oauth/requests/{requestId}", "decideAppRequest", "Allow or deny what an app asks for", {
    params: requestId,
    body: z.strictObject({
      decision: z.enum(["allow", "deny"]),
      teamId: z.string().max(64).optional().describe("The team that it acts for; the one in view unless given"),
      scopes: scopes.optional().describe("Of those that it asked for; all unless given"),
    }),
    response: z.object({ success, redirectTo: z.string() }),
    notFound: "OAUTH_REQUEST_NOT_FOUND",
  }),
  member("GET /dashboard/api/apps", "listApps", "List the connected apps", {
    response: z.object({
      success,
      apps: z.array(
        z.object({
          id: z.string(),
          client,
          person: named,
          scopes: z.array(z.string()),
          resource: z.string(),
          createdAt: time,
          lastUsedAt: time.nullable(),
          expiresAt: time,
        }),
      ),
    }),
  }),
  member("DELETE /dashboard/api/apps/{appId}", "revokeApp", "Revoke the access of a connected app", {
    params: z.strictObject({ appId: nameField("Id of the app") }),
    response: done,
    notFound: "APP_NOT_FOUND",
  }),
];

const text = z.string();
const fault = z.object({ error: text, error_description: text });
const app = section({ tag: "OAuth", rateGroup: null, failure: fault });
const credentials = { client_id: text.optional(), client_secret: text.optional() };

/** As apps use them: they are described here, and served in the words of the protocol. */
export const oauthEndpoints = [
  app("GET /.well-known/oauth-protected-resource", "describeResource", "What an app must know of the API", {
    response: z.object({ resource: text, authorization_servers: z.array(text), scopes_supported: z.array(text) }),
  }),
  app("GET /.well-known/oauth-authorization-server", "describeIssuer", "What an app must know of OAuth here", {
    response: z.object({ issuer: text, authorization_endpoint: text, token_endpoint: text }),
  }),
  app("POST /oauth/register", "registerApp", "Register an app (RFC 7591)", {
    body: z.object({
      redirect_uris: z.array(text),
      client_name: text.optional(),
      token_endpoint_auth_method: text.optional(),
    }),
    response: z.object({ client_id: text, redirect_uris: z.array(text), client_secret: text.optional() }),
  }),
  app("POST /oauth/token", "exchangeToken", "Exchange a code or a refresh token", {
    bodyKind: "form",
    body: z.object({
      grant_type: z.enum(["authorization_code", "refresh_token"]),
      code: text.optional(),
      code_verifier: text.optional(),
      redirect_uri: text.optional(),
      refresh_token: text.optional(),
      scope: text.optional(),
      resource: text.optional(),
      ...credentials,
    }),
    response: z.object({
      access_token: text,
      token_type: text,
      expires_in: z.number(),
      refresh_token: text,
      scope: text,
    }),
  }),
  app("POST /oauth/revoke", "revokeToken", "Revoke a token (RFC 7009)", {
    bodyKind: "form",
    body: z.object({ token: text, ...credentials }),
    response: z.object({}),
  }),
];
