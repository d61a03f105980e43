// Notices: the entries of a team, the duty that makes messages of what happened, and sending them.
import {
  createDeadline,
  logFailure,
  newId,
  type Repetition,
  repeat,
  ServiceError,
  secondMs,
} from "../../base/index.ts";
import { composeMessage } from "../../notices/index.ts";
import type { NoticeKind, NotifyRow } from "../../store/index.ts";
import type { NoticeWriter } from "../parts/notice-parts.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import { createNoticeWriter } from "./notice-texts.ts";
import { wants } from "./notice-times.ts";
import { createNotifyEntries, type NotifyEntries, requireMembers } from "./notify-entries.ts";
import { createNoticeSender, type UnsubscribeUrl } from "./send-notice.ts";
import { createNoticeSharer, type EmailRecipients } from "./share-notices.ts";

const lookMs = secondMs;
/** For an answer that somebody waits for. */
const testMs = 15 * secondMs;

export interface NoticeOptions {
  /** Signs notices to webhooks; null leaves them unsigned. */
  webhookSecret: string | null;
  /** Whether addresses outside of a team are asked before they get email. */
  confirmsMail: boolean;
}

/** What monitors say of themselves, and who gets their email. */
export interface MonitorNotices {
  write: NoticeWriter;
  recipients: EmailRecipients;
  unsubscribeUrl: UnsubscribeUrl;
}

export { createNotifyEntries };

export function createNotices(
  parts: OperationParts,
  entries: NotifyEntries,
  monitors: MonitorNotices,
  { webhookSecret, confirmsMail }: NoticeOptions,
) {
  const { store, clock, log, net, mailer, jobs } = parts;
  const { recipients, unsubscribeUrl } = monitors;
  const write = createNoticeWriter(store, monitors.write);
  const sender = createNoticeSender({ store, net, mailer, entries, write, webhookSecret, unsubscribeUrl });
  const sharer = createNoticeSharer({ store, clock, entries, recipients, write, publish: jobs.signals.publishEvents });
  let duty: Repetition | null = null;

  async function show(teamId: string) {
    const notify = (await entries.show([teamId])).get(teamId) ?? [];
    return { success: true as const, notify, ...warningOf(entries.warningsOf(notify)) };
  }

  return {
    operations: {
      listNotify: (_input, { teamId }) => show(teamId),

      async replaceNotify({ notify }, { teamId, baseUrl }) {
        const owner = { teamId, ownerId: teamId, baseUrl };
        const kept = await entries.accept(notify, owner);
        if (confirmsMail) await requireMembers(parts, kept, teamId);
        await store.transaction((statements) => entries.write(statements, kept, owner));
        return show(teamId);
      },

      async testNotify({ notifyId }, { teamId }) {
        const row = await store.notifyEntries.find(teamId, notifyId);
        if (!row) throw new ServiceError("NOTIFY_NOT_FOUND");
        const entry = entries.open(row);
        const at = clock.now();
        const notice = await write({ kind: "test", facts: {}, at }, teamId, row.baseUrl);
        const message = composeMessage(newId(at), notice ? [notice] : [], entry.template);
        const [to] = entry.channel === "email" ? await recipients(row, entry.to) : [];
        const { status, error } = await sender.send(row, message, to, AbortSignal.timeout(testMs));
        return { success: true, delivered: error === null, status, error };
      },
    } satisfies ServedOperations,

    /** Of the outbox. */
    deliver: sender.deliver,

    listEntries: (ownerId: string) => store.notifyEntries.list([ownerId]),

    /** Without the store, which may be what has a fault. True when a channel took it. */
    async sendNow(rows: readonly NotifyRow[], kind: NoticeKind, facts: Record<string, unknown>, signal: AbortSignal) {
      const at = clock.now();
      const sent = rows.map(async (row) => {
        const entry = entries.open(row);
        const notice = wants(entry, kind, 0) ? await write({ kind, facts, at }, row.teamId, row.baseUrl) : null;
        if (notice === null) return false;
        const { signal: limited, clear } = createDeadline(signal, testMs);
        const to = entry.channel === "email" ? entry.to[0] : undefined;
        const message = composeMessage(newId(at), [notice], entry.template);
        return (await sender.send(row, message, to, limited).finally(clear)).error === null;
      });
      return (await Promise.all(sent)).includes(true);
    },

    start(): void {
      duty = repeat(lookMs, sharer.shareDue, logFailure(log, "sharing out notices"));
    },

    async stop(): Promise<void> {
      await duty?.stop();
    },
  };
}
