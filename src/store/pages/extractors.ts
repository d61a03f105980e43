// Extractors that were learned for a team: one for each host, schema and prompt.
import type { Executor } from "../engine/executor.ts";

export interface StoredExtractor {
  id: string;
  host: string;
  /** JSON. */
  rules: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  usedAt: number;
  triedAt: number;
  tries: number;
}

/** Which one: of a host, for a schema and a prompt. */
export interface ExtractorKey {
  teamId: string;
  host: string;
  form: string;
}

export type ExtractorStatements = ReturnType<typeof createExtractorStatements>;

export function createExtractorStatements({ db }: Executor) {
  const columns = [
    "id",
    "host",
    "rules",
    "version",
    "created_at as createdAt",
    "updated_at as updatedAt",
    "used_at as usedAt",
    "tried_at as triedAt",
    "tries",
  ] as const;

  function change({ teamId, host, form }: ExtractorKey) {
    return db.updateTable("extractors").where("team_id", "=", teamId).where("host", "=", host).where("form", "=", form);
  }

  return {
    async find({ teamId, host, form }: ExtractorKey): Promise<StoredExtractor | null> {
      const row = await db
        .selectFrom("extractors")
        .select(columns)
        .where("team_id", "=", teamId)
        .where("host", "=", host)
        .where("form", "=", form)
        .executeTakeFirst();
      return row ?? null;
    },

    /** A new one, or the next version of the one that is there. Of a team's, the most that were used last stay. */
    async put({ teamId, host, form }: ExtractorKey, row: { id: string; rules: string; at: number; most: number }) {
      const { id, rules, at, most } = row;
      const times = { created_at: at, updated_at: at, used_at: at, tried_at: 0, tries: 0 };
      await db
        .insertInto("extractors")
        .values({ team_id: teamId, host, form, id, rules, version: 1, ...times })
        .onConflict((conflict) =>
          conflict.columns(["team_id", "host", "form"]).doUpdateSet((build) => ({
            rules: build.ref("excluded.rules"),
            version: build("extractors.version", "+", 1),
            updated_at: build.ref("excluded.updated_at"),
            used_at: build.ref("excluded.used_at"),
          })),
        )
        .execute();
      const extra = await db
        .selectFrom("extractors")
        .select("id")
        .where("team_id", "=", teamId)
        .orderBy("used_at", "desc")
        .orderBy("id", "desc")
        .offset(most)
        .limit(100)
        .execute();
      const ids = extra.map((one) => one.id);
      if (ids.length > 0)
        await db.deleteFrom("extractors").where("team_id", "=", teamId).where("id", "in", ids).execute();
    },

    async markUsed(key: ExtractorKey, at: number): Promise<void> {
      await change(key).set({ used_at: at }).execute();
    },

    /** Counts one more try to repair it. */
    async markTried(key: ExtractorKey, { triedAt, tries }: Pick<StoredExtractor, "triedAt" | "tries">): Promise<void> {
      await change(key).set({ tried_at: triedAt, tries }).execute();
    },

    /** The latest first. */
    async list(teamId: string, limit: number): Promise<StoredExtractor[]> {
      return db
        .selectFrom("extractors")
        .select(columns)
        .where("team_id", "=", teamId)
        .orderBy("updated_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
    },

    /** False when the team has no such one. */
    async remove(teamId: string, id: string): Promise<boolean> {
      const removed = await db
        .deleteFrom("extractors")
        .where("team_id", "=", teamId)
        .where("id", "=", id)
        .returning("id")
        .execute();
      return removed.length > 0;
    },
  };
}
