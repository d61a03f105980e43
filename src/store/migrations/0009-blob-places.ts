// Bytes may lie outside of the database; the row then holds their checksum.
import type { Kysely, Migration } from "kysely";

export function createBlobPlaces(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable("blobs").addColumn("place", "text").execute();
    },
  };
}
