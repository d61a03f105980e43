// Monitors: their operations, the work of their checks, the scheduler that starts them, and their email.

import type { Accounts, Caller } from "../accounts/index.ts";
import { createMailer } from "../adapters/index.ts";
import { type Clock, type Logger, logFailure, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { JobStarter, KindsOfWork } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import {
  createCheckEnds,
  createCheckEventData,
  createCheckMail,
  createCheckOperations,
  createCheckStarter,
  createCheckWork,
  createFeedOperations,
  createMonitorOperations,
  createMonitorRecords,
  createMonitorScheduler,
} from "../operations/index.ts";
import type { BrowserCheck, CheckUrl, LanguageModel, OpenResultTexts, PageRows, SchemaCheck } from "../pages/index.ts";
import type { FindResults } from "../search/index.ts";
import type { Sealer, Store } from "../store/index.ts";

type Jobs = Pick<Operations<Caller>, "startBatch" | "startCrawl" | "cancelBatch" | "cancelCrawl">;

export interface MonitorPartDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  accounts: Accounts;
  net: Net;
  starter: JobStarter;
  schemas: SchemaCheck;
  checkUrl: CheckUrl;
  requireBrowser: BrowserCheck;
  /** Null when none is configured. */
  model: LanguageModel | null;
  findResults: FindResults;
  openResultTexts: OpenResultTexts;
  /** What reads the pages of a target. */
  jobs: Jobs;
  readDocument: Parameters<typeof createCheckWork>[0]["readDocument"];
  cancelWork(jobId: string): void;
  wakeWebhooks(): void;
}

const lookMs = secondMs;
const mailMs = 2 * secondMs;

export function joinMonitors(config: Config, deps: MonitorPartDeps) {
  const { store, clock, log, net, jobs } = deps;
  const { credits } = deps.accounts;
  const { smtpUrl, mailFrom } = config;
  const records = createMonitorRecords(deps.sealer);
  const hasMail = smtpUrl !== null;
  const ends = createCheckEnds({
    ...deps,
    records,
    hasMail,
    async cancelJob(type, id, caller) {
      await (type === "crawl" ? jobs.cancelCrawl({ id }, caller) : jobs.cancelBatch({ id }, caller));
    },
  });
  const checks = createCheckStarter({ ...deps, credits, records });
  const work: KindsOfWork<PageRows>["monitor"] = createCheckWork({ ...deps, ...jobs, records, ends });
  const runDue = createMonitorScheduler({ store, clock, log, checks, ends });
  let duties: Repetition[] = [];

  return {
    operations: {
      ...createMonitorOperations({ ...deps, records, ends, hasMail }),
      ...createCheckOperations({ store, clock, checks, ends }),
      ...createFeedOperations({ store, clock, records }),
    } satisfies Partial<Operations<Caller>>,
    work,
    readEvent: createCheckEventData({ store }),
    runDue,

    /** `isElected`: whether this is the one process that starts checks. */
    start(isElected: () => boolean): void {
      const look = async (signal: AbortSignal) => {
        if (isElected()) await runDue(signal);
      };
      duties = [repeat(lookMs, look, logFailure(log, "looking for due monitors"))];
      if (smtpUrl === null || mailFrom === null) return;
      const mailer = createMailer({ net }, { url: smtpUrl, from: mailFrom });
      const sendDue = createCheckMail({ store, clock, log, records, mailer });
      duties.push(repeat(mailMs, sendDue, logFailure(log, "sending the email of checks")));
    },

    async stop(): Promise<void> {
      await Promise.all(duties.map((duty) => duty.stop()));
    },
  };
}
