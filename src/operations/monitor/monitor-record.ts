// A monitor as it lies in its row: what every member of the team may see, and what is sealed.
import type { Caller } from "../../accounts/index.ts";
import { bareUrl, isoTime, ServiceError } from "../../base/index.ts";
import type { ChangeRules, OperationInput, OperationOutput, Webhook } from "../../contract/index.ts";
import type { Monitor, Sealer, Store } from "../../store/index.ts";
import { shownTarget, type WatchedTarget } from "./watched-targets.ts";

export type ShownMonitor = NonNullable<OperationOutput<"createMonitor">["data"]>;
type CreateInput = OperationInput<"createMonitor">;

/** Everything that a caller sets, beside name, schedule and retention. */
export interface MonitorSettings {
  targets: WatchedTarget[];
  webhook: Webhook | null;
  notification: CreateInput["notification"];
  /** Addresses in the `notify` of the monitor itself; null: the channels of its team are told. */
  notifyEmails: string[] | null;
  goal: string | null;
  /** Whether a model decides which changes matter. */
  judges: boolean;
  rules: ChangeRules | null;
}

interface Secrets {
  targets: WatchedTarget[];
  webhook: Webhook | null;
  feedToken: string;
}

interface Shown extends Omit<MonitorSettings, "targets" | "webhook"> {
  targets: Record<string, unknown>[];
  webhook: Record<string, unknown> | null;
}

const purpose = "monitor targets and webhook";

export type MonitorRecords = ReturnType<typeof createMonitorRecords>;

export function createMonitorRecords(sealer: Sealer) {
  function openSecrets({ sealed }: Pick<Monitor, "sealed">): Secrets {
    return JSON.parse(sealer.open(sealed, purpose));
  }

  return {
    pack(settings: MonitorSettings, feedToken: string): Pick<Monitor, "shown" | "sealed"> {
      const { targets, webhook, ...open } = settings;
      const shown: Shown = { ...open, targets: targets.map(shownTarget), webhook: webhook && shownWebhook(webhook) };
      const secrets: Secrets = { targets, webhook, feedToken };
      return { shown: JSON.stringify(shown), sealed: sealer.seal(JSON.stringify(secrets), purpose) };
    },

    open(monitor: Pick<Monitor, "shown" | "sealed">): MonitorSettings & { feedToken: string } {
      const { targets: _, webhook: __, ...open }: Shown = JSON.parse(monitor.shown);
      // Monitors from before there were channels name none.
      return { ...open, notifyEmails: open.notifyEmails ?? null, ...openSecrets(monitor) };
    },

    /** `notify`: its own entries. */
    show(monitor: Monitor, baseUrl: string, notify: ShownMonitor["notify"] = []): ShownMonitor {
      const { targets, webhook, notification, notifyEmails, goal, judges, rules }: Shown = JSON.parse(monitor.shown);
      const { feedToken } = openSecrets(monitor);
      return {
        id: monitor.id,
        name: monitor.name,
        status: monitor.status,
        schedule: { cron: monitor.cron, timezone: monitor.timezone },
        nextRunAt: timeOf(monitor.nextRunAt),
        lastRunAt: timeOf(monitor.lastRunAt),
        currentCheckId: monitor.currentCheckId,
        targets: targets as ShownMonitor["targets"],
        ...(webhook ? { webhook } : {}),
        ...(notification ? { notification } : {}),
        ...(notifyEmails ? { notify } : {}),
        retentionDays: monitor.retentionDays,
        estimatedCreditsPerMonth: monitor.creditsPerCheck * monitor.runsPerMonth,
        lastCheckSummary: monitor.lastSummary === null ? null : JSON.parse(monitor.lastSummary),
        goal,
        judgeEnabled: judges,
        ...(rules ? { rules } : {}),
        feedUrl: feedUrlOf(monitor.id, feedToken, baseUrl),
        createdAt: isoTime(monitor.createdAt),
        updatedAt: isoTime(monitor.updatedAt),
      };
    },
  };
}

export async function findMonitor(store: Store, { id }: { id: string }, { teamId }: Caller): Promise<Monitor> {
  const monitor = await store.monitors.find(teamId, id);
  if (!monitor) throw new ServiceError("MONITOR_NOT_FOUND");
  return monitor;
}

export function feedUrlOf(id: string, token: string, baseUrl: string): string {
  return `${baseUrl}/v2/monitor/${id}/feed/${token}`;
}

function timeOf(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

/** Headers may hold secrets. */
function shownWebhook({ url, headers, metadata, events }: Webhook): Record<string, unknown> {
  const names = Object.keys(headers).map((name) => [name, "***"]);
  return {
    url: bareUrl(url),
    headers: Object.fromEntries(names),
    metadata,
    events: events.map((event) => `monitor.${event}`),
  };
}
