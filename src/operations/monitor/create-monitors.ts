// Monitors: their operations, the work of their checks, and what a worker does for them on time: starting checks, sending emails.
import { logFailure, type Repetition, repeat, secondMs } from "../../base/index.ts";
import type { EntryBook } from "../parts/notice-parts.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { createCheckEnds } from "./check-end.ts";
import { createCheckEventData, createFeedOperations } from "./check-events.ts";
import { createCheckWork } from "./check-work.ts";
import { createCheckOperations } from "./checks.ts";
import { createMonitorMail } from "./monitor-mail.ts";
import { createMonitorNotices } from "./monitor-notices.ts";
import { createMonitorRecords } from "./monitor-record.ts";
import { createMonitorOperations } from "./monitors.ts";
import { createRecipients, createSubscriptionOperations, type MonitorOptions } from "./recipients.ts";
import { createCheckStarter, createMonitorScheduler } from "./start-check.ts";
import type { TargetJobs } from "./target-run.ts";

const lookMs = secondMs;
const mailMs = 2 * secondMs;

export type { MonitorOptions } from "./recipients.ts";

export function createMonitors(parts: OperationParts, jobs: TargetJobs, entries: EntryBook, options: MonitorOptions) {
  const { store, log, mailer } = parts;
  const records = createMonitorRecords(parts.sealer);
  const recipients = createRecipients(parts, options);
  const ends = createCheckEnds(parts, records, jobs);
  const checks = createCheckStarter(parts, records);
  const runDue = createMonitorScheduler(parts, checks, ends);
  let duties: Repetition[] = [];

  return {
    operations: {
      ...createMonitorOperations(parts, records, recipients, ends, entries),
      ...createSubscriptionOperations(parts),
      ...createCheckOperations(parts, checks, ends),
      ...createFeedOperations(parts, records),
    } satisfies ServedOperations,
    work: createCheckWork(parts, records, ends, jobs),
    notices: createMonitorNotices(parts, recipients, options),
    /** What an event of a check carries; null for any other event. */
    readEvent: createCheckEventData(store),
    runDue,

    /** `isElected`: whether this is the one process that starts checks. */
    start(isElected: () => boolean): void {
      const look = async (signal: AbortSignal) => {
        if (isElected()) await runDue(signal);
      };
      duties = [repeat(lookMs, look, logFailure(log, "looking for due monitors"))];
      if (mailer === null) return;
      const mail = createMonitorMail(parts, records, recipients, mailer);
      for (const send of [mail.tellDue, mail.askDue])
        duties.push(repeat(mailMs, send, logFailure(log, "sending the email of monitors")));
    },

    async stop(): Promise<void> {
      await Promise.all(duties.map((duty) => duty.stop()));
    },
  };
}
