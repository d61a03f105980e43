// The deliveries of a team's webhooks and notices, and sending one again.
import { bareUrl, cutPage, isoTime, readCursor, ServiceError } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { NotifyRow, WebhookRecord } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

type Delivery = OperationOutput<"listDeliveries">["deliveries"][number];

export function createDeliveryOperations({ store, clock, jobs: { readWebhook, signals } }: OperationParts) {
  async function show(records: readonly WebhookRecord[]): Promise<Delivery[]> {
    const jobs = [...new Set(records.map(({ jobId }) => jobId))];
    const entries = new Map((await store.notifyEntries.read(jobs)).map((row) => [row.id, row]));
    const urls = new Map(await Promise.all(jobs.map(async (id) => [id, await urlOf(id, entries.get(id))] as const)));
    return records.map((record) => ({
      id: record.id,
      event: record.type,
      url: urls.get(record.jobId) ?? "",
      ...channelOf(entries.get(record.jobId)),
      status: record.status,
      attempts: record.attempts,
      lastError: record.lastError,
      at: isoTime(record.doneAt ?? record.createdAt),
    }));
  }

  /** Without credentials. '' when the job or the entry that is told is gone, and for an entry without a URL. */
  async function urlOf(jobId: string, entry: NotifyRow | undefined): Promise<string> {
    if (entry) return String((JSON.parse(entry.shown) as { url?: string }).url ?? "");
    const target = await readWebhook(jobId);
    return target ? bareUrl(target.url) : "";
  }

  return {
    async listDeliveries({ limit, cursor, jobId }, { teamId }) {
      const before = cursor === undefined ? undefined : readCursor(cursor).rowId;
      // One extra row tells whether there is another page.
      const rows = await store.webhooks.page({ teamId, jobId, before, limit: limit + 1 });
      const { page, ...end } = cutPage(rows, limit, ({ id, createdAt }) => ({ createdAt, rowId: id }));
      return { success: true, deliveries: await show(page), cursor: end.cursor, has_more: end.hasMore };
    },

    async redeliver({ deliveryId }, { teamId }) {
      const record = await store.webhooks.sendAgain(teamId, deliveryId, clock.now());
      if (!record) throw new ServiceError("DELIVERY_NOT_FOUND");
      signals.publishEvents();
      const [delivery] = await show([record]);
      return { success: true, ...(delivery ? { delivery } : {}) };
    },
  } satisfies ServedOperations;
}

function channelOf(entry: NotifyRow | undefined): Pick<Delivery, "channel"> {
  return entry ? { channel: entry.channel } : {};
}
