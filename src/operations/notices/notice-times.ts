// When an entry is told: at once, with its digest, or when its quiet hours are over.

import type { NoticeEvent, NotifyEntry } from "../../contract/index.ts";
import { nextRun } from "../../monitors/index.ts";
import type { NoticeKind } from "../../store/index.ts";

type Timed = Pick<NotifyEntry, "digest" | "quietHours">;

/** In the time zone of the quiet hours. */
const digestTimes = { hourly: "0 * * * *", daily: "0 8 * * *" } as const;

export function dueAt({ digest, quietHours }: Timed, now: number): number {
  const timezone = quietHours?.timeZone ?? "UTC";
  const next = (cron: string, after: number) => nextRun({ cron, timezone, jitterMs: 0 }, after) ?? after;
  const at = digest === undefined ? now : next(digestTimes[digest], now);
  if (quietHours === undefined) return at;
  const end = next(dailyAt(quietHours.to), at);
  // Within them the end comes before the next beginning.
  return end < next(dailyAt(quietHours.from), at) ? end : at;
}

function dailyAt(time: string): string {
  const [hours, minutes] = time.split(":").map(Number);
  return `${minutes} ${hours} * * *`;
}

/** Whether its notices wait, and are then told together. */
export function collects({ digest, quietHours }: Timed): boolean {
  return digest !== undefined || quietHours !== undefined;
}

const eventOfKind: Record<Exclude<NoticeKind, "test">, NoticeEvent> = {
  "monitor.changed": "change",
  "monitor.failed": "failure",
  "monitor.recovered": "failure",
  "job.failed": "failure",
  "server.trouble": "health",
  "server.recovered": "health",
};

/** `failures`: how often in a row a monitor has failed. */
export function wants(
  { events, failures: most }: Pick<NotifyEntry, "events" | "failures">,
  kind: NoticeKind,
  failures: number,
): boolean {
  if (kind !== "test" && events && !events.includes(eventOfKind[kind])) return false;
  if (kind === "monitor.failed") return failures === most;
  return kind === "monitor.recovered" ? failures >= most : true;
}
