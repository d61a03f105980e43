// A request of an app, from the moment it comes to a person's decision.
import { type Actor, auditRow } from "../accounts/index.ts";
import { type Clock, minuteMs, newId, refusedField, ServiceError } from "../base/index.ts";
import type { OauthClientRow, OauthCodeRow, OauthRequestRow, Store } from "../store/index.ts";
import { type OauthClients, shownClient } from "./oauth-clients.ts";
import { OauthFault, type OauthFaultCode } from "./oauth-fault.ts";
import { makeSecret } from "./oauth-secrets.ts";
import { isLoopbackRedirect, isRedirectUri, isSameRedirect, redirectHost, withParameters } from "./redirect-uris.ts";
import { readResource, readScope, scopeDescriptions, scopesOf, scopeText } from "./scopes.ts";

const requestMs = 10 * minuteMs;
const codeMs = minuteMs;
const longestState = 4096;
export type Given = Pick<OauthCodeRow, "grantId" | "personId" | "teamId" | "scope">;

/** Who decides, and for which team. */
export interface AppDecision {
  personId: string;
  teamId: string;
  base: string;
  by: Actor;
}

/** The app cannot be told: its person reads it on a page here. */
export class UnanswerableRequest extends Error {}

export interface ConsentDeps {
  store: Store;
  clock: Clock;
  clients: OauthClients;
}

export function createConsent({ store, clock, clients }: ConsentDeps) {
  async function requireClient(parameters: URLSearchParams): Promise<OauthClientRow | "document"> {
    const [ids, uris] = [parameters.getAll("client_id"), parameters.getAll("redirect_uri")];
    const [id = "", uri = ""] = [ids[0], uris[0]];
    const client = ids.length === 1 ? await clients.find(id) : null;
    if (client === null) throw new UnanswerableRequest("This server does not know the app that sent you here.");
    const isOwn = client === "document" ? isRedirectUri(uri) : isOneOf(client, uri);
    if (uris.length !== 1 || !isOwn)
      throw new UnanswerableRequest("The app that sent you here named an address to return to that is not its own.");
    return client;
  }

  /** With its client, as it is now. */
  async function requireRequest(id: string) {
    const request = await store.oauth.findRequest(id, clock.now());
    if (request === null) throw new ServiceError("OAUTH_REQUEST_NOT_FOUND");
    const client = await clients.load(request.clientId);
    if (!isOneOf(client, request.redirectUri)) throw new ServiceError("OAUTH_CLIENT_INVALID");
    return { request, client };
  }

  async function makeCode(request: OauthRequestRow, client: OauthClientRow, given: Given, by: Actor): Promise<string> {
    const now = clock.now();
    const { text, hash } = makeSecret("code");
    const { clientId, redirectUri, resource, challenge } = request;
    const { name: clientName, host: clientHost } = shownClient(client, redirectUri);
    const times = { createdAt: now, expiresAt: now + codeMs, usedAt: null };
    await store.transaction(async ({ oauth, audit }) => {
      if (!(await oauth.takeRequest(request.id))) throw new ServiceError("OAUTH_REQUEST_NOT_FOUND");
      await oauth.markAllowed(clientId, now);
      const asked = { clientId, clientName, clientHost, redirectUri, resource, challenge };
      await oauth.addCode({ hash, ...asked, ...given, ...times });
      const app: Actor = { type: "app", id: clientId, name: clientName };
      // A team learns of a client when it first allows one: before, it belongs to no team.
      const first =
        client.allowedAt === null ? [decisionRow("oauth.client_registered", request, client, given, app)] : [];
      await audit.add([...first, decisionRow("oauth.granted", request, client, given, by)]);
    });
    return text;
  }

  function decisionRow(
    action: "oauth.client_registered" | "oauth.granted" | "oauth.denied",
    { clientId: id, resource }: OauthRequestRow,
    { name }: OauthClientRow,
    { teamId, scope }: Pick<Given, "teamId" | "scope">,
    by: Actor,
  ) {
    const details = { scopes: scopesOf(scope), resource };
    return auditRow(teamId, by, clock.now(), { action, target: { type: "client", id, name }, details });
  }

  return {
    /** The page that asks a person, or the redirect that tells the app what is wrong. */
    async begin(parameters: URLSearchParams, base: string): Promise<string> {
      const client = await requireClient(parameters);
      const redirectUri = parameters.get("redirect_uri") ?? "";
      const state = parameters.get("state");
      try {
        const asked = readRequest(parameters, base);
        const now = clock.now();
        const id = makeSecret("code").text.slice("trawl_ac_".length);
        const times = { createdAt: now, expiresAt: now + requestMs };
        const clientId = parameters.get("client_id") ?? "";
        await store.oauth.addRequest({ id, clientId, redirectUri, state, ...asked, ...times });
        return `${base}/dashboard/consent?request=${id}`;
      } catch (error) {
        if (!(error instanceof OauthFault)) throw error;
        // Whether the redirect URI is its own is known when its document has been read, which waits for a person who is signed in.
        if (client === "document")
          throw new UnanswerableRequest(`The app asked in a way that is wrong: ${error.message}`);
        return faultRedirect(redirectUri, error.code, state, base);
      }
    },

    async show(id: string, teams: { id: string; name: string }[]) {
      const { request, client } = await requireRequest(id);
      return {
        id,
        client: { ...shownClient(client, request.redirectUri), verified: false as const },
        redirectHost: redirectHost(request.redirectUri),
        isLoopback: isLoopbackRedirect(request.redirectUri),
        scopes: scopesOf(request.scope).map((name) => ({ name, description: scopeDescriptions[name] ?? "" })),
        resource: request.resource,
        teams,
        expiresAt: request.expiresAt,
      };
    },

    async allow(
      id: string,
      { teamId, scopes, base, personId, by }: AppDecision & { scopes: readonly string[] | undefined },
    ): Promise<string> {
      const { request, client } = await requireRequest(id);
      const asked = scopesOf(request.scope);
      const allowed = scopes ?? asked;
      if (allowed.length === 0 || allowed.some((name) => !asked.includes(name)))
        throw refusedField(["scopes"], "Must be of those that the app asked for");
      const scope = scopeText(asked.filter((name) => allowed.includes(name)));
      const grantId = newId(clock.now());
      const code = await makeCode(request, client, { grantId, personId, teamId, scope }, by);
      return withParameters(request.redirectUri, { code, state: request.state, iss: base });
    },

    async deny(id: string, { teamId, base, by }: AppDecision): Promise<string> {
      const { request, client } = await requireRequest(id);
      await store.transaction(async ({ oauth, audit }) => {
        if (!(await oauth.takeRequest(id))) throw new ServiceError("OAUTH_REQUEST_NOT_FOUND");
        await audit.add([decisionRow("oauth.denied", request, client, { teamId, scope: request.scope }, by)]);
      });
      return faultRedirect(request.redirectUri, "access_denied", request.state, base);
    },
  };
}

function isOneOf({ redirectUris }: OauthClientRow, uri: string): boolean {
  return (JSON.parse(redirectUris) as string[]).some((own) => isSameRedirect(own, uri));
}

function faultRedirect(
  uri: string,
  error: OauthFaultCode | "access_denied",
  state: string | null,
  iss: string,
): string {
  return withParameters(uri, { error, state, iss });
}

/** What the request asks for. */
function readRequest(parameters: URLSearchParams, base: string) {
  const names = [...parameters.keys()].filter((name) => name !== "resource");
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated !== undefined) throw new OauthFault("invalid_request", "A parameter comes twice.");
  const unknown = ["request", "request_uri"].find((name) => parameters.has(name));
  if (unknown !== undefined) throw new OauthFault("invalid_request", `${unknown} is not supported.`);
  const type = parameters.get("response_type");
  if (type === null) throw new OauthFault("invalid_request", "response_type is missing.");
  if (type !== "code") throw new OauthFault("unsupported_response_type", "response_type must be code.");
  if ((parameters.get("response_mode") ?? "query") !== "query")
    throw new OauthFault("invalid_request", "response_mode must be query.");
  const challenge = parameters.get("code_challenge") ?? "";
  if (parameters.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OauthFault("invalid_request", "PKCE with code_challenge_method=S256 is required.");
  if ((parameters.get("state") ?? "").length > longestState)
    throw new OauthFault("invalid_request", "state is too long.");
  const resource = readResource(parameters.getAll("resource"), base);
  return { challenge, resource, scope: scopeText(readScope(parameters.get("scope"))) };
}
