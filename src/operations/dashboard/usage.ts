// The charts of the dashboard, made from the hours of a team.
import { type Accounts, type Caller, dashboardName, keylessName, latencyAt } from "../../accounts/index.ts";
import { type Clock, csvLine, dayMs, hourMs, isoTime } from "../../base/index.ts";
import type { DashboardOperations } from "../../contract/index.ts";
import type { UsageHour } from "../../store/index.ts";

const ranges = {
  "24h": { stepMs: hourMs, steps: 24 },
  "7d": { stepMs: dayMs, steps: 7 },
  "30d": { stepMs: dayMs, steps: 30 },
} as const;
const csvDays = 35;

export function createDashboardUsage(usageHours: Accounts["usageHours"], clock: Clock) {
  /** What this process has counted is written first, so that a page shows what was just done. */
  async function listHours(teamId: string, since: number): Promise<UsageHour[]> {
    await usageHours.flush();
    return usageHours.list(teamId, since);
  }

  return {
    async readOverview({ range }, { teamId }) {
      const { stepMs, steps } = ranges[range];
      const now = clock.now();
      const last = now - (now % stepMs);
      const first = last - (steps - 1) * stepMs;
      const hours = await listHours(teamId, first);
      const byStep = groupBy(hours, ({ hour }) => hour - (hour % stepMs));
      const failed = hours.filter(({ cause }) => cause !== "");
      return {
        success: true,
        total: summary(hours),
        steps: Array.from({ length: steps }, (_, place) => {
          const at = first + place * stepMs;
          return { at: isoTime(at), ...summary(byStep.get(at) ?? []) };
        }),
        endpoints: parts(hours, ({ endpoint }) => endpoint),
        keys: parts(hours, nameOfKey),
        causes: [...groupBy(failed, ({ cause }) => cause)]
          .map(([name, list]) => ({ name, requests: sum(list, "requests") }))
          .sort((one, other) => other.requests - one.requests),
      };
    },

    async exportUsage(_input, { teamId }) {
      const now = clock.now();
      const hours = await listHours(teamId, now - (now % dayMs) - (csvDays - 1) * dayMs);
      const rows = groupBy(hours, (row) => JSON.stringify([dayOf(row), nameOfKey(row), row.endpoint]));
      const lines = [...rows].map(([name, list]) => {
        const { requests, failed, pages, cacheHits, credits } = counts(list);
        return csvLine([...(JSON.parse(name) as string[]), requests, failed, pages, cacheHits, credits].map(String));
      });
      return [
        csvLine(["day", "key", "endpoint", "requests", "failed", "pages", "cacheHits", "credits"]),
        ...lines,
      ].join("");
    },
  } satisfies Partial<DashboardOperations<Caller>>;
}

function dayOf({ hour }: UsageHour): string {
  return isoTime(hour).slice(0, 10);
}

function nameOfKey({ keyId, keyName }: UsageHour): string {
  return keyId === null ? `${dashboardName} or ${keylessName}` : (keyName ?? keyId);
}

function groupBy<Key>(hours: readonly UsageHour[], keyOf: (hour: UsageHour) => Key): Map<Key, UsageHour[]> {
  const groups = new Map<Key, UsageHour[]>();
  for (const hour of hours) {
    const group = groups.get(keyOf(hour));
    if (group) group.push(hour);
    else groups.set(keyOf(hour), [hour]);
  }
  return groups;
}

function sum(hours: readonly UsageHour[], what: "requests" | "pages" | "cacheHits" | "credits"): number {
  return hours.reduce((total, hour) => total + hour[what], 0);
}

function counts(hours: readonly UsageHour[]) {
  return {
    requests: sum(hours, "requests"),
    failed: sum(
      hours.filter(({ cause }) => cause !== ""),
      "requests",
    ),
    pages: sum(hours, "pages"),
    cacheHits: sum(hours, "cacheHits"),
    credits: sum(hours, "credits"),
  };
}

function summary(hours: readonly UsageHour[]) {
  return { ...counts(hours), p50Ms: latencyAt(0.5, hours), p95Ms: latencyAt(0.95, hours) };
}

function parts(hours: readonly UsageHour[], nameOf: (hour: UsageHour) => string) {
  return [...groupBy(hours, nameOf)]
    .map(([name, list]) => ({ name, ...counts(list) }))
    .sort((one, other) => other.credits - one.credits || other.requests - one.requests);
}
