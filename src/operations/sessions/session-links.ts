// The addresses under which a session is driven and watched. Each carries a token of its own, made from a secret that only
// the session has: whoever may watch cannot take part, and no token outlives its session.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Sealer, SessionRow } from "../../store/index.ts";

/** What a token opens: the debugging protocol, the picture, the picture with mouse and keyboard. */
export type SessionDoor = "cdp" | "view" | "control";

export interface SessionLinks {
  cdpUrl?: string;
  liveViewUrl?: string;
  interactiveLiveViewUrl?: string;
}

const secretBytes = 32;

export type SessionTokens = ReturnType<typeof createSessionTokens>;

export function createSessionTokens(sealer: Sealer) {
  const purposeOf = (id: string) => `browser session ${id}`;

  function tokenOf({ id, sealedSecret }: Pick<SessionRow, "id" | "sealedSecret">, door: SessionDoor): string {
    return createHmac("sha256", sealer.open(sealedSecret, purposeOf(id)))
      .update(door)
      .digest("base64url");
  }

  return {
    tokenOf,
    newSecret: (id: string) => sealer.seal(randomBytes(secretBytes).toString("base64url"), purposeOf(id)),

    isToken(session: SessionRow, door: SessionDoor, given: string): boolean {
      const expected = Buffer.from(tokenOf(session, door));
      const token = Buffer.from(given);
      return token.length === expected.length && timingSafeEqual(token, expected);
    },

    /** None for a session that has ended. */
    linksOf(session: SessionRow): SessionLinks {
      if (session.status !== "active") return {};
      const { id, baseUrl, hasView } = session;
      const address = (path: string, door: SessionDoor) => `${baseUrl}/${path}/${id}?token=${tokenOf(session, door)}`;
      return {
        cdpUrl: address("cdp", "cdp").replace(/^http/, "ws"),
        ...(hasView
          ? {
              liveViewUrl: address("view", "view"),
              interactiveLiveViewUrl: `${address("view", "control")}&control=1`,
            }
          : {}),
      };
    },
  };
}
