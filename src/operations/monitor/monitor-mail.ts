// Sends the email of monitors, one letter for each address: about checks, and the one that asks whether an address wants them.
// What the mail server refuses is tried again, by any process.
import { minuteMs, sha256 } from "../../base/index.ts";
import { renderCheckEmail, renderConsentEmail } from "../../monitors/index.ts";
import type { Monitor, MonitorCheck } from "../../store/index.ts";
import type { EmailSender, OperationParts } from "../parts/operation-parts.ts";
import { summaryOf } from "./check-end.ts";
import { diffText } from "./check-events.ts";
import { factsOf } from "./check-pages.ts";
import type { MonitorRecords } from "./monitor-record.ts";
import { isMailed, type Recipient, type Recipients } from "./recipients.ts";

/** While one process sends a letter, no other sends it. */
const leaseMs = 2 * minuteMs;
const retryMs = [minuteMs, 10 * minuteMs, 60 * minuteMs];
const listedPages = 50;
const mostPages = 500;

type CheckLetters = { recipients: Recipient[]; send(recipient: Recipient): Promise<void> };

export function createMonitorMail(
  { store, clock, log }: OperationParts,
  records: MonitorRecords,
  recipients: Recipients,
  mailer: EmailSender,
) {
  async function pagesOf(check: MonitorCheck, showsDiffs: boolean) {
    const statuses = ["changed", "new", "removed", "error"] as const;
    const found = await store.checkPages.list(check.id, { skip: 0, limit: mostPages, statuses });
    return found.flatMap((page) => {
      const facts = factsOf(page);
      const { url, status, error } = page;
      const hasDiff = showsDiffs && (status === "changed" || status === "new");
      // A change that the judge takes for noise is no news.
      if (status === "changed" && !facts.isMeaningful) return [];
      return [{ url, status, diff: hasDiff ? diffText(facts) : "", reason: facts.judgment?.reason ?? "", error }];
    });
  }

  /** Null when there is nothing to tell, or nobody wants it. */
  async function lettersAbout(check: MonitorCheck): Promise<CheckLetters | null> {
    const monitor = await store.monitors.read(check.monitorId);
    const settings = monitor && records.open(monitor);
    if (!settings || !isMailed(settings)) return null;
    const pages = await pagesOf(check, settings.notification?.email?.includeDiffs !== false);
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
        const unsubscribeUrl = recipients.linkOf("unsubscribe", monitor, email);
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
    const letters = await lettersAbout(check);
    if (letters === null || letters.recipients.length === 0) {
      await store.checks.change(check.id, { mailState: "none", mailNextAt: null });
      return;
    }
    const outcomes = [];
    for (const recipient of letters.recipients) {
      // An earlier attempt reached this one.
      if (recipient.row.lastCheckId === check.id) continue;
      await store.checks.change(check.id, { mailNextAt: clock.now() + leaseMs });
      outcomes.push(await attempt(() => letters.send(recipient), check.mailAttempts, { checkId: check.id }));
    }
    const { state, nextAt } = outcomes.find((each) => each.state !== "sent") ?? { state: "sent", nextAt: null };
    await store.checks.change(check.id, { mailState: state, mailNextAt: nextAt });
  }

  async function ask(monitor: Monitor, email: string): Promise<void> {
    const [confirmUrl, unsubscribeUrl] = (["confirm", "unsubscribe"] as const).map((action) =>
      recipients.linkOf(action, monitor, email),
    ) as [string, string];
    const letter = renderConsentEmail({ monitorName: monitor.name, confirmUrl, unsubscribeUrl });
    await mailer.send({ ...letter, to: email, messageId: `confirm-${monitor.id}.${nameOf(email)}` });
  }

  return {
    /** Sends every letter about checks that is due. */
    async tellDue(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const now = clock.now();
        const check = await store.checks.takeMail(now, now + leaseMs);
        if (!check) return;
        await tellOf(check);
      }
    },

    /** Sends every letter that asks for consent and is due. */
    async askDue(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const now = clock.now();
        const row = await store.subscriptions.takeLetter(now, now + leaseMs);
        if (!row) return;
        const monitor = await store.monitors.read(row.monitorId);
        const isWanted = monitor !== null && (await recipients.isAsked(monitor, row, records.open(monitor)));
        const { state, nextAt } = isWanted
          ? await attempt(() => ask(monitor, row.email), row.letterAttempts, { monitorId: row.monitorId })
          : ({ state: "none", nextAt: null } as const);
        await store.subscriptions.change(row, { letterState: state, letterNextAt: nextAt });
      }
    },
  };
}

/** Part of the id of a letter, which must not show an address. */
function nameOf(email: string): string {
  return sha256(email).slice(0, 12);
}
