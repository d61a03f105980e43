// The URLs for driving and watching a session. Each carries its own token, made from a secret that only
// the session has: a viewer cannot take control, and no token outlives its session.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Sealer, SessionRow } from "../../store/index.ts";

/** What a token opens: the debugging protocol, the picture, the picture with mouse and keyboard. */
export type SessionAccess = "cdp" | "view" | "control";

export interface SessionLinks {
  cdpUrl?: string;
  liveViewUrl?: string;
  interactiveLiveViewUrl?: string;
}

const secretBytes = 32;

export type SessionTokens = ReturnType<typeof createSessionTokens>;

export function createSessionTokens(sealer: Sealer) {
  const purposeOf = (id: string) => `browser session ${id}`;

  function tokenOf({ id, sealedSecret }: Pick<SessionRow, "id" | "sealedSecret">, access: SessionAccess): string {
    return createHmac("sha256", sealer.open(sealedSecret, purposeOf(id)))
      .update(access)
      .digest("base64url");
  }

  return {
    tokenOf,
    newSecret: (id: string) => sealer.seal(randomBytes(secretBytes).toString("base64url"), purposeOf(id)),

    isToken(session: SessionRow, access: SessionAccess, given: string): boolean {
      const expected = Buffer.from(tokenOf(session, access));
      const token = Buffer.from(given);
      return token.length === expected.length && timingSafeEqual(token, expected);
    },

    /** None for a session that has ended. */
    linksOf(session: SessionRow): SessionLinks {
      if (session.status !== "active") return {};
      const { id, baseUrl, hasView } = session;
      const urlOf = (path: string, access: SessionAccess) =>
        `${baseUrl}/${path}/${id}?token=${tokenOf(session, access)}`;
      return {
        cdpUrl: urlOf("cdp", "cdp").replace(/^http/, "ws"),
        ...(hasView
          ? {
              liveViewUrl: urlOf("view", "view"),
              interactiveLiveViewUrl: `${urlOf("view", "control")}&control=1`,
            }
          : {}),
      };
    },
  };
}
