// The checks of a monitor: run now, listed, read, cancelled.
import { isoTime, ServiceError } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { CheckPage, CheckTarget, Monitor, MonitorCheck } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { type CheckEnds, summaryOf } from "./check-end.ts";
import { factsOf } from "./check-pages.ts";
import { findMonitor } from "./monitor-record.ts";
import type { CheckStarter } from "./start-check.ts";

type ShownCheck = OperationOutput<"runMonitor">["data"];
type ShownPage = OperationOutput<"readMonitorCheck">["data"]["pages"][number];

export function createCheckOperations({ store, clock }: OperationParts, checks: CheckStarter, ends: CheckEnds) {
  async function findCheck(monitor: Monitor, checkId: string): Promise<MonitorCheck> {
    const check = await store.checks.read(checkId);
    const isOwn = check?.monitorId === monitor.id && (check.finishedAt === null || check.expiresAt > clock.now());
    if (!check || !isOwn) throw new ServiceError("MONITOR_CHECK_NOT_FOUND");
    return check;
  }

  async function show(check: MonitorCheck): Promise<ShownCheck> {
    return shownCheck(check, await store.checks.listTargets(check.id));
  }

  return {
    async runMonitor(input, caller) {
      const monitor = await findMonitor(store, input, caller);
      const id = await checks.now(monitor, caller);
      return { success: true, id, data: await show(await findCheck(monitor, id)) };
    },

    async listMonitorChecks({ limit, offset, status, ...input }, caller) {
      const { id } = await findMonitor(store, input, caller);
      const found = await store.checks.list(id, { limit, offset, status, now: clock.now() });
      return { success: true, data: await Promise.all(found.map(show)) };
    },

    async readMonitorCheck({ checkId, limit, skip, status, ...input }, caller) {
      const check = await findCheck(await findMonitor(store, input, caller), checkId);
      const statuses = status === undefined ? {} : { statuses: [status] };
      const found = await store.checkPages.list(checkId, { skip, limit: limit + 1, ...statuses });
      const query = new URLSearchParams({
        skip: String(skip + limit),
        limit: String(limit),
        ...(status ? { status } : {}),
      });
      const hasMore = found.length > limit;
      const next = hasMore ? `${caller.baseUrl}/v2/monitor/${input.id}/checks/${checkId}?${query}` : null;
      const pages = found.slice(0, limit).map(shownPage);
      const warning = check.warning === null ? {} : { warning: check.warning };
      return { success: true, next, data: { ...(await show(check)), pages, next }, ...warning };
    },

    async cancelMonitorCheck({ id, checkId }, caller) {
      const monitor = await findMonitor(store, { id }, caller);
      await findCheck(monitor, checkId);
      if (!(await ends.cancel(id, "The check was cancelled.", checkId))) throw new ServiceError("MONITOR_CHECK_ENDED");
      return { success: true, data: await show(await findCheck(monitor, checkId)) };
    },
  } satisfies ServedOperations;
}

const billing = { queued: "reserved", running: "reserved" } as Partial<Record<MonitorCheck["status"], "reserved">>;
const mailWords = { none: "none", due: "pending", sent: "sent", failed: "failed" } as const;

function shownCheck(check: MonitorCheck, targets: readonly CheckTarget[]): ShownCheck {
  const timeOf = (at: number | null) => (at === null ? null : isoTime(at));
  const isSkipped = check.status.startsWith("skipped");
  return {
    id: check.id,
    monitorId: check.monitorId,
    status: check.status,
    trigger: check.trigger,
    scheduledFor: timeOf(check.scheduledFor),
    startedAt: timeOf(check.startedAt),
    finishedAt: timeOf(check.finishedAt),
    estimatedCredits: check.estimatedCredits,
    reservedCredits: check.finishedAt === null ? check.estimatedCredits : 0,
    actualCredits: check.actualCredits,
    billingStatus: isSkipped ? "not_applicable" : (billing[check.status] ?? "confirmed"),
    summary: summaryOf(check),
    targetResults: targets.map(({ targetId, type, jobId, state, error }) => ({
      targetId,
      type,
      ...(jobId === null ? {} : { jobId }),
      status: state === "waiting" ? "running" : error === null ? "completed" : "failed",
      ...(error === null ? {} : { error }),
    })),
    notificationStatus: { email: mailWords[check.mailState] },
    error: check.error,
    createdAt: isoTime(check.createdAt),
    updatedAt: isoTime(check.updatedAt),
  };
}

function shownPage(page: CheckPage): ShownPage {
  const { metadata, judgment, diff, snapshot } = factsOf(page);
  return {
    id: page.id,
    targetId: page.targetId,
    url: page.url,
    status: page.status,
    previousScrapeId: page.previousScrapeId,
    currentScrapeId: page.currentScrapeId,
    statusCode: page.statusCode,
    error: page.error,
    metadata,
    ...(judgment ? { judgment } : {}),
    ...(diff ? { diff } : {}),
    ...(snapshot ? { snapshot } : {}),
    createdAt: isoTime(page.createdAt),
  };
}
