// Answers of MCP that were cut, kept for those who read on, on whichever server: a bounded number for each team.
import { sql } from "kysely";
import { deleteFound } from "../engine/changes.ts";
import type { Executor } from "../engine/executor.ts";
import { compressText, decompressText } from "../schema/compression.ts";
import type { RowOf } from "../schema/tables.ts";

type ReadingKey = Pick<RowOf<"readings">, "id" | "teamId" | "tool">;

const mostOfTeam = 200;

export function createReadingStatements({ db }: Executor) {
  return {
    /** The oldest of the team make room. */
    async keep(reading: ReadingKey & Pick<RowOf<"readings">, "createdAt" | "expiresAt">, text: string): Promise<void> {
      await db
        .insertInto("readings")
        .values({ ...reading, ...(await compressText(text)) })
        .execute();
      const { teamId } = reading;
      const surplus = sql`where team_id = ${teamId} order by created_at desc, id desc limit 1000 offset ${mostOfTeam}`;
      await deleteFound(db, "readings", "id", surplus);
    },

    /** Null for one that was not kept, has expired, or is another team's or tool's. */
    async find(key: ReadingKey, now: number): Promise<string | null> {
      const row = await db
        .selectFrom("readings")
        .select(["encoding", "sizeBytes", "data"])
        .where((build) => build.and({ ...key }))
        .where("expiresAt", ">", now)
        .executeTakeFirst();
      return row ? decompressText(row) : null;
    },
  };
}
