// Monitors: their operations, the work of their checks, and what a worker does for them on time: starting checks, sending emails.
import type { Caller, Credits } from "../../accounts/index.ts";
import { type Clock, type Logger, logFailure, type Repetition, repeat, secondMs } from "../../base/index.ts";
import type { Operations } from "../../contract/index.ts";
import type { DocumentJobs, JobSignals, JobStarter } from "../../jobs/index.ts";
import type { BrowserCheck, LanguageModel, OpenResultTexts, SchemaCheck } from "../../pages/index.ts";
import type { CheckUrl } from "../../reach/index.ts";
import type { FindResults } from "../../search/index.ts";
import type { Sealer, Store } from "../../store/index.ts";
import { createCheckEnds } from "./check-end.ts";
import { createCheckEventData, createFeedOperations } from "./check-events.ts";
import { createCheckMail, type EmailSender } from "./check-mail.ts";
import { createCheckWork } from "./check-work.ts";
import { createCheckOperations } from "./checks.ts";
import { createMonitorScheduler } from "./due-monitors.ts";
import { createMonitorRecords } from "./monitor-record.ts";
import { createMonitorOperations } from "./monitors.ts";
import { createCheckStarter } from "./start-check.ts";

export interface MonitorsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  credits: Credits;
  starter: JobStarter;
  signals: JobSignals;
  documents: DocumentJobs;
  schemas: SchemaCheck;
  checkUrl: CheckUrl;
  requireBrowser: BrowserCheck;
  /** Null when none is configured. */
  model: LanguageModel | null;
  findResults: FindResults;
  openResultTexts: OpenResultTexts;
  /** Null when no mail server is configured. */
  mailer: EmailSender | null;
}

const lookMs = secondMs;
const mailMs = 2 * secondMs;

/** What reads the pages of a target. */
type TargetJobs = Pick<Operations<Caller>, "startBatch" | "startCrawl" | "cancelBatch" | "cancelCrawl">;

export function createMonitors(deps: MonitorsDeps, targets: TargetJobs) {
  const { store, clock, log, credits, starter, signals, model, mailer } = deps;
  const { schemas, checkUrl, requireBrowser, findResults, openResultTexts } = deps;
  const { readDocument } = deps.documents;
  const { startBatch, startCrawl } = targets;
  const records = createMonitorRecords(deps.sealer);
  const hasMail = mailer !== null;
  const ends = createCheckEnds({
    store,
    clock,
    records,
    signals,
    hasMail,
    async cancelJob(type, id, caller) {
      await (type === "crawl" ? targets.cancelCrawl({ id }, caller) : targets.cancelBatch({ id }, caller));
    },
  });
  const checks = createCheckStarter({ store, clock, credits, starter, records });
  const runDue = createMonitorScheduler({ store, clock, log, checks, ends });
  let duties: Repetition[] = [];

  return {
    operations: {
      ...createMonitorOperations({
        store,
        clock,
        records,
        starter,
        ends,
        hasMail,
        schemas,
        checkUrl,
        requireBrowser,
        model,
      }),
      ...createCheckOperations({ store, clock, checks, ends }),
      ...createFeedOperations({ store, clock, records }),
    } satisfies Partial<Operations<Caller>>,
    work: createCheckWork({
      store,
      clock,
      records,
      ends,
      model,
      startBatch,
      startCrawl,
      readDocument,
      findResults,
      openResultTexts,
    }),
    /** What an event of a check carries; null for any other event. */
    readEvent: createCheckEventData({ store }),
    runDue,

    /** `isElected`: whether this is the one process that starts checks. */
    start(isElected: () => boolean): void {
      const look = async (signal: AbortSignal) => {
        if (isElected()) await runDue(signal);
      };
      duties = [repeat(lookMs, look, logFailure(log, "looking for due monitors"))];
      if (mailer === null) return;
      const sendDue = createCheckMail({ store, clock, log, records, mailer });
      duties.push(repeat(mailMs, sendDue, logFailure(log, "sending the email of checks")));
    },

    async stop(): Promise<void> {
      await Promise.all(duties.map((duty) => duty.stop()));
    },
  };
}
