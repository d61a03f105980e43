// Looks for monitors whose time has come. Every process that works on jobs does so; whoever holds a monitor's row first starts
// its check.
import { minuteMs } from "../../base/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { CheckEnds } from "./check-end.ts";
import type { CheckStarter } from "./start-check.ts";

const batch = 100;
/** Clocks of several processes differ a little. */
const clockSkewMs = minuteMs;

export function createMonitorScheduler({ store, clock, log }: OperationParts, checks: CheckStarter, ends: CheckEnds) {
  return async function runDue(signal: AbortSignal): Promise<void> {
    await ends.endAbandoned();
    const tried = new Set<string>();
    for (;;) {
      const now = clock.now();
      const due = await store.monitors.listDue(now, now + clockSkewMs, batch);
      const fresh = due.filter(({ id }) => !tried.has(id));
      for (const monitor of fresh) {
        if (signal.aborted) return;
        tried.add(monitor.id);
        try {
          await checks.due(monitor);
        } catch (error) {
          // One monitor that cannot be started keeps no other from it; it stays due.
          log.error({ err: error, monitorId: monitor.id }, "a check could not be started");
        }
      }
      if (due.length < batch || fresh.length === 0) return;
    }
  };
}
