// An archive as a file that is made while it is sent: a WARC file as it lies, or a WACZ with its index. However large it is, a part
// and a page of rows are in memory.
import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { ArchivePageRow, ArchivePart, ArchiveRecordRow, ArchiveRow, Store } from "../../store/index.ts";
import { createZip } from "../../zip/index.ts";
import type { PartReader } from "../replay/part-reader.ts";
import { gzipMember, recordBytes, warcInfo } from "../warc/warc-record.ts";
import { indexLine, type MemberPlace } from "./index-line.ts";

export interface ExportDeps {
  store: Store;
  reader: PartReader;
  /** Trawl/1.2.3 */
  software: string;
}

type Pieces = AsyncGenerator<Uint8Array, void>;

/** A further file is begun with the first record behind this. */
const fileBytes = 1_000_000_000;
const rowsAtOnce = 500;
const partsAtOnce = 500;

/** A WARC file of the archive, as far as is known before it is written. */
interface DataFile {
  name: string;
  /** Bytes of the record that it begins with; none where it has one of its own. */
  info: Buffer;
  first: number;
  /** Behind its last part. */
  end: number;
}

/** Where each part lies: in which file, and from where on. */
interface Layout {
  files: DataFile[];
  places: { file: number; offset: number }[];
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
      if (part !== expected) throw gone();
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
    if (expected !== archive.parts) throw gone();
    return { files, places };
  }

  /** Throws when the archive was deleted meanwhile: a file is whole or broken off. */
  async function* bytesOf({ teamId, id }: ArchiveRow, parts: AsyncIterable<ArchivePart>): Pieces {
    for await (const { blobId } of parts) {
      const bytes = await reader.readPart(teamId, blobId);
      if ((await store.archives.find(teamId, id, Date.now())) === null) throw gone();
      yield bytes;
      await turn();
    }
  }

  async function* warc(archive: ArchiveRow): Pieces {
    yield await infoOf(archive, 0, `${archive.source}-${archive.id}.warc.gz`);
    yield* bytesOf(archive, partsOf(archive));
  }

  async function* indexOf(archive: ArchiveRow, { files, places }: Layout): Pieces {
    const placeOf = ({ part, place }: ArchiveRecordRow): MemberPlace => {
      const at = places[part];
      const file = at && files[at.file];
      if (!at || !file) throw gone();
      return { filename: file.name, offset: at.offset + place };
    };
    let after: ArchiveRecordRow | null = null;
    let alike: { row: ArchiveRecordRow; line: string }[] = [];
    const sorted = () => alike.map(({ line }) => line).sort(byBytes);
    for (;;) {
      const rows: ArchiveRecordRow[] = await store.archives.listOrdered(archive.id, after, rowsAtOnce);
      const lines: string[] = [];
      for (const row of rows) {
        const [first] = alike;
        if (first && (first.row.recordKey !== row.recordKey || first.row.at !== row.at)) {
          lines.push(...sorted());
          alike = [];
        }
        alike.push({ row, line: indexLine(row, placeOf(row)) });
      }
      if (lines.length > 0) yield Buffer.from(lines.join(""));
      after = rows.at(-1) ?? null;
      if (rows.length < rowsAtOnce) break;
    }
    if (alike.length > 0) yield Buffer.from(sorted().join(""));
  }

  async function* pagesOf({ id }: ArchiveRow, note: (page: ArchivePageRow) => void): Pieces {
    yield jsonLine({ format: "json-pages-1.0", id: "pages", title: "All Pages" });
    let after: { at: number; pageId: string } | undefined;
    for (;;) {
      const pages: ArchivePageRow[] = await store.archives.listPages(id, { limit: rowsAtOnce, after });
      for (const page of pages) note(page);
      if (pages.length > 0) yield Buffer.concat(pages.map((page) => jsonLine(pageLine(page))));
      const last = pages.at(-1);
      if (last === undefined || pages.length < rowsAtOnce) return;
      after = { at: last.at, pageId: last.pageId };
    }
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
    yield* file("indexes/index.cdxj", indexOf(archive, layout));
    const note = (page: ArchivePageRow) => {
      main ??= page;
    };
    yield* file("pages/pages.jsonl", pagesOf(archive, note));
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

function pageLine({ pageId, url, at, title, status, mime }: ArchivePageRow): object {
  return { id: pageId, url, ts: isoTime(at), title, ...(status === null ? {} : { status }), mime };
}

const jsonLine = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

const byBytes = (one: string, two: string): number => Buffer.compare(Buffer.from(one), Buffer.from(two));

/** Always the same for the same file: its digits are those of the archive's id and its number. */
function infoId(archiveId: string, nth: number): string {
  const digits = createHash("sha256").update(`warcinfo ${nth} ${archiveId}`).digest("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

function gone(): ServiceError {
  return new ServiceError("ARCHIVE_NOT_FOUND", "The archive was deleted while it was read.");
}
