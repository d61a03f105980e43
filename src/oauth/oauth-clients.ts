// Clients: how they register, how one is found by its id, and how it shows at the token endpoint that it is who it says.
import { type Clock, ServiceError } from "../base/index.ts";
import type { Net } from "../net/index.ts";
import type { OauthClientRow, Store } from "../store/index.ts";
import { fetchDocument, isDocumentUrl, readClientName } from "./client-document.ts";
import { OauthFault } from "./oauth-fault.ts";
import { isHash, makeSecret } from "./oauth-secrets.ts";
import { redirectHost, whyNotRedirectUris } from "./redirect-uris.ts";

export interface ClientDeps {
  store: Store;
  clock: Clock;
  net: Pick<Net, "fetch">;
  /** Hosts of metadata documents; empty: any. */
  clientHosts: readonly string[];
}

export interface ShownClient {
  id: string;
  name: string;
  host: string;
}

/** What a client sends beside its other fields; null where it sends none. */
export interface ClientCredentials {
  id: string | null;
  secret: string | null;
  /** In HTTP Basic, as the protocol encodes them there. */
  isBasic: boolean;
}

const methods = ["none", "client_secret_basic", "client_secret_post"] as const;
const grantTypes = ["authorization_code", "refresh_token"];

export type OauthClients = ReturnType<typeof createOauthClients>;

export function createOauthClients(deps: ClientDeps) {
  const { store, clock, clientHosts } = deps;

  /** Null for an id that no client can have. */
  async function find(id: string): Promise<OauthClientRow | "document" | null> {
    if (!isDocumentUrl(id)) return store.oauth.findClient(id);
    const { host, hostname } = new URL(id);
    const isAllowed = clientHosts.length === 0 || clientHosts.some((each) => each === host || each === hostname);
    return isAllowed ? "document" : null;
  }

  /** Registered, or as its document says, which is read here when no copy is kept. */
  async function load(id: string): Promise<OauthClientRow> {
    const found = await find(id);
    if (found === null) throw new ServiceError("OAUTH_CLIENT_INVALID");
    if (found !== "document") return found;
    const kept = await store.oauth.findClient(id);
    if (kept !== null && kept.expiresAt !== null && kept.expiresAt > clock.now()) return kept;
    const client = await fetchDocument(deps, id);
    await store.oauth.putClient(client);
    return client;
  }

  return {
    find,
    load,

    async register(fields: Readonly<Record<string, unknown>>) {
      const problem = whyNotRedirectUris(fields["redirect_uris"]);
      if (problem !== null) throw new OauthFault("invalid_redirect_uri", problem);
      const method = methods.find((each) => each === (fields["token_endpoint_auth_method"] ?? "none"));
      const name = readClientName(fields["client_name"] ?? "Unnamed app");
      const grants = fields["grant_types"] ?? grantTypes;
      const responses = fields["response_types"] ?? ["code"];
      if (method === undefined) throw badMetadata("token_endpoint_auth_method", `must be one of ${methods.join(", ")}`);
      if (name === null) throw badMetadata("client_name", "must be a text of 1 to 200 characters");
      if (!isListOf(grants, grantTypes) || !grants.includes("authorization_code"))
        throw badMetadata("grant_types", `must be of ${grantTypes.join(", ")}, with authorization_code`);
      if (!isListOf(responses, ["code"])) throw badMetadata("response_types", "must be code");
      const redirectUris = fields["redirect_uris"] as string[];
      const secret = method === "none" ? null : makeSecret("secret");
      const id = makeSecret("client").text;
      const now = clock.now();
      const texts = { redirectUris: JSON.stringify(redirectUris), authMethod: method };
      const times = { createdAt: now, allowedAt: null, expiresAt: null };
      await store.oauth.putClient({ id, name, ...texts, secretHash: secret?.hash ?? null, ...times });
      return {
        client_id: id,
        client_id_issued_at: Math.floor(now / 1000),
        redirect_uris: redirectUris,
        client_name: name,
        token_endpoint_auth_method: method,
        grant_types: grants,
        response_types: responses,
        ...(secret ? { client_secret: secret.text, client_secret_expires_at: 0 } : {}),
      };
    },

    /** The id of the client that sends a request to the token endpoint. */
    async authenticate({ id, secret, isBasic }: ClientCredentials): Promise<string> {
      if (id === null) throw new OauthFault("invalid_client", "Send client_id.");
      const client = await find(id);
      if (client === null) throw new OauthFault("invalid_client", "This client is unknown.");
      const method = client === "document" ? "none" : client.authMethod;
      const sent = secret === null ? "none" : isBasic ? "client_secret_basic" : "client_secret_post";
      const isRight = method === "none" || (client !== "document" && isHash(secret ?? "", client.secretHash));
      if (method !== sent || !isRight)
        throw new OauthFault("invalid_client", "The client's secret is wrong or missing.");
      return id;
    },
  };
}

/** How a client is shown: by the host of its document, or the one that its codes go to. Nothing of it is verified. */
export function shownClient({ id, name }: Pick<OauthClientRow, "id" | "name">, redirectUri: string): ShownClient {
  return { id, name, host: isDocumentUrl(id) ? new URL(id).host : redirectHost(redirectUri) };
}

/** The name under which what an app does is counted. */
export function appName(clientName: string): string {
  return `app: ${clientName}`;
}

function isListOf(value: unknown, known: readonly string[]): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => known.includes(each));
}

function badMetadata(field: string, problem: string): OauthFault {
  return new OauthFault("invalid_client_metadata", `${field} ${problem}.`);
}
