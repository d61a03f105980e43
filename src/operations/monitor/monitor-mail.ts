// Sends the email of monitors, to each address alone: about checks, and the one that asks whether an address wants them.
// What the mail server refuses is tried again, by any process.
import { minuteMs, sha256 } from "../../base/index.ts";
import { renderCheckEmail, renderConsentEmail } from "../../monitors/index.ts";
import type { Monitor, MonitorCheck } from "../../store/index.ts";
import type { EmailSender, OperationParts } from "../parts/operation-parts.ts";
import { summaryOf } from "./check-end.ts";
import { listNews } from "./check-news.ts";
import type { MonitorRecords } from "./monitor-record.ts";
import { createMailLinks, isMailed, type Recipient, type Recipients } from "./recipients.ts";

/** While one process sends an email, no other sends it. */
const leaseMs = 2 * minuteMs;
const retryMs = [minuteMs, 10 * minuteMs, 60 * minuteMs];
const listedPages = 50;

type CheckEmails = { recipients: Recipient[]; send(recipient: Recipient): Promise<void> };

export function createMonitorMail(
  parts: OperationParts,
  records: MonitorRecords,
  recipients: Recipients,
  mailer: EmailSender,
) {
  const { store, clock, log } = parts;
  const links = createMailLinks(parts);

  /** Null when there is nothing to tell, or no email is wanted. */
  async function emailsAbout(check: MonitorCheck): Promise<CheckEmails | null> {
    const monitor = await store.monitors.read(check.monitorId);
    const settings = monitor && records.open(monitor);
    if (!settings || !isMailed(settings)) return null;
    const pages = await listNews(store, check, settings.notification?.email?.includeDiffs !== false);
    if (pages.length === 0) return null;
    const emails = await recipients.listFor(store, monitor, settings);
    const wanting = await recipients.confirmed(monitor, emails);
    const facts = {
      monitorName: monitor.name,
      status: check.status,
      summary: summaryOf(check),
      pages: pages.slice(0, listedPages),
      further: Math.max(0, pages.length - listedPages),
      checkUrl: `${monitor.baseUrl}/v2/monitor/${monitor.id}/checks/${check.id}`,
    };
    return {
      recipients: wanting,
      async send({ email, row }) {
        const unsubscribeUrl = links.to("unsubscribe", monitor, email);
        await mailer.send({
          ...renderCheckEmail({ ...facts, unsubscribeUrl }),
          to: email,
          messageId: `check-${check.id}.${nameOf(email)}`,
          unsubscribeUrl,
        });
        await store.subscriptions.change(row, { lastCheckId: check.id });
      },
    };
  }

  /** What came of one attempt, and when the next one is. */
  async function attempt(work: () => Promise<void>, attempts: number, about: object) {
    try {
      await work();
      return { state: "sent", nextAt: null } as const;
    } catch (error) {
      log.warn({ err: error, ...about, attempts }, "an email of a monitor was not sent");
      const delayMs = retryMs[attempts - 1];
      return delayMs === undefined
        ? ({ state: "failed", nextAt: null } as const)
        : ({ state: "due", nextAt: clock.now() + delayMs } as const);
    }
  }

  async function tellOf(check: MonitorCheck): Promise<void> {
    const emails = await emailsAbout(check);
    if (emails === null || emails.recipients.length === 0) {
      await store.checks.change(check.id, { mailState: "none", mailNextAt: null });
      return;
    }
    const outcomes = [];
    for (const recipient of emails.recipients) {
      // An earlier attempt reached this one.
      if (recipient.row.lastCheckId === check.id) continue;
      await store.checks.change(check.id, { mailNextAt: clock.now() + leaseMs });
      outcomes.push(await attempt(() => emails.send(recipient), check.mailAttempts, { checkId: check.id }));
    }
    const { state, nextAt } = outcomes.find((each) => each.state !== "sent") ?? { state: "sent", nextAt: null };
    await store.checks.change(check.id, { mailState: state, mailNextAt: nextAt });
  }

  async function ask(monitor: Monitor, email: string): Promise<void> {
    const [confirmUrl, unsubscribeUrl] = (["confirm", "unsubscribe"] as const).map((action) =>
      links.to(action, monitor, email),
    ) as [string, string];
    const rendered = renderConsentEmail({ monitorName: monitor.name, confirmUrl, unsubscribeUrl });
    await mailer.send({ ...rendered, to: email, messageId: `confirm-${monitor.id}.${nameOf(email)}` });
  }

  return {
    /** Sends every email about checks that is due. */
    async tellDue(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const now = clock.now();
        const check = await store.checks.takeMail(now, now + leaseMs);
        if (!check) return;
        await tellOf(check);
      }
    },

    /** Sends every email that asks for consent and is due. */
    async askDue(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const now = clock.now();
        const row = await store.subscriptions.takeConsentRequest(now, now + leaseMs);
        if (!row) return;
        const monitor = await store.monitors.read(row.monitorId);
        const isWanted = monitor !== null && (await recipients.isAsked(monitor, row, records.open(monitor)));
        const { state, nextAt } = isWanted
          ? await attempt(() => ask(monitor, row.email), row.consentAttempts, { monitorId: row.monitorId })
          : ({ state: "none", nextAt: null } as const);
        await store.subscriptions.change(row, { consentState: state, consentNextAt: nextAt });
      }
    },
  };
}

/** Part of the id of an email, which must not show an address. */
function nameOf(email: string): string {
  return sha256(email).slice(0, 12);
}
