// Extractors that were learnt for a team: one for each host, schema and prompt.
import type { Executor } from "../engine/executor.ts";

export interface StoredExtractor {
  id: string;
  host: string;
  /** JSON. */
  rules: string;
  version: number;
  createdAt: number;
  updatedAt: number;
}

export type ExtractorStatements = ReturnType<typeof createExtractorStatements>;

export function createExtractorStatements({ db }: Executor) {
  const columns = ["id", "host", "rules", "version", "created_at as createdAt", "updated_at as updatedAt"] as const;
  return {
    async find(teamId: string, host: string, form: string): Promise<StoredExtractor | null> {
      const row = await db
        .selectFrom("extractors")
        .select(columns)
        .where("team_id", "=", teamId)
        .where("host", "=", host)
        .where("form", "=", form)
        .executeTakeFirst();
      return row ?? null;
    },

    /** A new one, or the next version of the one that is there. */
    async put(teamId: string, form: string, { id, host, rules, updatedAt }: StoredExtractor): Promise<void> {
      await db
        .insertInto("extractors")
        .values({
          team_id: teamId,
          host,
          form,
          id,
          rules,
          version: 1,
          created_at: updatedAt,
          updated_at: updatedAt,
        })
        .onConflict((conflict) =>
          conflict.columns(["team_id", "host", "form"]).doUpdateSet((build) => ({
            rules: build.ref("excluded.rules"),
            version: build("extractors.version", "+", 1),
            updated_at: build.ref("excluded.updated_at"),
          })),
        )
        .execute();
    },

    async list(teamId: string, limit: number): Promise<StoredExtractor[]> {
      return db
        .selectFrom("extractors")
        .select(columns)
        .where("team_id", "=", teamId)
        .orderBy("updated_at", "desc")
        .orderBy("id")
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
