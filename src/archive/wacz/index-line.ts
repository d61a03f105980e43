// A line of a CDXJ file.
import type { ArchiveRecordRow } from "../../store/index.ts";

export interface MemberPlace {
  filename: string;
  offset: number;
}

export function indexLine(row: ArchiveRecordRow, { filename, offset }: MemberPlace): string {
  const { recordKey, at, url, type, status, digest, length } = row;
  const mime = type === "revisit" ? "warc/revisit" : row.mime;
  const facts = {
    url,
    ...(mime === "" ? {} : { mime }),
    ...(status === null ? {} : { status: String(status) }),
    ...(digest === "" ? {} : { digest }),
    filename,
    offset: String(offset),
    length: String(length),
  };
  return `${recordKey} ${digitsOf(at)} ${JSON.stringify(facts)}\n`;
}

/** All 17: year, month, day, hour, minute, second, milliseconds. */
function digitsOf(at: number): string {
  return new Date(at).toISOString().replace(/[-:TZ.]/g, "");
}
