// What a team lets its flows type: each sealed, and bound to hosts.
import type { Kysely } from "kysely";
import { changesRow } from "../engine/changes.ts";
import { countAll } from "../engine/totals.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type StoredSecret = RowOf<"team_secrets">;
export type NewSecret = Pick<StoredSecret, "teamId" | "name" | "kind" | "sealed" | "hosts">;

export function createSecretStatements(db: Kysely<Tables>) {
  const one = (teamId: string, name: string) => ({ teamId, name });

  return {
    /** Replaces one of the same name; its codes are as if none had been typed. */
    async put({ teamId, name, kind, sealed, hosts }: NewSecret, now: number): Promise<StoredSecret> {
      const content = { kind, sealed, hosts, updatedAt: now, lastPeriod: null };
      return db
        .insertInto("team_secrets")
        .values({ teamId, name, createdAt: now, lastUsedAt: null, ...content })
        .onConflict((conflict) => conflict.columns(["teamId", "name"]).doUpdateSet(content))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    /** By name. */
    list: (teamId: string): Promise<StoredSecret[]> =>
      db.selectFrom("team_secrets").selectAll().where("teamId", "=", teamId).orderBy("name").execute(),

    async read(teamId: string, names: readonly string[]): Promise<StoredSecret[]> {
      if (names.length === 0) return [];
      const mine = db.selectFrom("team_secrets").selectAll().where("teamId", "=", teamId);
      return mine.where("name", "in", [...names]).execute();
    },

    /** How many the team has beside this one. */
    countOthers: (teamId: string, name: string): Promise<number> =>
      countAll(db.selectFrom("team_secrets").where("teamId", "=", teamId).where("name", "!=", name)),

    async noteUse(teamId: string, name: string, now: number): Promise<void> {
      const build = db.updateTable("team_secrets").set({ lastUsedAt: now });
      await build.where((where) => where.and(one(teamId, name))).execute();
    },

    /** False when the code of this period, or of a later one, has been typed before. */
    async takePeriod(teamId: string, name: string, period: number): Promise<boolean> {
      return changesRow(
        db
          .updateTable("team_secrets")
          .set({ lastPeriod: period })
          .where((where) => where.and(one(teamId, name)))
          .where((where) => where.or([where("lastPeriod", "is", null), where("lastPeriod", "<", period)])),
      );
    },

    /** False when the team has no such secret. */
    delete: (teamId: string, name: string): Promise<boolean> =>
      changesRow(db.deleteFrom("team_secrets").where((where) => where.and(one(teamId, name)))),
  };
}
