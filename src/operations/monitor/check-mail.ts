// Sends the emails about checks, one at a time. What the mail server refuses is tried again, by any process.
import { minuteMs } from "../../base/index.ts";
import { renderEmail } from "../../monitors/index.ts";
import type { MonitorCheck } from "../../store/index.ts";
import type { EmailSender, OperationParts } from "../parts/operation-parts.ts";
import { summaryOf } from "./check-end.ts";
import { diffText } from "./check-events.ts";
import { factsOf } from "./check-pages.ts";
import type { MonitorRecords } from "./monitor-record.ts";

/** While one process sends an email, no other sends it. */
const leaseMs = 2 * minuteMs;
const retryMs = [minuteMs, 10 * minuteMs, 60 * minuteMs];
const listedPages = 50;
const mostPages = 500;

export function createCheckMail({ store, clock, log }: OperationParts, records: MonitorRecords, mailer: EmailSender) {
  /** Null when there is nothing to tell or no recipient. */
  async function emailOf(check: MonitorCheck) {
    const monitor = await store.monitors.read(check.monitorId);
    const email = monitor && records.open(monitor).notification?.email;
    if (!monitor || !email || email.enabled === false || !email.recipients?.length) return null;
    const statuses = ["changed", "new", "removed"] as const;
    const found = await store.checkPages.list(check.id, { skip: 0, limit: mostPages, statuses });
    const pages = found.filter((page) => factsOf(page).isMeaningful);
    if (pages.length === 0) return null;
    const showsDiffs = email.includeDiffs !== false;
    const rendered = renderEmail({
      monitorName: monitor.name,
      status: check.status,
      summary: summaryOf(check),
      pages: pages.slice(0, listedPages).map((page) => ({
        url: page.url,
        status: page.status,
        diff: showsDiffs && page.status !== "removed" ? diffText(factsOf(page)) : "",
        reason: factsOf(page).judgment?.reason ?? "",
        error: page.error,
      })),
      further: Math.max(0, pages.length - listedPages),
      checkUrl: `${monitor.baseUrl}/v2/monitor/${monitor.id}/checks/${check.id}`,
    });
    return { ...rendered, to: email.recipients, messageId: `check-${check.id}` };
  }

  /** Sends every email that is due. */
  return async function sendDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const now = clock.now();
      const check = await store.checks.takeMail(now, now + leaseMs);
      if (!check) return;
      const email = await emailOf(check);
      if (email === null) {
        await store.checks.change(check.id, { mailState: "none", mailNextAt: null });
        continue;
      }
      try {
        await mailer.send(email);
        await store.checks.change(check.id, { mailState: "sent", mailNextAt: null });
      } catch (error) {
        const delayMs = retryMs[check.mailAttempts - 1];
        log.warn({ err: error, checkId: check.id, attempts: check.mailAttempts }, "the email of a check was not sent");
        await store.checks.change(
          check.id,
          delayMs === undefined ? { mailState: "failed", mailNextAt: null } : { mailNextAt: clock.now() + delayMs },
        );
      }
    }
  };
}
