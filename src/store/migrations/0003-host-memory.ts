// What all processes know of the hosts that a team has asked: their pace, what came back, and which rung of the ladder
// reaches them.
import { type Kysely, type Migration, sql } from "kysely";
import type { ColumnTypes } from "../engine/engine.ts";
import { counter, needed } from "./baseline/columns.ts";

export function createHostMemory({ rowless }: ColumnTypes): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("host_memory")
        .addColumn("team_id", "text", needed)
        .addColumn("host", "text", needed)
        .addColumn("seen_at", "bigint", needed)
        .addColumn("delay_ms", "integer", counter)
        .addColumn("last_429_at", "bigint")
        .addColumn("robots", "text")
        .addColumn("verdicts", "text", needed)
        .addColumn("attempt", "text")
        .addColumn("attempt_since", "bigint")
        .addColumn("attempt_ms", "integer")
        .addColumn("sealed_cookies", "text")
        .addPrimaryKeyConstraint("host_memory_key", ["team_id", "host"])
        .modifyEnd(sql.raw(rowless))
        .execute();
      await db.schema.createIndex("host_memory_by_time").on("host_memory").column("seen_at").execute();
    },
  };
}
