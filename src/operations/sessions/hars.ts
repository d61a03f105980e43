// The HARs of sessions that have ended, kept for a while.
import { dayMs } from "../../base/index.ts";
import type { BrowserSession } from "../../engines/index.ts";
import type { SessionRow } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { type Har, toHar } from "./session-har.ts";

const keptMs = dayMs;
const idOf = (sessionId: string) => `har-${sessionId}`;

export type Hars = ReturnType<typeof createHars>;

export function createHars({ store, clock }: Pick<OperationParts, "store" | "clock">) {
  return {
    /** Of a session that is open; null where it does not record its network. */
    read(browser: BrowserSession): Har | null {
      const network = browser.readNetwork();
      return network && toHar(network);
    },

    /** Of one that has ended; null without one, or when it has expired. */
    async find(teamId: string, sessionId: string): Promise<Har | null> {
      const bytes = await store.blobs.get(teamId, idOf(sessionId), clock.now());
      return bytes && JSON.parse(Buffer.from(bytes).toString());
    },

    async keep({ id, teamId }: SessionRow, browser: BrowserSession): Promise<void> {
      const har = this.read(browser);
      if (har === null) return;
      const createdAt = clock.now();
      const data = Buffer.from(JSON.stringify(har));
      const blob = { id: idOf(id), teamId, createdAt, expiresAt: createdAt + keptMs, data };
      await store.blobs.put([await store.blobs.pack(blob)]);
    },
  };
}
