import type { Kysely } from "kysely";
import type { Outside } from "../blobs/outside.ts";
import { changesRow } from "../engine/changes.ts";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import { insertRows } from "../engine/inserts.ts";
import { compress, decompress } from "../schema/compression.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type Blob = Pick<RowOf<"blobs">, "id" | "teamId" | "createdAt" | "expiresAt" | "data">;

/** A blob made ready for writing: packing takes time that no open transaction should wait for. */
export interface PackedBlob extends RowOf<"blobs"> {
  /** What it takes, wherever it lies. */
  packedBytes: number;
}

export interface OpenedBlob {
  sizeBytes: number;
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** `isCompact`: what hardly shrinks, such as pictures, is kept as it is. */
export type PackBlob = (blob: Blob & { isCompact?: boolean }) => Promise<PackedBlob>;

/** For the row itself. */
export const packBlob: PackBlob = async ({ isCompact = false, ...blob }) => {
  const { id, teamId, createdAt, expiresAt } = blob;
  const { encoding, data } = isCompact
    ? ({ encoding: "identity", data: blob.data } as const)
    : await compress(blob.data);
  const sizes = { sizeBytes: blob.data.byteLength, packedBytes: data.byteLength };
  return { id, teamId, createdAt, expiresAt, data, place: null, encoding, ...sizes };
};

const insertBlobs = insertRows<RowOf<"blobs">>("blobs");

type FoundBlob = Pick<RowOf<"blobs">, "id" | "encoding" | "sizeBytes" | "data" | "place">;

const selectBlob = (db: Kysely<Tables>, id: string) =>
  db.selectFrom("blobs").select(["id", "encoding", "sizeBytes", "data", "place"]).where("id", "=", id);

const findBlob: FixedStatement<[teamId: string, id: string, now: number], FoundBlob> = (db, [teamId, id, now]) =>
  selectBlob(db, id)
    .where("teamId", "=", teamId)
    .where((build) => build.or([build("expiresAt", "is", null), build("expiresAt", ">", now)]));

const findByIdAlone: FixedStatement<[id: string, now: number], FoundBlob> = (db, [id, now]) =>
  selectBlob(db, id).where("expiresAt", ">", now);

export function createBlobStatements({ db, run, insert }: Executor, outside: Outside) {
  /** What lies elsewhere and is gone or damaged is as if it had never been kept. */
  async function read({ id, encoding, sizeBytes, data, place }: FoundBlob): Promise<Uint8Array | null> {
    if (place === null) return decompress(encoding, data, sizeBytes);
    const packed = await outside.get(id, { place, digest: data }, sizeBytes);
    return packed && decompress(encoding, packed, sizeBytes);
  }

  /** Writes the bytes outside where that is set; what then never gets a row is found by `trawl store check`. */
  const pack: PackBlob = async (blob) => {
    const packed = await packBlob(blob);
    const placed = await outside.put(blob.id, packed.data);
    return placed === null ? packed : { ...packed, place: placed.place, data: placed.digest };
  };

  return {
    pack,

    async put(blobs: readonly PackedBlob[]): Promise<void> {
      await insert(insertBlobs, blobs.map(toRow));
    },

    /** Null when the team has no such blob or it has expired, whether or not it was purged yet. */
    async get(teamId: string, id: string, now: number): Promise<Uint8Array | null> {
      const [row] = await run(findBlob, [teamId, id, now]);
      return row ? read(row) : null;
    },

    /** For blobs with unguessable ids: knowing the id is enough to read it. */
    async getById(id: string, now: number): Promise<Uint8Array | null> {
      const [row] = await run(findByIdAlone, [id, now]);
      return row ? read(row) : null;
    },

    /** The same for handing it on: large ones that lie elsewhere come in parts. */
    async openById(id: string, now: number): Promise<OpenedBlob | null> {
      const [row] = await run(findByIdAlone, [id, now]);
      if (!row) return null;
      const { encoding, sizeBytes, data: digest, place } = row;
      if (place === null || encoding !== "identity" || sizeBytes <= outside.partBytes) {
        const bytes = await read(row);
        return bytes && { sizeBytes, parts: [bytes] };
      }
      const parts = outside.getParts(id, { place, digest }, sizeBytes);
      const first = await parts.next();
      return first.done ? null : { sizeBytes, parts: withFirst(first.value, parts) };
    },

    /** Lets blobs live longer, never shorter. False when one of them is gone. */
    async renew(teamId: string, ids: readonly string[], expiresAt: number, now: number): Promise<boolean> {
      if (ids.length === 0) return true;
      const renewed = await db
        .updateTable("blobs")
        .set((build) => ({
          expiresAt: build.case().when("expiresAt", "<", expiresAt).then(expiresAt).else(build.ref("expiresAt")).end(),
        }))
        .where("id", "in", [...ids])
        .where("teamId", "=", teamId)
        .where("expiresAt", ">", now)
        .executeTakeFirst();
      return renewed.numUpdatedRows === BigInt(ids.length);
    },

    /** False when the team has no such blob. */
    async delete(teamId: string, id: string): Promise<boolean> {
      const mine = db.selectFrom("blobs").where("id", "=", id).where("teamId", "=", teamId);
      // What cannot be removed from elsewhere now is a stray.
      if (outside.isUsed) await outside.remove(await mine.select(["id", "place"]).execute());
      return changesRow(db.deleteFrom("blobs").where("id", "=", id).where("teamId", "=", teamId));
    },
  };
}

async function* withFirst(first: Uint8Array, others: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* others;
}

function toRow({ packedBytes: _, ...blob }: PackedBlob): RowOf<"blobs"> {
  return blob;
}
