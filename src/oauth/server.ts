// The authorization server: its parts, its documents, and how often an address may ask.
import { type Clock, hourMs, minuteMs, ServiceError, secondMs, sha256 } from "../base/index.ts";
import type { Net } from "../net/index.ts";
import type { Store } from "../store/index.ts";
import { createConnectedApps } from "./app-grants.ts";
import { createConsent } from "./app-requests.ts";
import { createOauthClients } from "./oauth-clients.ts";
import { allScopes } from "./scopes.ts";
import { createTokenEndpoint, type TokenOptions } from "./token-endpoint.ts";

export interface OauthDeps {
  store: Store;
  clock: Clock;
  net: Pick<Net, "fetch">;
}

export interface OauthOptions extends TokenOptions {
  hasRegistration: boolean;
  registrationsPerHour: number;
  clientHosts: readonly string[];
}

/** What is counted for each address that asks. */
const perMinute = { token: 120, authorize: 60 };

export type Oauth = ReturnType<typeof createOauth>;

export function createOauth({ store, clock, net }: OauthDeps, options: OauthOptions) {
  const clients = createOauthClients({ store, clock, net, clientHosts: options.clientHosts });
  const apps = createConnectedApps({ store, clock });
  const consent = createConsent({ store, clock, clients });
  const tokens = createTokenEndpoint({ store, clock, clients, apps }, options);

  /** Counted for all servers. */
  async function count(kind: string, address: string, limit: number, windowMs: number): Promise<void> {
    const now = clock.now();
    const windowStart = now - (now % windowMs);
    const window = { teamId: sha256(`oauth ${address}`), group: `oauth ${kind}`, windowStart, count: 1, limit };
    if ((await store.rates.reserve(window)).granted === 1) return;
    const retryAfterSeconds = Math.ceil((windowStart + windowMs - now) / secondMs);
    throw new ServiceError("RATE_LIMITED", "Too many requests from this address. Try again later.", {
      retryAfterSeconds,
    });
  }

  return {
    consent,
    apps,
    tokens,
    hasRegistration: options.hasRegistration,

    countRequest: (kind: keyof typeof perMinute, address: string) => count(kind, address, perMinute[kind], minuteMs),

    async register(fields: Readonly<Record<string, unknown>>, address: string) {
      await count("register", address, options.registrationsPerHour, hourMs);
      return clients.register(fields);
    },

    /** What a resource says of itself: `/mcp`, or the API without a path. */
    describeResource: (base: string, path: "" | "/mcp") => ({
      resource: base + path,
      authorization_servers: [base],
      scopes_supported: allScopes,
      bearer_methods_supported: ["header"],
      resource_name: "Trawl",
    }),

    describeServer: (base: string) => ({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      token_endpoint: `${base}/oauth/token`,
      ...(options.hasRegistration ? { registration_endpoint: `${base}/oauth/register` } : {}),
      revocation_endpoint: `${base}/oauth/revoke`,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: allScopes,
    }),
  };
}
