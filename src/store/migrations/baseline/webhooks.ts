import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../../engine/engine.ts";
import { needed } from "./columns.ts";

export async function createWebhookTables(db: Kysely<unknown>, { rowless }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("webhook_events")
    .addColumn("id", "text", needed)
    .addColumn("team_id", "text", needed)
    .addColumn("job_id", "text", needed)
    .addColumn("ordinal", "bigint", needed)
    .addColumn("type", "text", needed)
    .addColumn("created_at", "bigint", needed)
    .addColumn("result_seq", "bigint")
    .addColumn("page_error", "text")
    .addColumn("error", "text")
    .addColumn("status", "text", needed)
    .addColumn("attempts", "bigint", needed)
    .addColumn("next_at", "bigint", needed)
    .addColumn("last_status", "bigint")
    .addColumn("last_error", "text")
    .addColumn("done_at", "bigint")
    .addColumn("lease_owner", "text")
    .addColumn("lease_until", "bigint")
    .addPrimaryKeyConstraint("webhook_events_id", ["id"])
    .modifyEnd(sql.raw(rowless))
    .execute();

  // One index for each of a job's two queues and one for the purge; a row is in one of them at a time.
  await db.schema
    .createIndex("webhook_events_first")
    .on("webhook_events")
    .columns(["job_id", "ordinal", "id"])
    .where(sql.ref("done_at"), "is", null)
    .where(sql.ref("attempts"), "=", 0)
    .execute();
  await db.schema
    .createIndex("webhook_events_again")
    .on("webhook_events")
    .columns(["job_id", "next_at", "id"])
    .where(sql.ref("done_at"), "is", null)
    .where(sql.ref("attempts"), ">", 0)
    .execute();
  await db.schema
    .createIndex("webhook_events_done")
    .on("webhook_events")
    .column("done_at")
    .where(sql.ref("done_at"), "is not", null)
    .execute();
}
