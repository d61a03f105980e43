// From what happened to messages in the outbox: a notice is shared out among the entries that want it, waits until their time, and
// becomes a message, alone or with the others that waited.
import { newId } from "../../base/index.ts";
import type { NewWebhookEvent, NotifyRow, Statements, StoredNotice } from "../../store/index.ts";
import type { KeptEntry, NoticeWriter } from "../parts/notice-parts.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { collects, dueAt, wants } from "./notice-times.ts";
import type { NotifyEntries } from "./notify-entries.ts";

/** Taken at once; a message of a digest holds no more. */
const batch = 100;

/** Who gets the email of an entry: of a monitor those who agreed, of a team its members. */
export type EmailRecipients = (row: NotifyRow, to: readonly string[]) => Promise<string[]>;

export interface NoticeSharerParts extends Pick<OperationParts, "store" | "clock"> {
  entries: NotifyEntries;
  recipients: EmailRecipients;
  write: NoticeWriter;
  /** Wakes those who deliver. */
  publish(): void;
}

interface OpenEntry {
  row: NotifyRow;
  entry: KeptEntry;
  /** Undefined for a channel that has no addresses. */
  recipients: readonly string[] | undefined;
}

/** `shares`: what the entries are told of a notice that is new. */
interface Shared {
  notice: StoredNotice;
  shares: StoredNotice[];
}

export function createNoticeSharer({
  store,
  clock,
  entries,
  recipients,
  write: writeNotice,
  publish,
}: NoticeSharerParts) {
  /** Rows for the entries that are told. */
  async function shareOut(notice: StoredNotice): Promise<StoredNotice[]> {
    if (notice.kind === "job.failed" && (await store.checks.ownsJob(factsOf(notice).jobId))) return [];
    const rows = await store.notifyEntries.list([notice.ownerId]);
    const told = { kind: notice.kind, facts: factsOf(notice), at: notice.createdAt };
    // What is only noise is told to no entry.
    if (rows.length === 0 || (await writeNotice(told, notice.teamId, "")) === null) return [];
    return rows.flatMap((row) => {
      const entry = entries.open(row);
      if (!wants(entry, notice.kind, Number(factsOf(notice).failures ?? 0))) return [];
      return [{ ...notice, id: newId(notice.createdAt), entryId: row.id, dueAt: dueAt(entry, notice.createdAt) }];
    });
  }

  async function openEntries(ids: readonly string[]): Promise<Map<string, OpenEntry>> {
    const opened = new Map<string, OpenEntry>();
    for (const row of await store.notifyEntries.read([...new Set(ids)])) {
      const entry = entries.open(row);
      const addresses = entry.channel === "email" ? await recipients(row, entry.to) : undefined;
      opened.set(row.id, { row, entry, recipients: addresses });
    }
    return opened;
  }

  /** What another process has taken, it has shared out and told. */
  async function write(statements: Statements, due: readonly Shared[], opened: Map<string, OpenEntry>) {
    const taken = await statements.notices.take(due.map(({ notice }) => notice.id));
    const ours = due.filter(({ notice }) => taken.has(notice.id));
    await statements.notices.add(ours.flatMap(({ shares }) => shares));
    const byEntry = new Map<string, StoredNotice[]>();
    for (const { notice } of ours) byEntry.set(notice.entryId, [...(byEntry.get(notice.entryId) ?? []), notice]);
    const now = clock.now();
    const events = [...byEntry].flatMap(([id, notices]) => {
      const entry = opened.get(id);
      return entry ? messagesOf(entry, notices, now) : [];
    });
    await statements.webhooks.enqueue(events);
    return events.length;
  }

  return {
    /** Everything whose time has come. */
    async shareDue(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const due = await store.notices.listDue(clock.now(), batch);
        if (due.length === 0) return;
        const shared: Shared[] = [];
        for (const notice of due) shared.push({ notice, shares: notice.entryId === "" ? await shareOut(notice) : [] });
        const opened = await openEntries(due.map(({ entryId }) => entryId).filter(Boolean));
        const written = await store.transaction((statements) => write(statements, shared, opened));
        if (written > 0) publish();
      }
    },
  };
}

/** One message to each recipient: of each notice, or of all that waited. */
function messagesOf(
  { row, entry, recipients }: OpenEntry,
  notices: readonly StoredNotice[],
  now: number,
): NewWebhookEvent[] {
  const groups = collects(entry) ? [notices] : notices.map((notice) => [notice]);
  return groups.flatMap((group) =>
    (recipients ?? [undefined]).map((recipient) => {
      const told = group.map((notice) => ({ kind: notice.kind, facts: factsOf(notice), at: notice.createdAt }));
      const type = group.length > 1 ? "notice.digest" : `notice.${group[0]?.kind}`;
      const notice = JSON.stringify({ ...(recipient === undefined ? {} : { recipient }), notices: told });
      const about = { teamId: row.teamId, jobId: row.id, type, createdAt: now };
      return { id: newId(now), ...about, result: null, pageError: null, error: null, notice };
    }),
  );
}

function factsOf({ facts }: StoredNotice): Record<string, unknown> & { jobId: string } {
  return JSON.parse(facts);
}
