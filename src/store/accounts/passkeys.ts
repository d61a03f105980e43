// Passkeys: what a device signs with, and which challenges were answered already.
import type { Kysely } from "kysely";
import { changesRow } from "../engine/changes.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type Passkey = RowOf<"passkeys">;

export function createPasskeyStatements(db: Kysely<Tables>) {
  const read = () => db.selectFrom("passkeys").selectAll();
  return {
    /** False when the id is taken. */
    async add(passkey: Passkey): Promise<boolean> {
      return changesRow(
        db
          .insertInto("passkeys")
          .values(passkey)
          .onConflict((conflict) => conflict.column("id").doNothing()),
      );
    },

    async find(id: string): Promise<Passkey | null> {
      return (await read().where("id", "=", id).executeTakeFirst()) ?? null;
    },

    /** Oldest first. */
    listOf(personId: string): Promise<Passkey[]> {
      return read().where("personId", "=", personId).orderBy("createdAt").orderBy("id").execute();
    },

    async noteUse(id: string, signCount: number, now: number): Promise<void> {
      await db.updateTable("passkeys").set({ signCount, usedAt: now }).where("id", "=", id).execute();
    },

    /** False when the person has no such passkey. */
    async remove(personId: string, id: string): Promise<boolean> {
      return changesRow(db.deleteFrom("passkeys").where("id", "=", id).where("personId", "=", personId));
    },

    /** True for one caller only, however many send the same answer at once. */
    async spendChallenge(hash: string, expiresAt: number): Promise<boolean> {
      return changesRow(
        db
          .insertInto("spent_challenges")
          .values({ hash, expiresAt })
          .onConflict((conflict) => conflict.column("hash").doNothing()),
      );
    },
  };
}
