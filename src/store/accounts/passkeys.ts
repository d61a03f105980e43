// Passkeys: what a device signs with, and which challenges were answered already.
import type { Kysely } from "kysely";
import type { Tables } from "../schema/tables.ts";

export interface Passkey {
  /** As the device names it, in base64url. */
  id: string;
  personId: string;
  name: string;
  /** SPKI in base64url. */
  publicKey: string;
  /** How often the device has signed; 0 where it does not count. */
  signCount: number;
  createdAt: number;
  usedAt: number | null;
}

export type PasskeyStatements = ReturnType<typeof createPasskeyStatements>;

export function createPasskeyStatements(db: Kysely<Tables>) {
  const read = () =>
    db
      .selectFrom("passkeys")
      .select(["id", "name", "personId", "publicKey", "signCount"])
      .select(["createdAt", "usedAt"]);

  return {
    /** False when the id is taken. */
    async add(passkey: Passkey): Promise<boolean> {
      const result = await db
        .insertInto("passkeys")
        .values({
          id: passkey.id,
          personId: passkey.personId,
          name: passkey.name,
          publicKey: passkey.publicKey,
          signCount: passkey.signCount,
          createdAt: passkey.createdAt,
          usedAt: passkey.usedAt,
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
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
      const result = await db
        .deleteFrom("passkeys")
        .where("id", "=", id)
        .where("personId", "=", personId)
        .executeTakeFirst();
      return result.numDeletedRows === 1n;
    },

    /** True for one caller only, however many send the same answer at once. */
    async spendChallenge(hash: string, expiresAt: number): Promise<boolean> {
      const result = await db
        .insertInto("spent_challenges")
        .values({ hash, expiresAt })
        .onConflict((conflict) => conflict.column("hash").doNothing())
        .executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
    },
  };
}
