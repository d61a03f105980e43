// Monitors: created, read, changed, deleted. Creating one starts no check.
import { randomBytes } from "node:crypto";
import type { Caller } from "../../accounts/index.ts";
import { dayMs, isoTime, newId, refusedField, ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import { nextRun, readSchedule, type Schedule } from "../../monitors/index.ts";
import type { Monitor } from "../../store/index.ts";
import type { EntryBook } from "../parts/notice-parts.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import type { CheckEnds } from "./check-end.ts";
import { findMonitor, type MonitorRecords } from "./monitor-record.ts";
import { acceptSettings, mergeSettings, settingWarnings } from "./monitor-settings.ts";
import type { Recipients } from "./recipients.ts";

/** Runs that a dry run names. */
const namedRuns = 5;
const tokenBytes = 24;

export function createMonitorOperations(
  parts: OperationParts,
  records: MonitorRecords,
  recipients: Recipients,
  ends: CheckEnds,
  entries: EntryBook,
) {
  const { store, clock } = parts;

  /** A monitor with the state of its recipients, as the answers about one monitor show it. */
  async function answerWith(monitor: Monitor, { baseUrl }: Pick<Caller, "baseUrl">, warnings: readonly string[]) {
    const settings = records.open(monitor);
    const notify = (await entries.show([monitor.id])).get(monitor.id) ?? [];
    const data = { ...records.show(monitor, baseUrl, notify), ...(await recipients.show(monitor, settings)) };
    return {
      success: true as const,
      data,
      ...warningOf([...warnings, ...entries.warningsOf(notify), await recipients.findLack(monitor, settings)]),
    };
  }

  return {
    async createMonitor(input, caller) {
      const now = clock.now();
      const id = newId(now);
      const schedule = requireSchedule(input.schedule, id, now);
      const { settings, creditsPerCheck, warnings } = await acceptSettings(parts, input, now);
      const { teamId, keyId, baseUrl } = caller;
      const owner = { teamId, ownerId: id, baseUrl };
      const notify = await entries.accept(input.notify ?? [], owner);
      if (input.dryRun) {
        const warned = warningOf([...warnings, await recipients.findLack({ teamId }, settings)]);
        return { success: true, estimate: estimateOf(schedule, creditsPerCheck, now), ...warned };
      }
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
        creditsPerCheck,
        baseUrl,
        lastSummary: null,
        createdAt: now,
        updatedAt: now,
      };
      await store.transaction(async (statements) => {
        await statements.monitors.insert(monitor);
        await entries.write(statements, notify, owner);
        await recipients.name(statements, monitor, settings, { notification: undefined });
      });
      return answerWith(monitor, caller, warnings);
    },

    async updateMonitor(input, caller) {
      const now = clock.now();
      const known = await findMonitor(store, input, caller);
      const schedule = input.schedule === undefined ? null : requireSchedule(input.schedule, known.id, now);
      const { feedToken, ...earlier } = records.open(known);
      const { settings, creditsPerCheck, warnings } = await acceptSettings(parts, mergeSettings(earlier, input), now);
      const owner = { teamId: known.teamId, ownerId: known.id, baseUrl: caller.baseUrl };
      const notify = input.notify === undefined ? null : await entries.accept(input.notify ?? [], owner);
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
          creditsPerCheck,
          updatedAt: now,
        };
        const { id, teamId: _, keyId: __, createdAt: ___, ...changes } = next;
        await statements.monitors.change(id, changes);
        const targetIds = settings.targets.map((target) => target.id);
        if (input.targets) await statements.versions.keepTargets(id, targetIds);
        await recipients.name(statements, next, settings, earlier);
        if (notify !== null) await entries.write(statements, notify, owner);
        if (input.retentionDays !== undefined) await statements.checks.setRetention(id, input.retentionDays * dayMs);
        return next;
      });
      return answerWith(changed, caller, warnings);
    },

    async readMonitor(input, caller) {
      const monitor = await findMonitor(store, input, caller);
      return answerWith(monitor, caller, settingWarnings(records.open(monitor), parts));
    },

    async listMonitors({ limit, offset }, { teamId, baseUrl }) {
      const monitors = await store.monitors.list(teamId, { limit, offset });
      const notify = await entries.show(monitors.map(({ id }) => id));
      return { success: true, data: monitors.map((monitor) => records.show(monitor, baseUrl, notify.get(monitor.id))) };
    },

    async deleteMonitor(input, caller) {
      const { id } = await findMonitor(store, input, caller);
      await ends.cancel(id, "The monitor was deleted.");
      await store.monitors.change(id, { status: "deleted", nextRunAt: null, updatedAt: clock.now() });
      return { success: true };
    },
  } satisfies ServedOperations;
}

function requireSchedule(given: OperationInput<"createMonitor">["schedule"], seed: string, now: number): Schedule {
  const reading = readSchedule(given, seed, now);
  if (reading.ok) return reading.schedule;
  throw refusedField(["schedule", reading.field], reading.message);
}

function estimateOf(schedule: Schedule, creditsPerCheck: number, now: number) {
  const nextRuns: string[] = [];
  for (let at = nextRun(schedule, now); at !== null && nextRuns.length < namedRuns; at = nextRun(schedule, at))
    nextRuns.push(isoTime(at));
  const { runsPerMonth: checksPerMonth } = schedule;
  return { creditsPerCheck, checksPerMonth, creditsPerMonth: creditsPerCheck * checksPerMonth, nextRuns };
}
