import type { Executor, FixedStatement, InsertStatement } from "../engine/executor.ts";
import { compress, decompress } from "../schema/compression.ts";
import type { BlobsTable } from "../schema/tables.ts";

export interface Blob {
  id: string;
  teamId: string;
  createdAt: number;
  /** Null means it is kept until it is deleted. */
  expiresAt: number | null;
  data: Uint8Array;
}

/** A blob made ready for writing: packing takes time that no open transaction should wait for. */
export interface PackedBlob extends Blob {
  encoding: string;
  sizeBytes: number;
}

export async function packBlob(blob: Blob): Promise<PackedBlob> {
  const { id, teamId, createdAt, expiresAt } = blob;
  const { encoding, data } = await compress(blob.data);
  return { id, teamId, createdAt, expiresAt, data, encoding, sizeBytes: blob.data.byteLength };
}

export type BlobStatements = ReturnType<typeof createBlobStatements>;

const insertBlobs: InsertStatement<BlobsTable, unknown> = {
  build: (db, rows) => db.insertInto("blobs").values(rows),
};

const findBlob: FixedStatement<
  [teamId: string, id: string, now: number],
  Pick<BlobsTable, "encoding" | "size_bytes" | "data">
> = {
  valueCount: 3,
  build: (db, [teamId, id, now]) =>
    db
      .selectFrom("blobs")
      .select(["encoding", "size_bytes", "data"])
      .where("id", "=", id)
      .where("team_id", "=", teamId)
      .where((build) => build.or([build("expires_at", "is", null), build("expires_at", ">", now)])),
};

const findByIdAlone: FixedStatement<[id: string, now: number], Pick<BlobsTable, "encoding" | "size_bytes" | "data">> = {
  valueCount: 2,
  build: (db, [id, now]) =>
    db
      .selectFrom("blobs")
      .select(["encoding", "size_bytes", "data"])
      .where("id", "=", id)
      .where("expires_at", ">", now),
};

export function createBlobStatements({ db, run, insert }: Executor) {
  return {
    async put(blobs: readonly PackedBlob[]): Promise<void> {
      await insert(insertBlobs, blobs.map(toRow));
    },

    /** Null when the team has no such blob or it has expired, whether or not it was purged yet. */
    async get(teamId: string, id: string, now: number): Promise<Uint8Array | null> {
      const [row] = await run(findBlob, [teamId, id, now]);
      return row ? decompress(row.encoding, row.data, row.size_bytes) : null;
    },

    /** For blobs with unguessable ids: knowing the id is enough to read it. */
    async getById(id: string, now: number): Promise<Uint8Array | null> {
      const [row] = await run(findByIdAlone, [id, now]);
      return row ? decompress(row.encoding, row.data, row.size_bytes) : null;
    },

    /** Lets blobs live longer, never shorter. False when one of them is gone. */
    async renew(teamId: string, ids: readonly string[], expiresAt: number, now: number): Promise<boolean> {
      if (ids.length === 0) return true;
      const renewed = await db
        .updateTable("blobs")
        .set((build) => ({
          expires_at: build
            .case()
            .when("expires_at", "<", expiresAt)
            .then(expiresAt)
            .else(build.ref("expires_at"))
            .end(),
        }))
        .where("id", "in", [...ids])
        .where("team_id", "=", teamId)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      return renewed.numUpdatedRows === BigInt(ids.length);
    },

    /** False when the team has no such blob. */
    async delete(teamId: string, id: string): Promise<boolean> {
      const result = await db.deleteFrom("blobs").where("id", "=", id).where("team_id", "=", teamId).executeTakeFirst();
      return result.numDeletedRows === 1n;
    },
  };
}

function toRow(blob: PackedBlob): BlobsTable {
  return {
    id: blob.id,
    team_id: blob.teamId,
    created_at: blob.createdAt,
    expires_at: blob.expiresAt,
    encoding: blob.encoding,
    size_bytes: blob.sizeBytes,
    data: blob.data,
  };
}
