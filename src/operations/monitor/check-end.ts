// How a check ends: when everything was read, when somebody cancels it, or when its job ended without it. Whoever ends one
// holds the monitor's row first, then the check's, then the job's.
import { newId, ServiceError } from "../../base/index.ts";
import { cancelRunning, jobItself, newEvent, shownSettings } from "../../jobs/index.ts";
import type { CheckTarget, Monitor, MonitorCheck, NewNotice, NoticeKind, Statements } from "../../store/index.ts";
import { callerOf } from "../parts/caller-of.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { MonitorRecords } from "./monitor-record.ts";
import { isMailed } from "./recipients.ts";
import type { TargetJobs } from "./target-run.ts";

interface CheckOutcome {
  status: "completed" | "partial" | "failed";
  error: string | null;
}

export type CheckEnds = ReturnType<typeof createCheckEnds>;

const batch = 50;

export function createCheckEnds(parts: OperationParts, records: MonitorRecords, jobs: TargetJobs) {
  const { store, clock, mailer } = parts;
  const { signals } = parts.jobs;

  /** In a transaction that holds monitor and check. */
  async function end(
    statements: Statements,
    check: MonitorCheck,
    outcome: CheckOutcome,
    isCancelled = false,
  ): Promise<void> {
    const now = clock.now();
    const actualCredits = check.ownCredits + (await statements.checks.sumJobCredits(check.id));
    const monitor = await statements.monitors.read(check.monitorId);
    const mail = monitor && wantsMail(monitor, check) ? ({ mailState: "due", mailNextAt: now } as const) : {};
    const changes = { ...outcome, finishedAt: now, updatedAt: now, actualCredits, ...mail };
    await statements.checks.change(check.id, changes);
    if (monitor?.currentCheckId === check.id) {
      const isMeasured = outcome.status === "completed" && crawls(monitor);
      await statements.monitors.change(monitor.id, {
        currentCheckId: null,
        lastSummary: JSON.stringify(summaryOf(check)),
        // How many pages a crawl finds is known only afterwards.
        ...(isMeasured ? { creditsPerCheck: actualCredits } : {}),
      });
    }
    await tellEnd(statements, check, outcome, now);
    if (monitor && !isCancelled) await noteNotices(records, statements, monitor, check, outcome, now);
  }

  function wantsMail(monitor: Monitor, { changed, added, removed, failed }: MonitorCheck): boolean {
    return mailer !== null && changed + added + removed + failed > 0 && isMailed(records.open(monitor));
  }

  function crawls(monitor: Monitor): boolean {
    return records.open(monitor).targets.some(({ type }) => type === "crawl");
  }

  /** Null when it is over already. */
  async function endHeld(
    checkId: string,
    work: (statements: Statements, check: MonitorCheck) => Promise<void>,
  ): Promise<MonitorCheck | null> {
    const known = await store.checks.read(checkId);
    if (!known) return null;
    const ended = await store.transaction(async (statements) => {
      await statements.monitors.lock(known.monitorId);
      const check = await statements.checks.lock(checkId);
      if (!check || check.finishedAt !== null) return null;
      await work(statements, check);
      return check;
    });
    signals.publishEvents();
    return ended;
  }

  return {
    /** Everything was read. */
    async finish(checkId: string): Promise<void> {
      await endHeld(checkId, async (statements, check) => {
        const targets = await statements.checks.listTargets(checkId);
        await end(statements, check, outcomeOf(check, targets));
      });
    },

    /** False when no check of the monitor runs; with `checkId`, only that one is ended. */
    async cancel(monitorId: string, reason: string, checkId?: string): Promise<boolean> {
      const monitor = await store.monitors.read(monitorId);
      const current = checkId ?? monitor?.currentCheckId;
      if (!monitor || !current) return false;
      const ended = await endHeld(current, async (statements, check) => {
        await end(statements, check, { status: "failed", error: reason }, true);
        const job = await statements.jobs.lock(current);
        if (job?.status === "scraping") await cancelRunning(statements, job, clock.now());
      });
      if (!ended) return false;
      signals.publishCancelled(current);
      for (const { type, jobId } of await store.checks.listTargets(current)) {
        if (jobId === null || type === "search") continue;
        const cancelJob = type === "crawl" ? jobs.cancelCrawl : jobs.cancelBatch;
        await cancelJob({ id: jobId }, callerOf(monitor, null)).catch(unlessOver);
      }
      return true;
    },

    /** Checks whose job ended without them, or is gone. */
    async endAbandoned(): Promise<void> {
      for (const id of await store.checks.listAbandoned(batch)) {
        await endHeld(id, async (statements, check) => {
          const job = await statements.jobs.read(id);
          await end(statements, check, { status: "failed", error: job?.error ?? "The check was interrupted." });
        });
      }
    },
  };
}

/** What its channels, or those of its team, may be told. */
async function noteNotices(
  records: MonitorRecords,
  statements: Statements,
  monitor: Monitor,
  check: MonitorCheck,
  { status, error }: CheckOutcome,
  now: number,
): Promise<void> {
  const { id: monitorId, teamId } = monitor;
  const ownerId = records.open(monitor).notifyEmails === null ? teamId : monitorId;
  const newNotice = (kind: NoticeKind, facts: object = {}): NewNotice => {
    const about = JSON.stringify({ monitorId, checkId: check.id, ...facts });
    return { id: newId(now), teamId, ownerId, kind, facts: about, createdAt: now };
  };
  const notices: NewNotice[] = [];
  if (check.changed + check.added + check.removed > 0) notices.push(newNotice("monitor.changed"));
  if (status === "failed") {
    const message = error ?? "";
    const failures = await statements.troubles.note({ id: monitorId, teamId, message, since: now });
    notices.push(newNotice("monitor.failed", { failures }));
  } else {
    const trouble = await statements.troubles.end(monitorId);
    if (trouble) notices.push(newNotice("monitor.recovered", { failures: trouble.failures, since: trouble.since }));
  }
  await statements.notices.add(notices);
}

function unlessOver(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

async function tellEnd(
  statements: Statements,
  check: MonitorCheck,
  { error }: CheckOutcome,
  now: number,
): Promise<void> {
  const job = await statements.jobs.read(check.id);
  if (!job || job.webhook === null) return;
  const settings = shownSettings(job);
  if (settings.kind !== "monitor" || !settings.check.wanted.includes("check.completed")) return;
  await statements.webhooks.enqueue([{ ...newEvent(job, "check.completed", now), result: { seq: jobItself }, error }]);
}

function outcomeOf(check: MonitorCheck, targets: readonly CheckTarget[]): CheckOutcome {
  const failedTargets = targets.filter(({ error, state }) => error !== null || state !== "done");
  if (check.failed + failedTargets.length === 0) return { status: "completed", error: null };
  const status = check.total > check.failed ? "partial" : "failed";
  const [first] = failedTargets;
  const pages = `${check.failed} of ${check.total} pages could not be read.`;
  return { status, error: first ? (first.error ?? "A target could not be checked.") : pages };
}

export function summaryOf({ total, same, changed, added, removed, failed }: MonitorCheck) {
  return { totalPages: total, same, changed, new: added, removed, error: failed };
}
