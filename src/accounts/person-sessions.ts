// Sessions of people who are signed in, behind a cookie. Secrets are stored as hashes only; they have full entropy, so a plain hash
// cannot be reversed.
import { randomBytes } from "node:crypto";
import { type Clock, hourMs, minuteMs, newId, sha256 } from "../base/index.ts";
import type { FoundSession, Store } from "../store/index.ts";

/** A session that a request has opened. */
export interface SignedIn extends FoundSession {
  /** A page sends it with every request that changes something; only a page of this origin can read it. */
  csrf: string;
}

export function csrfToken(secret: string): string {
  return sha256(`csrf ${secret}`);
}

/** What a browser gets: the secret is in the cookie and nowhere else. */
export interface OpenedSession {
  secret: string;
  expiresAt: number;
}

const sessionMs = 12 * hourMs;
/** The cookie's secret changes this often; requests in progress may still use the previous one. */
const secretMs = hourMs;
const graceMs = minuteMs;

export function createPersonSessions({ people, clock }: { people: Store["people"]; clock: Clock }) {
  return {
    /** Always a new session with a new secret, so that a secret planted in the browser is useless. */
    async openSession(on: Store["people"], personId: string, teamId: string): Promise<OpenedSession> {
      const secret = newSecret();
      const now = clock.now();
      const expiresAt = now + sessionMs;
      const times = { changedAt: now, createdAt: now, expiresAt };
      await on.addSession({ id: newId(now), personId, teamId, hash: sha256(secret), earlierHash: null, ...times });
      return { secret, expiresAt };
    },

    /** Null if the cookie belongs to no session. */
    async findSession(secret: string): Promise<SignedIn | null> {
      const hash = sha256(secret);
      const session = await people.findSession(hash);
      const now = clock.now();
      if (!session || session.expiresAt <= now) return null;
      if (session.hash !== hash && session.changedAt + graceMs < now) return null;
      return { ...session, csrf: csrfToken(secret) };
    },

    /** The cookie's new secret; null if it stays the same. */
    async renew(session: FoundSession): Promise<OpenedSession | null> {
      const now = clock.now();
      if (session.changedAt + secretMs > now) return null;
      const secret = newSecret();
      const isFirst = await people.changeSecret(session.id, session.hash, sha256(secret), now);
      return isFirst ? { secret, expiresAt: session.expiresAt } : null;
    },

    signOut: (on: Store["people"], session: FoundSession) => on.endSession(session.id),
  };
}

export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
