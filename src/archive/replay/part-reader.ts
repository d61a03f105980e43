// The bytes of an archive's records, out of its parts. Neighbours are mostly asked for together, so a few parts are kept.
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type Clock, ServiceError } from "../../base/index.ts";
import type { ArchiveRecordRow, Store } from "../../store/index.ts";

const unpack = promisify(gunzip);
/** What a record may unpack to: pages are no larger. */
const maxRecordBytes = 256 * 1024 * 1024;
const keptParts = 24;

export type PartReader = ReturnType<typeof createPartReader>;

export function createPartReader({ store, clock }: { store: Store; clock: Clock }) {
  const kept = new Map<string, Promise<Uint8Array>>();

  async function load(teamId: string, blobId: string): Promise<Uint8Array> {
    const bytes = await store.blobs.get(teamId, blobId, clock.now());
    if (bytes === null) throw new ServiceError("ARCHIVE_NOT_FOUND");
    return bytes;
  }

  function keep(teamId: string, blobId: string): Promise<Uint8Array> {
    const known = kept.get(blobId);
    if (known) return known;
    const loading = load(teamId, blobId);
    kept.set(blobId, loading);
    const [oldest] = kept.keys();
    if (kept.size > keptParts && oldest !== undefined) kept.delete(oldest);
    loading.catch(() => kept.delete(blobId));
    return loading;
  }

  return {
    /** The record of a row, unpacked. */
    async readRecord(teamId: string, { archiveId, part, place, length }: ArchiveRecordRow): Promise<Buffer> {
      const pieces: Uint8Array[] = [];
      let missing = length;
      let from = place;
      for (let at = part; missing > 0; at += 1) {
        const [row] = await store.archives.listParts(archiveId, at, 1);
        if (row?.part !== at) throw new ServiceError("ARCHIVE_NOT_FOUND");
        const bytes = await keep(teamId, row.blobId);
        const piece = bytes.subarray(from, from + missing);
        pieces.push(piece);
        missing -= piece.length;
        from = 0;
      }
      return unpack(Buffer.concat(pieces), { maxOutputLength: maxRecordBytes });
    },

    /** A part, not kept: of a file that goes out once. */
    readPart: load,
  };
}
