// What a page looked like when its changes were last asked for: one snapshot for each team, URL and tag.

import { sql } from "kysely";
import { deleteFound } from "../engine/changes.ts";
import type { Executor } from "../engine/executor.ts";
import { upsertRows } from "../engine/inserts.ts";
import { oncePerKey } from "../engine/once-per-key.ts";
import { sumAll } from "../engine/totals.ts";
import { compressText, decompressText, type Packed } from "../schema/compression.ts";
import type { RowOf } from "../schema/tables.ts";

export interface Snapshot {
  teamId: string;
  /** Hash of the URL and the tag. */
  key: string;
  scrapedAt: number;
  text: string;
}

export type PackedSnapshot = Packed<Omit<Snapshot, "text">>;

export async function packSnapshot({ text, ...snapshot }: Snapshot): Promise<PackedSnapshot> {
  return { ...snapshot, ...(await compressText(text)) };
}

const upsertSnapshots = upsertRows<RowOf<"change_snapshots">>("change_snapshots", ["teamId", "snapshotKey"], {
  set: ["scrapedAt", "encoding", "sizeBytes", "data"],
});

export function createSnapshotStatements({ db, insert }: Executor) {
  return {
    /** Each takes the place of the one before it. */
    async put(snapshots: readonly PackedSnapshot[]): Promise<void> {
      await insert(
        upsertSnapshots,
        oncePerKey(snapshots.map(toRow), (row) => row.teamId + row.snapshotKey),
      );
    },

    async find(teamId: string, key: string): Promise<Pick<Snapshot, "scrapedAt" | "text"> | null> {
      const row = await db
        .selectFrom("change_snapshots")
        .select(["scrapedAt", "encoding", "sizeBytes", "data"])
        .where((build) => build.and({ teamId, snapshotKey: key }))
        .executeTakeFirst();
      if (!row) return null;
      return { scrapedAt: row.scrapedAt, text: await decompressText(row) };
    },

    /** Uncompressed bytes of all snapshots, for the limit on their total. */
    sumBytes: (): Promise<number> => sumAll(db.selectFrom("change_snapshots"), "size_bytes"),

    async forgetOldest(limit: number): Promise<void> {
      await deleteFound(db, "change_snapshots", "team_id, snapshot_key", sql`order by scraped_at limit ${limit}`);
    },
  };
}

function toRow({ key, ...snapshot }: PackedSnapshot): RowOf<"change_snapshots"> {
  return { snapshotKey: key, ...snapshot };
}
