// Starts checks: when their time has come, or because somebody asked. A check is a job whose id it shares; job, check and the
// monitor's next time are written together, so that of many processes one starts it.
import { type Caller, minimumCredits } from "../../accounts/index.ts";
import { dayMs, minuteMs, newId, ServiceError } from "../../base/index.ts";
import { scrapeOptions } from "../../contract/index.ts";
import { nextRun } from "../../monitors/index.ts";
import type { CheckStatus, Monitor, MonitorCheck, Statements, Store } from "../../store/index.ts";
import { callerOf } from "../parts/caller-of.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { CheckEnds } from "./check-end.ts";
import type { MonitorRecords, MonitorSettings } from "./monitor-record.ts";
import type { WatchedTarget } from "./watched-targets.ts";

export type CheckStarter = ReturnType<typeof createCheckStarter>;

const dueAtOnce = 100;
/** Clocks of several processes differ a little. */
const clockSkewMs = minuteMs;
/** Targets of one check that are worked on at the same time. */
const targetsAtOnce = 5;

/** The monitor is not what it was when it was looked at: nothing is started. */
class Outrun extends Error {}

export function createCheckStarter(
  { store, clock, credits, jobs: { starter } }: OperationParts,
  records: MonitorRecords,
) {
  /** Throws Outrun unless `isReady` holds for the monitor as it is now. */
  async function start(
    monitor: Monitor,
    about: Pick<MonitorCheck, "trigger" | "scheduledFor">,
    caller: Caller,
    isReady: (now: Monitor) => boolean,
  ): Promise<string> {
    const settings = records.open(monitor);
    const { targets, webhook } = settings;
    return starter.start<"monitor">(
      {
        settings: {
          kind: "monitor",
          url: urlOf(settings),
          check: { monitorId: monitor.id, wanted: webhook?.events ?? [] },
          scrapeOptions: scrapeOptions.parse({ formats: [] }),
          credentials: {},
          baseUrl: monitor.baseUrl,
        },
        // The check makes its events itself.
        webhook: webhook ? { ...webhook, events: [] } : undefined,
        target: monitor.name,
        pageLimit: targets.length,
        maxActive: Math.min(targets.length, targetsAtOnce),
        delayMs: 0,
        tasks: targets.map((target) => ({
          key: target.id,
          url: firstUrl(target),
          depth: 0,
          kind: "target" as const,
          step: null,
        })),
        warning: null,
        async join(statements, id, now) {
          const locked = await statements.monitors.lock(monitor.id);
          if (!locked || !isReady(locked)) throw new Outrun();
          if (locked.currentCheckId !== null) throw new ServiceError("MONITOR_BUSY");
          await statements.checks.insert({ ...newCheck(locked, now), ...about, id });
          await statements.checks.addTargets(
            targets.map(({ id: targetId, type }, place) => ({
              checkId: id,
              targetId,
              place,
              type,
              jobId: null,
              state: "waiting" as const,
              compared: 0,
              error: null,
            })),
          );
          const next = about.trigger === "scheduled" ? scheduleAfter(locked, now) : {};
          await statements.monitors.change(locked.id, { currentCheckId: id, lastRunAt: now, ...next });
        },
      },
      caller,
    );
  }

  /** Written in place of a check. */
  async function skip(monitor: Monitor, status: CheckStatus, error: string): Promise<void> {
    await store.transaction(async (statements) => {
      const locked = await statements.monitors.lock(monitor.id);
      const now = clock.now();
      if (!locked || !isDue(locked, now)) return;
      if (status === "skipped_overlap" && locked.currentCheckId === null) return;
      const about = { trigger: "scheduled", scheduledFor: locked.nextRunAt, status, error, finishedAt: now } as const;
      await statements.checks.insert({ ...newCheck(locked, now), ...about, id: newId(now) });
      await statements.monitors.change(locked.id, scheduleAfter(locked, now));
    });
  }

  return {
    /** Throws MONITOR_BUSY while a check of the monitor runs. */
    async now(monitor: Monitor, caller: Caller): Promise<string> {
      await credits.require(monitor.teamId, minimumCredits.page);
      return start(monitor, { trigger: "manual", scheduledFor: null }, caller, () => true);
    },

    /** A monitor that was due when it was read. Whatever was missed before now is one check. */
    async due(monitor: Monitor): Promise<void> {
      const now = clock.now();
      if (!isDue(monitor, now)) return replan(store, monitor, now);
      if (monitor.currentCheckId !== null)
        return skip(monitor, "skipped_overlap", "The previous check was still running.");
      if (!(await canPay(monitor))) return skip(monitor, "skipped_no_credits", "The team has no credits left.");
      const about = { trigger: "scheduled", scheduledFor: monitor.nextRunAt } as const;
      try {
        await start(monitor, about, callerOf(monitor, null), (locked) => isDue(locked, clock.now()));
      } catch (error) {
        const isOutrun = error instanceof Outrun || (error instanceof ServiceError && error.code === "MONITOR_BUSY");
        if (!isOutrun) throw error;
      }
    },
  };

  async function canPay({ teamId }: Monitor): Promise<boolean> {
    try {
      await credits.require(teamId, minimumCredits.page);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === "INSUFFICIENT_CREDITS") return false;
      throw error;
    }
  }
}

/** The clock was set back since its next time was worked out. */
async function replan(store: Store, monitor: Monitor, now: number): Promise<void> {
  await store.transaction(async (statements: Statements) => {
    const locked = await statements.monitors.lock(monitor.id);
    if (locked?.status === "active" && locked.scheduledAt > now)
      await statements.monitors.change(locked.id, scheduleAfter(locked, now));
  });
}

function isDue({ status, nextRunAt }: Monitor, now: number): boolean {
  return status === "active" && nextRunAt !== null && nextRunAt <= now;
}

function scheduleAfter(monitor: Monitor, now: number): { nextRunAt: number | null; scheduledAt: number } {
  return { nextRunAt: monitor.status === "active" ? nextRun(monitor, now) : null, scheduledAt: now };
}

function newCheck(monitor: Monitor, now: number): Omit<MonitorCheck, "id"> {
  return {
    monitorId: monitor.id,
    teamId: monitor.teamId,
    status: "queued",
    trigger: "manual",
    scheduledFor: null,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    updatedAt: now,
    expiresAt: now + monitor.retentionDays * dayMs,
    estimatedCredits: monitor.creditsPerCheck,
    ownCredits: 0,
    actualCredits: null,
    total: 0,
    same: 0,
    changed: 0,
    added: 0,
    removed: 0,
    failed: 0,
    error: null,
    warning: null,
    mailState: "none",
    mailAttempts: 0,
    mailNextAt: null,
  };
}

function urlOf({ targets }: MonitorSettings): string {
  const [first] = targets;
  return first ? firstUrl(first) : "";
}

/** Shown where a task has a URL; a search has none. */
function firstUrl(target: WatchedTarget): string {
  if (target.type === "search") return "";
  return target.type === "crawl" ? target.url : (target.urls[0] ?? "");
}

/** Looks for monitors whose time has come. Whoever holds a monitor's row first starts its check. */
export function createMonitorScheduler({ store, clock, log }: OperationParts, checks: CheckStarter, ends: CheckEnds) {
  return async function runDue(signal: AbortSignal): Promise<void> {
    await ends.endAbandoned();
    const tried = new Set<string>();
    for (;;) {
      const now = clock.now();
      const due = await store.monitors.listDue(now, now + clockSkewMs, dueAtOnce);
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
      if (due.length < dueAtOnce || fresh.length === 0) return;
    }
  };
}
