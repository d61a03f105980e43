// Monitors: created, read, changed, deleted. Creating one starts no check.
import { randomBytes } from "node:crypto";
import type { Caller } from "../../accounts/index.ts";
import { type Clock, dayMs, isoTime, newId, ServiceError } from "../../base/index.ts";
import type { ChangeRules, OperationInput, OperationOutput } from "../../contract/index.ts";
import type { JobStarter } from "../../jobs/index.ts";
import { createComparer, nextRun, readSchedule, type Schedule } from "../../monitors/index.ts";
import type { Monitor, Store } from "../../store/index.ts";
import type { CheckEnds } from "./check-end.ts";
import type { MonitorRecords, MonitorSettings } from "./monitor-record.ts";
import { acceptTargets, asksForJson, priceOfCheck, refused, type TargetCheckDeps } from "./watched-targets.ts";

export interface MonitorDeps extends TargetCheckDeps {
  store: Store;
  clock: Clock;
  records: MonitorRecords;
  starter: JobStarter;
  ends: CheckEnds;
  /** Whether email can be sent. */
  hasMail: boolean;
}

type CreateInput = OperationInput<"createMonitor">;
type UpdateInput = OperationInput<"updateMonitor">;

/** Runs that a dry run names. */
const namedRuns = 5;
const tokenBytes = 24;

export function createMonitorOperations(deps: MonitorDeps) {
  const { store, clock, records, ends } = deps;

  async function find({ id }: { id: string }, { teamId }: Caller): Promise<Monitor> {
    const monitor = await store.monitors.find(teamId, id);
    if (!monitor) throw new ServiceError("MONITOR_NOT_FOUND");
    return monitor;
  }

  function answer(monitor: Monitor, { baseUrl }: Caller, warnings: readonly string[]) {
    return { success: true, data: records.show(monitor, baseUrl), ...warningOf(warnings) };
  }

  async function settingsOf(input: CreateInput | MonitorSettings, now: number) {
    const { targets, warnings } = await acceptTargets(deps, input.targets, now);
    const { goal = null, rules = null, webhook = null, notification } = input as CreateInput & MonitorSettings;
    const asked = "judges" in input ? input.judges : input.judgeEnabled;
    const judges = asked ?? goal !== null;
    if (goal === null && judges && targets.some(({ type }) => type === "search"))
      throw refused(["goal"], "Search targets need a goal unless judgeEnabled is false");
    if (webhook) deps.starter.checkWebhook(webhook);
    await checkRules(rules ?? {});
    const settings: MonitorSettings = { targets, webhook, notification, goal, judges, rules };
    return { settings, warnings: [...warnings, ...doubtsAbout(settings)] };
  }

  /** What holds for the monitor as long as the server is set up as it is. */
  function doubtsAbout({ goal, judges, rules, targets, notification }: MonitorSettings): string[] {
    const email = notification?.email;
    const asksForMail = email !== undefined && email.enabled !== false;
    return [
      ...(goal !== null && judges && deps.model === null ? [unjudged(rules)] : []),
      ...(rules?.fields && !targets.some(asksForJson)
        ? ["rules.fields has no effect: no target asks for JSON data."]
        : []),
      ...(asksForMail && !deps.hasMail ? ["No email is sent: SMTP_URL is not set."] : []),
      ...(asksForMail && (email.recipients ?? []).length === 0 ? ["No email is sent: there are no recipients."] : []),
    ];
  }

  function creditsPerCheck({ targets, rules, judges }: MonitorSettings): number {
    return priceOfCheck(targets, rules ?? {}, judges && deps.model !== null);
  }

  async function createMonitor(input: CreateInput, caller: Caller): Promise<OperationOutput<"createMonitor">> {
    const now = clock.now();
    const id = newId(now);
    const schedule = requireSchedule(input.schedule, id, now);
    const { settings, warnings } = await settingsOf(input, now);
    const price = creditsPerCheck(settings);
    if (input.dryRun) return { success: true, estimate: estimateOf(schedule, price, now), ...warningOf(warnings) };
    const { teamId, keyId, baseUrl } = caller;
    const monitor: Monitor = {
      id,
      teamId,
      keyId,
      name: input.name,
      status: "active",
      ...schedule,
      nextRunAt: nextRun(schedule, now),
      scheduledAt: now,
      lastRunAt: null,
      currentCheckId: null,
      ...records.pack(settings, randomBytes(tokenBytes).toString("base64url")),
      retentionDays: input.retentionDays,
      creditsPerCheck: price,
      baseUrl,
      lastSummary: null,
      createdAt: now,
      updatedAt: now,
    };
    await store.monitors.insert(monitor);
    return answer(monitor, caller, warnings);
  }

  async function updateMonitor(input: UpdateInput, caller: Caller): Promise<OperationOutput<"updateMonitor">> {
    const now = clock.now();
    const known = await find(input, caller);
    const schedule = input.schedule === undefined ? null : requireSchedule(input.schedule, known.id, now);
    const { feedToken, ...earlier } = records.open(known);
    const { settings, warnings } = await settingsOf(mergeSettings(earlier, input), now);
    const changed = await store.transaction(async (statements) => {
      const monitor = await statements.monitors.lock(known.id);
      if (monitor?.teamId !== caller.teamId) throw new ServiceError("MONITOR_NOT_FOUND");
      const status = input.status ?? monitor.status;
      const times = schedule ?? monitor;
      const isRescheduled = schedule !== null || status !== monitor.status;
      const planned = { nextRunAt: status === "active" ? nextRun(times, now) : null, scheduledAt: now };
      const next: Monitor = {
        ...monitor,
        ...(schedule ?? {}),
        ...records.pack(settings, feedToken),
        name: input.name ?? monitor.name,
        status,
        ...(isRescheduled ? planned : {}),
        retentionDays: input.retentionDays ?? monitor.retentionDays,
        creditsPerCheck: creditsPerCheck(settings),
        updatedAt: now,
      };
      const { id, teamId: _, keyId: __, createdAt: ___, ...changes } = next;
      await statements.monitors.change(id, changes);
      if (input.targets)
        await statements.versions.keepTargets(
          id,
          settings.targets.map((target) => target.id),
        );
      if (input.retentionDays !== undefined) await statements.checks.setRetention(id, input.retentionDays * dayMs);
      return next;
    });
    return answer(changed, caller, warnings);
  }

  return {
    createMonitor,
    updateMonitor,

    async readMonitor(input: { id: string }, caller: Caller): Promise<OperationOutput<"readMonitor">> {
      const monitor = await find(input, caller);
      return answer(monitor, caller, doubtsAbout(records.open(monitor)));
    },

    async listMonitors(
      { limit, offset }: OperationInput<"listMonitors">,
      { teamId, baseUrl }: Caller,
    ): Promise<OperationOutput<"listMonitors">> {
      const monitors = await store.monitors.list(teamId, { limit, offset });
      return { success: true, data: monitors.map((monitor) => records.show(monitor, baseUrl)) };
    },

    async deleteMonitor(input: { id: string }, caller: Caller): Promise<OperationOutput<"deleteMonitor">> {
      const { id } = await find(input, caller);
      await ends.cancel(id, "The monitor was deleted.");
      await store.monitors.change(id, { status: "deleted", nextRunAt: null, updatedAt: clock.now() });
      return { success: true };
    },
  };
}

function requireSchedule(given: CreateInput["schedule"], seed: string, now: number): Schedule {
  const reading = readSchedule(given, seed, now);
  if (reading.ok) return reading.schedule;
  throw refused(["schedule", reading.field], reading.message);
}

async function checkRules({ ignore = [] }: ChangeRules): Promise<void> {
  for (const [place, pattern] of ignore.entries()) {
    await createComparer({ ignore: [pattern] }).catch(() => {
      const message = "Must be a regular expression without look-around and back references";
      throw refused(["rules", "ignore", place], message);
    });
  }
}

/** What was sent takes the place of what was there; null removes it. */
function mergeSettings(earlier: MonitorSettings, input: UpdateInput): MonitorSettings {
  const goal = input.goal === undefined ? earlier.goal : input.goal;
  const isNewGoal = input.goal !== undefined;
  return {
    targets: (input.targets as MonitorSettings["targets"] | undefined) ?? earlier.targets,
    webhook: input.webhook === undefined ? earlier.webhook : input.webhook,
    notification: input.notification ?? earlier.notification,
    goal,
    judges: input.judgeEnabled ?? (isNewGoal ? goal !== null : earlier.judges),
    rules: input.rules === undefined ? earlier.rules : input.rules,
  };
}

function estimateOf(schedule: Schedule, creditsPerCheck: number, now: number) {
  const nextRuns: string[] = [];
  for (let at = nextRun(schedule, now); at !== null && nextRuns.length < namedRuns; at = nextRun(schedule, at))
    nextRuns.push(isoTime(at));
  const { runsPerMonth: checksPerMonth } = schedule;
  return { creditsPerCheck, checksPerMonth, creditsPerMonth: creditsPerCheck * checksPerMonth, nextRuns };
}

function unjudged(rules: ChangeRules | null): string {
  const instead = rules ? "the rules decide which changes count" : "every change counts";
  return `The goal is not judged, because no language model is configured (MODEL_NAME): ${instead}.`;
}

function warningOf(warnings: readonly string[]): { warning?: string } {
  return warnings.length > 0 ? { warning: [...new Set(warnings)].join(" ") } : {};
}
