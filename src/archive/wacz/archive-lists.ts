// The lists of a WACZ, line by line out of the store: its index and its pages.
import { isoTime, ServiceError } from "../../base/index.ts";
import type { ArchivePageRow, ArchiveRecordRow, ArchiveRow, Store } from "../../store/index.ts";
import { indexLine, type MemberPlace } from "./index-line.ts";

export type Pieces = AsyncGenerator<Uint8Array, void>;

const rowsAtOnce = 500;

/** A WARC file of the archive, as far as is known before it is written. */
export interface DataFile {
  name: string;
  /** Bytes of the record that it begins with; none where it brings its own. */
  info: Buffer;
  first: number;
  /** Behind its last part. */
  end: number;
}

/** Where each part lies: in which file, and from where on. */
export interface Layout {
  files: DataFile[];
  places: { file: number; offset: number }[];
}

export async function* indexOf(store: Store, archive: ArchiveRow, { files, places }: Layout): Pieces {
  const placeOf = ({ part, place }: ArchiveRecordRow): MemberPlace => {
    const at = places[part];
    const file = at && files[at.file];
    if (!at || !file) throw archiveGone();
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

export async function* pagesOf(store: Store, { id }: ArchiveRow, note: (page: ArchivePageRow) => void): Pieces {
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

function pageLine({ pageId, url, at, title, status, mime }: ArchivePageRow): object {
  return { id: pageId, url, ts: isoTime(at), title, ...(status === null ? {} : { status }), mime };
}

export const jsonLine = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

const byBytes = (one: string, two: string): number => Buffer.compare(Buffer.from(one), Buffer.from(two));

export function archiveGone(): ServiceError {
  return new ServiceError("ARCHIVE_NOT_FOUND", "The archive was deleted while it was read.");
}
