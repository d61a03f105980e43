import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface StoreHealth {
  canRead: boolean;
  canWrite: boolean;
}

const probeId = "write";
/** More than a database without room could squeeze in; given back in the same transaction. */
const probePayload = "x".repeat(16 * 1024);

/** A real read and a real write; never throws. */
export async function checkHealth(db: Kysely<Tables>, now: number): Promise<StoreHealth> {
  const [canRead, canWrite] = await Promise.all([succeeds(read(db)), succeeds(write(db, now))]);
  return { canRead, canWrite };
}

async function read(db: Kysely<Tables>): Promise<void> {
  await db.selectFrom("teams").select("id").limit(1).execute();
}

async function write(db: Kysely<Tables>, now: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("health_probes")
      .values({ id: probeId, at: now, payload: probePayload })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ at: now, payload: probePayload }))
      .execute();
    await transaction.updateTable("health_probes").set({ payload: "" }).where("id", "=", probeId).execute();
  });
}

async function succeeds(probe: Promise<void>): Promise<boolean> {
  return probe.then(
    () => true,
    () => false,
  );
}
