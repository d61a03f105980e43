// The identity provider of a company (OpenID Connect). The protocol is the library's; every request goes out through net.
import { decodeProtectedHeader } from "jose";
import * as client from "openid-client";
import { type Clock, minuteMs, secondMs } from "../base/index.ts";
import type { Net } from "../net/index.ts";

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
  scopes: string;
}

/** What only the browser that began may bring back. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export type ProviderClaims = Readonly<Record<string, unknown>> & { iss: string; sub: string };

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/** Metadata and keys are read again after this time. */
const keptMs = 10 * minuteMs;
const requestMs = 10 * secondMs;
const maxBytes = 1024 * 1024;
const clockToleranceSeconds = 30;
const algorithms: readonly string[] = ["RS256", "PS256", "ES256", "EdDSA"];

export function createIdentityProvider(
  { net, clock }: { net: Pick<Net, "fetch">; clock: Clock },
  options: ProviderOptions,
) {
  const { issuer, clientId, clientSecret, scopes } = options;
  const { origin } = new URL(issuer);
  let known: { configuration: Promise<client.Configuration>; readAt: number } | null = null;

  /** The issuer's own origin may be private; where its metadata points besides must be public. */
  const fetch: client.CustomFetch = async (url, { method, headers, body }) => {
    const isOwn = new URL(url).origin === origin;
    const outcome = await net.fetch({
      url,
      ...(isOwn ? { allowOrigin: origin } : { service: "callers" as const }),
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      signal: AbortSignal.timeout(requestMs),
      followRedirects: false,
      limits: { wireBytes: maxBytes, decodedBytes: maxBytes },
    });
    if (!outcome.ok) throw new Error(outcome.message);
    const type = outcome.headers["content-type"];
    return new Response(outcome.status === 204 ? null : new Uint8Array(outcome.body), {
      status: outcome.status,
      headers: type === undefined ? {} : { "content-type": String(type) },
    });
  };

  async function discover(): Promise<client.Configuration> {
    const isInsecure = issuer.startsWith("http:");
    const authentication = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret);
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      authentication,
      { [client.customFetch]: fetch, ...(isInsecure ? { execute: [client.allowInsecureRequests] } : {}) },
    );
    // A token that came over TLS needs no signature by the standard; here it does.
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  function configure(): Promise<client.Configuration> {
    const now = clock.now();
    if (known !== null && Math.abs(now - known.readAt) < keptMs) return known.configuration;
    const configuration = discover();
    known = { configuration, readAt: now };
    configuration.catch(() => {
      known = null;
    });
    return configuration;
  }

  return {
    /** Where the browser goes, and what it must bring back. */
    async begin(redirectUri: string): Promise<SignInSecrets & { url: string }> {
      const configuration = await configure();
      const verifier = client.randomPKCECodeVerifier();
      const secrets = { state: client.randomState(), nonce: client.randomNonce(), verifier };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { ...secrets, url: url.href };
    },

    /** `callback`: the URL to which the browser came back. Throws unless the provider vouches for somebody. */
    async finish(callback: URL, { state, nonce, verifier }: SignInSecrets): Promise<ProviderClaims> {
      const tokens = await client.authorizationCodeGrant(await configure(), callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      const { alg = "" } = decodeProtectedHeader(tokens.id_token ?? "");
      if (claims === undefined || !algorithms.includes(alg))
        throw new Error("The ID token has no signature that is taken.");
      return claims;
    },
  };
}
