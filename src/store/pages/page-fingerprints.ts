// What a team's crawls know of a page from its last reading: how to ask whether it changed, what its content came to, and where it
// leads. One row for each team and page.

import { isAscii } from "node:buffer";
import { sql } from "kysely";
import { hashLines, hashText } from "../../text/index.ts";
import { excluded } from "../engine/changes.ts";
import type { Executor, FixedStatement, InsertStatement } from "../engine/executor.ts";
import { oncePerKey } from "../engine/once-per-key.ts";
import { compress, decompress } from "../schema/compression.ts";
import type { RowOf } from "../schema/tables.ts";

export interface PageFingerprint
  extends Omit<RowOf<"page_fingerprints">, "fingerprintKey" | "linksEncoding" | "linksBytes" | "links"> {
  key: string;
  /** Null: they were not looked for. */
  links: readonly string[] | null;
}

/** A fingerprint as it was kept: its links stay packed until they are needed. */
export interface StoredFingerprint extends Omit<PageFingerprint, "links"> {
  links: StoredLinks | null;
}

export interface StoredLinks {
  /** Of each URL, in their order: a page all of whose links are known does not have to be unpacked. */
  hashes: Float64Array;
  urls(): Promise<string[]>;
}

/** Made ready for writing: packing takes time that no open transaction should wait for. */
export interface PackedFingerprint extends Omit<PageFingerprint, "links"> {
  encoding: string;
  sizeBytes: number;
  data: Uint8Array | null;
}

/** Links are stored as their count and their hashes, which follow unpacked, and then their URLs. */
export async function packFingerprint({ links, ...fingerprint }: PageFingerprint): Promise<PackedFingerprint> {
  if (links === null) return { encoding: "identity", sizeBytes: 0, data: null, ...fingerprint };
  const plain = Buffer.from(links.join("\n"));
  const { encoding, data } = await compress(plain);
  const hashes = isAscii(plain) ? hashLines(plain, links.length) : Float64Array.from(links, hashText);
  const head = Buffer.from(Uint32Array.of(hashes.length).buffer);
  const packed = Buffer.concat([head, Buffer.from(hashes.buffer), data]);
  return { encoding, sizeBytes: plain.byteLength, data: packed, ...fingerprint };
}

const headBytes = Uint32Array.BYTES_PER_ELEMENT;

type PackedLinks = Omit<PackedFingerprint, keyof PageFingerprint>;

function unpackLinks({ encoding, sizeBytes, data }: PackedLinks): StoredLinks | null {
  if (data === null) return null;
  const count = Buffer.from(data.buffer, data.byteOffset, headBytes).readUInt32LE();
  // Copied, because numbers have to lie at a multiple of their size.
  const hashes = new Float64Array(count);
  const to = headBytes + hashes.byteLength;
  new Uint8Array(hashes.buffer).set(data.subarray(headBytes, to));
  return {
    hashes,
    async urls() {
      const text = Buffer.from(await decompress(encoding, data.subarray(to), sizeBytes)).toString("utf8");
      return text === "" ? [] : text.split("\n");
    },
  };
}

const upsertFingerprints: InsertStatement<RowOf<"page_fingerprints">, unknown> = (db, rows) =>
  db
    .insertInto("page_fingerprints")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["teamId", "fingerprintKey"]).doUpdateSet({
        // Reading the same content again is not a change: keep the earlier time.
        changedAt: sql<number>`case when excluded.content_key = page_fingerprints.content_key
            and excluded.content_hash = page_fingerprints.content_hash then page_fingerprints.changed_at else excluded.changed_at end`,
        ...excluded(["readAt", "finalUrl", "etag", "lastModified", "contentKey", "contentHash"]),
        ...excluded(["linksEncoding", "linksBytes", "links"]),
      }),
    );

/** As many as are asked for at once; fewer are filled up with the last, so that one text serves any number. */
const findBatch = 32;

const selectFingerprints: FixedStatement<string[], RowOf<"page_fingerprints">> = (db, [teamId, ...keys]) =>
  db
    .selectFrom("page_fingerprints")
    .selectAll()
    .where("teamId", "=", teamId as string)
    .where("fingerprintKey", "in", keys);

export function createPageFingerprintStatements({ db, run, insert }: Executor) {
  return {
    /** Each takes the place of the one before it. */
    async put(fingerprints: readonly PackedFingerprint[]): Promise<void> {
      await insert(
        upsertFingerprints,
        oncePerKey(fingerprints.map(toRow), (row) => row.teamId + row.fingerprintKey),
      );
    },

    /** By their keys; those that are not known are missing. */
    async find(teamId: string, keys: readonly string[]): Promise<Map<string, StoredFingerprint>> {
      const found = new Map<string, StoredFingerprint>();
      for (let from = 0; from < keys.length; from += findBatch) {
        const batch = keys.slice(from, from + findBatch);
        const last = batch.at(-1) as string;
        const filled = [...batch, ...Array<string>(findBatch - batch.length).fill(last)];
        for (const row of await run(selectFingerprints, [teamId, ...filled]))
          found.set(row.fingerprintKey, toFingerprint(row));
      }
      return found;
    },

    async remove(teamId: string, keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return;
      await db
        .deleteFrom("page_fingerprints")
        .where("teamId", "=", teamId)
        .where("fingerprintKey", "in", keys)
        .execute();
    },
  };
}

function toFingerprint(row: RowOf<"page_fingerprints">): StoredFingerprint {
  const { fingerprintKey: key, links: data, linksEncoding: encoding, linksBytes: sizeBytes, ...fingerprint } = row;
  return { key, links: unpackLinks({ encoding, sizeBytes, data }), ...fingerprint };
}

function toRow({ key, encoding, sizeBytes, data, ...fingerprint }: PackedFingerprint): RowOf<"page_fingerprints"> {
  return { fingerprintKey: key, linksEncoding: encoding, linksBytes: sizeBytes, links: data, ...fingerprint };
}
