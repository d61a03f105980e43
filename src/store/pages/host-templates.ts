// Templates that pages of a host taught a team: one for each host and schema.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";

/** Which one: of a host, for a schema. */
export interface SiteTemplateKey {
  teamId: string;
  host: string;
  form: string;
}

export interface StoredSiteTemplate {
  /** JSON. */
  template: string;
  version: number;
  usedAt: number;
}

export interface SiteTemplateChange {
  template: string;
  /** Of the row that it was made from; 0 when there was none. */
  version: number;
  at: number;
  /** Of a team; those that were used last stay. */
  most: number;
}

export type SiteTemplateStatements = ReturnType<typeof createSiteTemplateStatements>;

export function createSiteTemplateStatements({ db }: Executor) {
  /** More than a few are never too many: each new one makes room for itself. */
  async function makeRoom(teamId: string, most: number): Promise<void> {
    const extra = db
      .selectFrom("site_templates")
      .select(["team_id", "host", "form"])
      .where("team_id", "=", teamId)
      .orderBy("used_at", "desc")
      .orderBy("host")
      .orderBy("form")
      .offset(most)
      .limit(100);
    await db.deleteFrom("site_templates").where(sql`(team_id, host, form)`, "in", extra).execute();
  }

  return {
    async find({ teamId, host, form }: SiteTemplateKey): Promise<StoredSiteTemplate | null> {
      const row = await db
        .selectFrom("site_templates")
        .select(["template", "version", "used_at as usedAt"])
        .where("team_id", "=", teamId)
        .where("host", "=", host)
        .where("form", "=", form)
        .executeTakeFirst();
      return row ?? null;
    },

    /** False when another process has written it in the meantime: what it learned stays. */
    async put({ teamId, host, form }: SiteTemplateKey, change: SiteTemplateChange): Promise<boolean> {
      const { template, version, at, most } = change;
      if (version > 0) {
        const updated = await db
          .updateTable("site_templates")
          .set({ template, version: version + 1, used_at: at })
          .where("team_id", "=", teamId)
          .where("host", "=", host)
          .where("form", "=", form)
          .where("version", "=", version)
          .returning("version")
          .execute();
        return updated.length > 0;
      }
      const inserted = await db
        .insertInto("site_templates")
        .values({ team_id: teamId, host, form, template, version: 1, used_at: at })
        .onConflict((conflict) => conflict.columns(["team_id", "host", "form"]).doNothing())
        .returning("version")
        .execute();
      if (inserted.length > 0) await makeRoom(teamId, most);
      return inserted.length > 0;
    },
  };
}
