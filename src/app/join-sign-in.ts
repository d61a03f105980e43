// Sign-in by the company's identity provider: what is between the browser, the provider and our sessions.
import { type Accounts, createProvidedPeople, type OpenedSession, type RequestOrigin } from "../accounts/index.ts";
import { type Clock, createLazy, type Logger, minuteMs, sha256 } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Net } from "../net/index.ts";
import type { Sealer, Store } from "../store/index.ts";

export interface SignInParts {
  store: Store;
  clock: Clock;
  log: Logger;
  net: Net;
  sealer: Sealer;
  accounts: Accounts;
}

export type SignInFault = "oidc_failed" | "oidc_refused" | "oidc_expired";

interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  expiresAt: number;
}

const purpose = "sign-in by identity provider";
const pendingMs = 10 * minuteMs;

/** Null where no provider is configured. */
export function joinSignIn(config: Config, { store, clock, log, net, sealer, accounts }: SignInParts) {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes } = config;
  if (issuer === null || clientId === null) return null;
  // Loaded late: most servers have no provider.
  const provider = createLazy(async () => {
    const { createIdentityProvider } = await (await import("../adapters/index.ts")).loadIdentityProvider();
    return createIdentityProvider({ net, clock }, { issuer, clientId, clientSecret, scopes });
  });
  const provided = createProvidedPeople(
    { store, clock, people: accounts.people, teams: accounts.teams },
    {
      allowedDomains: config.oidcAllowedDomains,
      team: config.oidcTeam,
      roleClaim: config.oidcRoleClaim,
      ownerValues: config.oidcOwnerValues,
      memberValues: config.oidcMemberValues,
    },
  );

  function readBegun(cookie: string | null): Begun | null {
    try {
      const begun = JSON.parse(sealer.open(cookie ?? "", purpose)) as Begun;
      return begun.expiresAt > clock.now() ? begun : null;
    } catch {
      return null;
    }
  }

  return {
    name: config.oidcName,

    /** The cookie binds the answer to the browser that asks. */
    async begin(redirectUri: string, returnTo: string): Promise<{ url: string; cookie: string } | null> {
      try {
        const { url, ...secrets } = await (await provider.open()).begin(redirectUri);
        const begun: Begun = { ...secrets, returnTo, expiresAt: clock.now() + pendingMs };
        return { url, cookie: sealer.seal(JSON.stringify(begun), purpose) };
      } catch (error) {
        log.warn({ err: error }, "the identity provider cannot be asked");
        return null;
      }
    },

    async finish(
      callback: URL,
      cookie: string | null,
      origin: RequestOrigin,
    ): Promise<{ session: OpenedSession; returnTo: string } | SignInFault> {
      const begun = readBegun(cookie);
      if (begun === null) return "oidc_expired";
      // Once, whatever comes of it: an answer that was tried is not tried again.
      if (!(await store.passkeys.spendChallenge(sha256(begun.state), begun.expiresAt))) return "oidc_expired";
      try {
        const claims = await (await provider.open()).finish(callback, begun);
        const opened = await provided.signIn(claims, origin);
        return "refused" in opened ? "oidc_refused" : { session: opened, returnTo: begun.returnTo };
      } catch (error) {
        // Its message may hold text of the provider, which is for the operator alone.
        log.warn({ err: error }, "a sign-in by the identity provider failed");
        return "oidc_failed";
      }
    },
  };
}
