// One-time tokens that open a browser session in place of a key. They are sealed, so that no server has to remember those that it
// gave; which were used is known to all servers.
import type { KeyHolder } from "../../accounts/index.ts";
import { newId, ServiceError, secondMs } from "../../base/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

/** Who may open a session, and with which options. */
export interface BrowserTicket {
  holder: KeyHolder;
  query: Readonly<Record<string, string>>;
}

const purpose = "browser ticket";
const lifetimeMs = 60 * secondMs;
const prefix = "once-";

export type BrowserTickets = ReturnType<typeof createBrowserTickets>;

export function createBrowserTickets({ sealer, clock, store }: Pick<OperationParts, "sealer" | "clock" | "store">) {
  return {
    issue({ holder, query }: BrowserTicket): string {
      const { session: _, ...rest } = holder;
      const now = clock.now();
      const sealed = sealer.seal(
        JSON.stringify({ id: newId(now), until: now + lifetimeMs, holder: rest, query }),
        purpose,
      );
      return prefix + sealed;
    },

    isTicket: (token: string): boolean => token.startsWith(prefix),

    /** Throws for a token that is wrong, too old, or used. */
    async redeem(token: string): Promise<BrowserTicket> {
      const { id, until, holder, query } = open(token);
      const now = clock.now();
      if (now >= until) throw new ServiceError("TOKEN_INVALID");
      const use = { teamId: holder.teamId, endpoint: purpose, key: id, jobId: id, createdAt: now };
      if (!(await store.jobs.keepIdempotencyKey(use)).isNew) throw new ServiceError("TOKEN_INVALID");
      return { holder, query };
    },
  };

  function open(token: string): BrowserTicket & { id: string; until: number } {
    try {
      return JSON.parse(sealer.open(token.slice(prefix.length), purpose));
    } catch {
      throw new ServiceError("TOKEN_INVALID");
    }
  }
}
