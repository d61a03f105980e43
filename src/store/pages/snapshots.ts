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
        conflict.columns(["team_id", "snapshot_key"]).doUpdateSet((build) => ({
          scraped_at: build.ref("excluded.scraped_at"),
          encoding: build.ref("excluded.encoding"),
          size_bytes: build.ref("excluded.size_bytes"),
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
        oncePerKey(snapshots.map(toRow), (row) => row.team_id + row.snapshot_key),
      );
    },

    async find(teamId: string, key: string): Promise<Pick<Snapshot, "scrapedAt" | "text"> | null> {
      const row = await db
        .selectFrom("change_snapshots")
        .select(["scraped_at", "encoding", "size_bytes", "data"])
        .where("team_id", "=", teamId)
        .where("snapshot_key", "=", key)
        .executeTakeFirst();
      if (!row) return null;
      const text = Buffer.from(await decompress(row.encoding, row.data, row.size_bytes)).toString("utf8");
      return { scrapedAt: row.scraped_at, text };
    },

    /** Uncompressed bytes of all snapshots, for the limit on their total. */
    async sumBytes(): Promise<number> {
      const row = await db
        .selectFrom("change_snapshots")
        .select((build) => build.fn.sum<number | null>("size_bytes").as("bytes"))
        .executeTakeFirst();
      return row?.bytes ?? 0;
    },

    async forgetOldest(limit: number): Promise<void> {
      const oldest = db
        .selectFrom("change_snapshots")
        .select(["team_id", "snapshot_key"])
        .orderBy("scraped_at")
        .limit(limit);
      await db.deleteFrom("change_snapshots").where(sql`(team_id, snapshot_key)`, "in", oldest).execute();
    },
  };
}

function toRow(snapshot: PackedSnapshot): ChangeSnapshotsTable {
  return {
    team_id: snapshot.teamId,
    snapshot_key: snapshot.key,
    scraped_at: snapshot.scrapedAt,
    encoding: snapshot.encoding,
    size_bytes: snapshot.sizeBytes,
    data: snapshot.data,
  };
}
