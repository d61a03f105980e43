// An archive as a file that is made while it is sent: a WARC file as it lies, or a WACZ with its index. However large it is, a part
// and a page of rows are in memory.
import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { isoTime } from "../../base/index.ts";
import type { ArchivePageRow, ArchivePart, ArchiveRow, Store } from "../../store/index.ts";
import { createZip } from "../../zip/index.ts";
import type { PartReader } from "../replay/part-reader.ts";
import { gzipMember, recordBytes, warcInfo } from "../warc/warc-record.ts";
import { archiveGone, type DataFile, indexOf, jsonLine, type Layout, type Pieces, pagesOf } from "./archive-lists.ts";

/** A further file is begun with the first record behind this. */
const fileBytes = 1_000_000_000;
const partsAtOnce = 500;

export interface ExportDeps {
  store: Store;
  reader: PartReader;
  /** Trawl/1.2.3 */
  software: string;
}

export type ArchiveExport = ReturnType<typeof createArchiveExport>;

export function createArchiveExport({ store, reader, software }: ExportDeps) {
  async function infoOf(archive: ArchiveRow, nth: number, filename: string): Promise<Buffer> {
    // An import begins with the record that it came with.
    if (nth === 0 && archive.hasInfo === 1) return Buffer.alloc(0);
    const id = infoId(archive.id, nth);
    const facts = { id, at: archive.createdAt, software, isPartOf: archive.id, filename };
    return gzipMember(recordBytes(warcInfo(facts)));
  }

  async function* partsOf({ id }: ArchiveRow, from = 0, end = Number.POSITIVE_INFINITY): AsyncGenerator<ArchivePart> {
    for (let next = from; next < end; ) {
      const parts = await store.archives.listParts(id, next, partsAtOnce);
      for (const part of parts) {
        if (part.part >= end) return;
        yield part;
      }
      const last = parts.at(-1);
      if (last === undefined || parts.length < partsAtOnce) return;
      next = last.part + 1;
    }
  }

  async function layOut(archive: ArchiveRow): Promise<Layout> {
    const files: DataFile[] = [];
    const places: Layout["places"] = [];
    let offset = 0;
    let expected = 0;
    for await (const { part, sizeBytes, startsRecord } of partsOf(archive)) {
      if (part !== expected) throw archiveGone();
      expected += 1;
      const current = files.at(-1);
      if (current === undefined || (startsRecord === 1 && offset >= fileBytes)) {
        if (current) current.end = part;
        const nth = files.length;
        const name = nth === 0 ? "data.warc.gz" : `data-${nth + 1}.warc.gz`;
        const info = await infoOf(archive, nth, name);
        files.push({ name, info, first: part, end: Number.POSITIVE_INFINITY });
        offset = info.length;
      }
      places.push({ file: files.length - 1, offset });
      offset += sizeBytes;
    }
    if (expected !== archive.parts) throw archiveGone();
    return { files, places };
  }

  /** Throws when the archive was deleted meanwhile: a file is whole or broken off. */
  async function* bytesOf({ teamId, id }: ArchiveRow, parts: AsyncIterable<ArchivePart>): Pieces {
    for await (const { blobId } of parts) {
      const bytes = await reader.readPart(teamId, blobId);
      if ((await store.archives.find(teamId, id, Date.now())) === null) throw archiveGone();
      yield bytes;
      await turn();
    }
  }

  async function* warc(archive: ArchiveRow): Pieces {
    yield await infoOf(archive, 0, `${archive.source}-${archive.id}.warc.gz`);
    yield* bytesOf(archive, partsOf(archive));
  }

  async function* wacz(archive: ArchiveRow): Pieces {
    const zip = createZip();
    const resources: { name: string; path: string; hash: string; bytes: number }[] = [];
    let main: ArchivePageRow | null = null;

    async function* file(path: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Pieces {
      const stored = zip.open(path);
      const seen = createHash("sha256");
      let bytes = 0;
      yield stored.head;
      for await (const piece of pieces) {
        if (piece.length === 0) continue;
        stored.note(piece);
        seen.update(piece);
        bytes += piece.length;
        yield piece;
      }
      yield stored.end();
      resources.push({ name: path.split("/").at(-1) ?? path, path, hash: `sha256:${seen.digest("hex")}`, bytes });
    }

    async function* dataOf({ info, first, end }: DataFile): Pieces {
      yield info;
      yield* bytesOf(archive, partsOf(archive, first, end));
    }

    const layout = await layOut(archive);
    for (const data of layout.files) yield* file(`archive/${data.name}`, dataOf(data));
    if (layout.files.length === 0) yield* file("archive/data.warc.gz", [await infoOf(archive, 0, "data.warc.gz")]);
    yield* file("indexes/index.cdxj", indexOf(store, archive, layout));
    const note = (page: ArchivePageRow) => {
      main ??= page;
    };
    yield* file("pages/pages.jsonl", pagesOf(store, archive, note));
    const described = Buffer.from(`${JSON.stringify(packageOf(archive, main, software, resources), null, 2)}\n`);
    yield* file("datapackage.json", [described]);
    const hash = resources.at(-1)?.hash ?? "";
    yield* file("datapackage-digest.json", [jsonLine({ path: "datapackage.json", hash })]);
    for (const piece of zip.end()) yield piece;
  }

  return { warc, wacz };
}

function packageOf(archive: ArchiveRow, main: ArchivePageRow | null, software: string, resources: readonly object[]) {
  const mainPage = main === null ? {} : { mainPageUrl: main.url, mainPageDate: isoTime(main.at) };
  return {
    profile: "data-package",
    wacz_version: "1.1.1",
    title: archive.name,
    created: isoTime(archive.finishedAt ?? archive.createdAt),
    software,
    ...mainPage,
    resources: [...resources],
  };
}

/** Always the same for the same file: its digits are those of the archive's id and its number. */
function infoId(archiveId: string, nth: number): string {
  const digits = createHash("sha256").update(`warcinfo ${nth} ${archiveId}`).digest("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
