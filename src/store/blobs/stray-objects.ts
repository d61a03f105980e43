// Compares what lies outside with the rows that name it.

import type { Kysely } from "kysely";
import { hourMs } from "../../base/index.ts";
import { countAll } from "../engine/totals.ts";
import type { Tables } from "../schema/tables.ts";
import type { BlobPlace, PlaceName } from "./blob-place.ts";

export interface PlaceState {
  place: PlaceName;
  /** Objects that no row names. */
  strays: string[];
  /** Rows whose object is gone. */
  missing: number;
}

/** A younger one may be waiting for its row. */
const youngMs = hourMs;

export async function examinePlace(db: Kysely<Tables>, place: BlobPlace, now: number): Promise<PlaceState> {
  const strays: string[] = [];
  let present = 0;
  for await (const objects of place.list()) {
    if (objects.length === 0) continue;
    const ids = objects.map(({ id }) => id);
    const rows = await db
      .selectFrom("blobs")
      .select("id")
      .where("id", "in", ids)
      .where("place", "=", place.name)
      .execute();
    const named = new Set(rows.map(({ id }) => id));
    present += named.size;
    for (const { id, changedAt } of objects) if (!named.has(id) && changedAt < now - youngMs) strays.push(id);
  }
  const rows = await countAll(db.selectFrom("blobs").where("place", "=", place.name));
  return { place: place.name, strays, missing: Math.max(0, rows - present) };
}
