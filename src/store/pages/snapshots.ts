// What a page looked like when its changes were last asked for: one snapshot for each team, URL and tag.
import { sql } from "kysely";
import type { Executor, InsertStatement } from "../engine/executor.ts";
import { oncePerKey } from "../engine/once-per-key.ts";
import { compress, decompress } from "../schema/compression.ts";
import type { ChangeSnapshotsTable } from "../schema/tables.ts";

export interface Snapshot {
  teamId: string;
  /** Hash of the URL and the tag. */
  key: string;
  scrapedAt: number;
  text: string;
}

/** Made ready for writing: packing takes time that no open transaction should wait for. */
export interface PackedSnapshot extends Omit<Snapshot, "text"> {
  encoding: string;
  sizeBytes: number;
  data: Uint8Array;
}

export async function packSnapshot({ text, ...snapshot }: Snapshot): Promise<PackedSnapshot> {
  const plain = Buffer.from(text);
  return { ...snapshot, ...(await compress(plain)), sizeBytes: plain.byteLength };
}

export type SnapshotStatements = ReturnType<typeof createSnapshotStatements>;

const upsertSnapshots: InsertStatement<ChangeSnapshotsTable, unknown> = {
  build: (db, rows) =>
    db
      .insertInto("change_snapshots")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["teamId", "snapshotKey"]).doUpdateSet((build) => ({
          scrapedAt: build.ref("excluded.scrapedAt"),
          encoding: build.ref("excluded.encoding"),
          sizeBytes: build.ref("excluded.sizeBytes"),
          data: build.ref("excluded.data"),
        })),
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
      const text = Buffer.from(await decompress(row.encoding, row.data, row.sizeBytes)).toString("utf8");
      return { scrapedAt: row.scrapedAt, text };
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

function toRow(snapshot: PackedSnapshot): ChangeSnapshotsTable {
  return {
    teamId: snapshot.teamId,
    snapshotKey: snapshot.key,
    scrapedAt: snapshot.scrapedAt,
    encoding: snapshot.encoding,
    sizeBytes: snapshot.sizeBytes,
    data: snapshot.data,
  };
}
