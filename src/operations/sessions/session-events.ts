// What happened in sessions, for flows: of one that lives from its browser, of one that has ended from the store, sealed, for as long
// as recordings are kept.
import { dayMs, ServiceError } from "../../base/index.ts";
import type { BrowserSession } from "../../engines/index.ts";
import type { RecordedEvent } from "../../flows/index.ts";
import type { SessionRow } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

const purposeOf = (id: string) => `events of browser session ${id}`;

export type SessionEvents = ReturnType<typeof createSessionEvents>;

export function createSessionEvents({ store, clock, sealer }: OperationParts, keptMs = dayMs) {
  return {
    /** Called when its browser is about to be closed. */
    async keep({ id, teamId }: SessionRow, { recorder }: BrowserSession): Promise<void> {
      const events = recorder?.events() ?? [];
      if (events.length === 0) return;
      const sealed = sealer.seal(JSON.stringify(events), purposeOf(id));
      await store.flows.keepEvents({ id, teamId, expiresAt: clock.now() + keptMs, sealed });
    },

    /** Throws why it has no events. `browser`: of a session that this process holds. */
    async read(teamId: string, id: string, browser: BrowserSession | null): Promise<readonly RecordedEvent[]> {
      if (browser?.recorder) return browser.recorder.events();
      const sealed = browser === null ? await store.flows.readEvents(teamId, id, clock.now()) : null;
      if (sealed === null) throw new ServiceError("SESSION_NOT_RECORDED");
      return JSON.parse(sealer.open(sealed, purposeOf(id)));
    },
  };
}
