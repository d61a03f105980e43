// Rules that pages of a host taught a team: one set for each host, schema and way of learning.
import { sql } from "kysely";
import { deleteFound } from "../engine/changes.ts";
import type { Executor } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";

export type StoredSiteRules = Omit<RowOf<"site_rules">, "teamId" | "kind" | "form">;

export type SiteRulesKey = Pick<RowOf<"site_rules">, "teamId" | "host" | "kind" | "form">;

export interface SiteRulesChange {
  /** Of a new set. */
  id: string;
  rules: string;
  /** Of the row that it was made from; 0 without one. */
  version: number;
  at: number;
  /** Of a team and kind; those that were used last stay. */
  most: number;
}

export function createSiteRulesStatements({ db }: Executor) {
  const columns = [
    ...(["id", "host", "rules", "version", "tries"] as const),
    ...(["createdAt", "updatedAt", "usedAt", "triedAt"] as const),
  ] as const;

  function change({ teamId, host, kind, form }: SiteRulesKey) {
    const ofTeam = db.updateTable("site_rules").where("teamId", "=", teamId);
    return ofTeam.where("host", "=", host).where("kind", "=", kind).where("form", "=", form);
  }

  /** Each new set makes room for itself, so there are never many too many. */
  async function makeRoom({ teamId, kind }: SiteRulesKey, most: number): Promise<void> {
    const surplus = sql`where team_id = ${teamId} and kind = ${kind} order by used_at desc, id desc limit 100 offset ${most}`;
    await deleteFound(db, "site_rules", "team_id, host, kind, form", surplus);
  }

  return {
    async find({ teamId, host, kind, form }: SiteRulesKey): Promise<StoredSiteRules | null> {
      const ofTeam = db.selectFrom("site_rules").select(columns).where("teamId", "=", teamId);
      const own = ofTeam.where("host", "=", host).where("kind", "=", kind).where("form", "=", form);
      return (await own.executeTakeFirst()) ?? null;
    },

    /** False when another process has changed it in the meantime: what that one learned stays. */
    async put(key: SiteRulesKey, { id, rules, version, at, most }: SiteRulesChange): Promise<boolean> {
      if (version > 0) {
        const changed = change(key).set({ rules, version: version + 1, updatedAt: at, usedAt: at });
        return (await changed.where("version", "=", version).returning("id").execute()).length > 0;
      }
      const { teamId, host, kind, form } = key;
      const times = { createdAt: at, updatedAt: at, usedAt: at, triedAt: 0, tries: 0 };
      const inserted = await db
        .insertInto("site_rules")
        .values({ teamId, host, kind, form, id, rules, version: 1, ...times })
        .onConflict((conflict) => conflict.columns(["teamId", "host", "kind", "form"]).doNothing())
        .returning("id")
        .execute();
      if (inserted.length > 0) await makeRoom(key, most);
      return inserted.length > 0;
    },

    async markUsed(key: SiteRulesKey, at: number): Promise<void> {
      await change(key).set({ usedAt: at }).execute();
    },

    /** Counts one more try to repair it. */
    async markTried(key: SiteRulesKey, { triedAt, tries }: Pick<StoredSiteRules, "triedAt" | "tries">): Promise<void> {
      await change(key).set({ triedAt, tries }).execute();
    },

    /** The extractors of a team, the latest first. */
    async list(teamId: string, limit: number): Promise<StoredSiteRules[]> {
      const ofTeam = db.selectFrom("site_rules").select(columns).where("teamId", "=", teamId);
      const latest = ofTeam.where("kind", "=", "extractor").orderBy("updatedAt", "desc").orderBy("id", "desc");
      return latest.limit(limit).execute();
    },

    /** Removes an extractor. False when the team has no such one. */
    async remove(teamId: string, id: string): Promise<boolean> {
      const ofTeam = db.deleteFrom("site_rules").where("teamId", "=", teamId).where("kind", "=", "extractor");
      return (await ofTeam.where("id", "=", id).returning("id").execute()).length > 0;
    },
  };
}
