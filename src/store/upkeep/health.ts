import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

export interface StoreHealth {
  canRead: boolean;
  canWrite: boolean;
}

const probeId = "write";
/** More than a database without room could squeeze in; given back in the same transaction. */
const probePayload = "x".repeat(16 * 1024);

/** A probe that takes longer has failed: readiness probes wait a few seconds at most. */
const probeTimeoutMs = 2000;

/** A real read and a real write, each with its own result and time limit; the check never throws. */
export function createStoreProbe(db: Kysely<Tables>): (now: number) => Promise<StoreHealth> {
  // One at a time, shared by all who ask meanwhile: behind a blocked write, probes would pile up.
  let writing: Promise<boolean> | null = null;

  function probeWriting(now: number): Promise<boolean> {
    writing ??= succeeds(write(db, now)).finally(() => {
      writing = null;
    });
    return writing;
  }

  return async (now) => {
    const [canRead, canWrite] = await Promise.all([inTime(succeeds(read(db))), inTime(probeWriting(now))]);
    return { canRead, canWrite };
  };
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

/** False when the answer takes too long. */
function inTime(probe: Promise<boolean>): Promise<boolean> {
  return Promise.race([probe, wait(probeTimeoutMs, false, { ref: false })]);
}
