// What a page looked like when its changes were last asked for: one snapshot for each team, URL and tag.
import { sql } from "kysely";
import { excluded } from "../engine/changes.ts";
import type { Executor, InsertStatement } from "../engine/executor.ts";
import { oncePerKey } from "../engine/once-per-key.ts";
import { compressText, decompressText, type Packed } from "../schema/compression.ts";
import type { ChangeSnapshotsTable } from "../schema/tables.ts";

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

const upsertSnapshots: InsertStatement<ChangeSnapshotsTable, unknown> = {
  build: (db, rows) =>
    db
      .insertInto("change_snapshots")
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(["teamId", "snapshotKey"])
          .doUpdateSet(excluded(["scrapedAt", "encoding", "sizeBytes", "data"])),
      ),
};

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
        .where("teamId", "=", teamId)
        .where("snapshotKey", "=", key)
        .executeTakeFirst();
      if (!row) return null;
      return { scrapedAt: row.scrapedAt, text: await decompressText(row) };
    },

    /** Uncompressed bytes of all snapshots, for the limit on their total. */
    async sumBytes(): Promise<number> {
      const row = await db
        .selectFrom("change_snapshots")
        .select((build) => build.fn.sum<number | null>("sizeBytes").as("bytes"))
        .executeTakeFirst();
      return row?.bytes ?? 0;
    },

    async forgetOldest(limit: number): Promise<void> {
      const oldest = db
        .selectFrom("change_snapshots")
        .select(["teamId", "snapshotKey"])
        .orderBy("scrapedAt")
        .limit(limit);
      await db.deleteFrom("change_snapshots").where(sql`(team_id, snapshot_key)`, "in", oldest).execute();
    },
  };
}

function toRow({ key, ...snapshot }: PackedSnapshot): ChangeSnapshotsTable {
  return { snapshotKey: key, ...snapshot };
}
