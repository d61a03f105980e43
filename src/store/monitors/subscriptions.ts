// Who gets the email of monitors: one row for each address of a monitor. It stays when the address is no longer named, so that
// no address is asked twice.
import type { Executor } from "../engine/executor.ts";
import { insertNew } from "../engine/inserts.ts";
import type { RowOf } from "../schema/tables.ts";

export type Subscription = RowOf<"monitor_subscriptions">;

const insertSubscriptions = insertNew<Subscription>("monitor_subscriptions", ["monitorId", "email"]);

export function createSubscriptionStatements({ db, insert }: Executor) {
  return {
    list(monitorId: string): Promise<Subscription[]> {
      return db.selectFrom("monitor_subscriptions").selectAll().where("monitorId", "=", monitorId).execute();
    },

    /** Addresses that have a row keep it as it is. */
    async add(subscriptions: readonly Subscription[]): Promise<void> {
      await insert(insertSubscriptions, subscriptions);
    },

    async change(
      { monitorId, email }: Pick<Subscription, "monitorId" | "email">,
      changes: Partial<Omit<Subscription, "monitorId" | "email">>,
    ): Promise<void> {
      await db
        .updateTable("monitor_subscriptions")
        .set(changes)
        .where((build) => build.and({ monitorId, email }))
        .execute();
    },

    /** An email that asks for consent and is due; the process that takes it has it until `until`. */
    async takeConsentRequest(now: number, until: number): Promise<Subscription | null> {
      const due = await db
        .selectFrom("monitor_subscriptions")
        .selectAll()
        .where("consentState", "=", "due")
        .where("consentNextAt", "<=", now)
        .orderBy("consentNextAt")
        .limit(1)
        .executeTakeFirst();
      if (!due) return null;
      const { monitorId, email, consentNextAt } = due;
      const changes = { consentNextAt: until, consentAttempts: due.consentAttempts + 1 };
      const taken = await db
        .updateTable("monitor_subscriptions")
        .set(changes)
        .where((build) => build.and({ monitorId, email, consentState: "due", consentNextAt }))
        .executeTakeFirst();
      return taken.numUpdatedRows === 1n ? { ...due, ...changes } : null;
    },
  };
}
