// The deliveries of a team's webhooks, and sending one again.
import type { Caller } from "../../accounts/index.ts";
import { bareUrl, type Clock, cutPage, isoTime, readCursor, ServiceError } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { JobSignals } from "../../jobs/index.ts";
import type { Store, WebhookRecord } from "../../store/index.ts";

export interface DeliveryDeps {
  store: Pick<Store, "webhooks">;
  clock: Clock;
  /** Where the events of a job go; null when the job is gone. */
  readWebhook(jobId: string): Promise<{ url: string } | null>;
  signals: Pick<JobSignals, "publishEvents">;
}

type Delivery = OperationOutput<"listDeliveries">["deliveries"][number];

export function createDeliveryOperations({ store, clock, readWebhook, signals }: DeliveryDeps) {
  async function show(records: readonly WebhookRecord[]): Promise<Delivery[]> {
    const jobs = [...new Set(records.map(({ jobId }) => jobId))];
    const urls = new Map(await Promise.all(jobs.map(async (id) => [id, await urlOf(id)] as const)));
    return records.map((record) => ({
      id: record.id,
      event: record.type,
      url: urls.get(record.jobId) ?? "",
      status: record.status,
      attempts: record.attempts,
      lastError: record.lastError,
      at: isoTime(record.doneAt ?? record.createdAt),
    }));
  }

  /** Without credentials. '' when the job is gone. */
  async function urlOf(jobId: string): Promise<string> {
    const target = await readWebhook(jobId);
    return target ? bareUrl(target.url) : "";
  }

  return {
    async listDeliveries(
      { limit, cursor, jobId }: OperationInput<"listDeliveries">,
      { teamId }: Caller,
    ): Promise<OperationOutput<"listDeliveries">> {
      const before = cursor === undefined ? undefined : readCursor(cursor).rowId;
      // One extra row tells whether there is another page.
      const rows = await store.webhooks.page({ teamId, jobId, before, limit: limit + 1 });
      const { page, ...end } = cutPage(rows, limit, ({ id, createdAt }) => ({ createdAt, rowId: id }));
      return { success: true, deliveries: await show(page), cursor: end.cursor, has_more: end.hasMore };
    },

    async redeliver(
      { deliveryId }: OperationInput<"redeliver">,
      { teamId }: Caller,
    ): Promise<OperationOutput<"redeliver">> {
      const record = await store.webhooks.sendAgain(teamId, deliveryId, clock.now());
      if (!record) throw new ServiceError("DELIVERY_NOT_FOUND");
      signals.publishEvents();
      const [delivery] = await show([record]);
      return { success: true, ...(delivery ? { delivery } : {}) };
    },
  };
}
