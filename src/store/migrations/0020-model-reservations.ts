import type { Kysely, Migration } from "kysely";
import { needed } from "./columns.ts";

/** Tokens of questions that are being asked; rows live as long as these do. */
export const modelReservationsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("model_reservations")
      .addColumn("team_id", "text", needed)
      .addColumn("id", "text", needed)
      .addColumn("tokens", "bigint", needed)
      .addColumn("until", "bigint", needed)
      .addPrimaryKeyConstraint("model_reservations_key", ["team_id", "id"])
      .execute();
  },
};
