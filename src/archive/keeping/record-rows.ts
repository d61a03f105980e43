// What is known of a record besides its bytes, and how bytes become the parts that are stored.
import { sha256 } from "../../base/index.ts";
import type { ArchiveRecordRow } from "../../store/index.ts";
import { surtKey } from "../warc/surt-key.ts";

/** A record that CDXJ lists. */
export interface IndexedRecord {
  type: string;
  url: string;
  /** GET unless given: answers to other methods are found under them. */
  method?: string | undefined;
  at: number;
  status: number | null;
  mime: string;
  /** Of the payload; null where no later record may refer to it. */
  digest: string | null;
}

/** A record's gzip member, on its way into the archive. */
export interface Member {
  bytes: Buffer;
  /** Null for records that are in the bytes only. */
  index: IndexedRecord | null;
}

/** Parts end with the first record that makes them this large, and longer records are cut. */
export const partBytes = 512 * 1024;
/** PostgreSQL takes keys of up to 2.7 kB. */
const keyStartLength = 256;

export const urlHashOf = (url: string, method = "GET"): string => sha256(method === "GET" ? url : `${method} ${url}`);

export function keyHashOf(url: string, method = "GET"): string {
  const key = surtKey(url);
  return sha256(method === "GET" ? key : `${method} ${key}`);
}

/** As CDXJ names it: nothing in it may end the key. */
export function recordKeyOf(url: string, method = "GET"): string {
  const asked = method === "GET" ? url : `${url}${url.includes("?") ? "&" : "?"}__wb_method=${method}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line ends with one, and a key with a space
  return surtKey(asked).replace(/[\u0000-\u0020\u007f]/g, (character) => encodeURIComponent(character));
}

export interface StoredMembers {
  parts: { bytes: Buffer; startsRecord: boolean }[];
  /** `part`: counted from the first of these. */
  rows: Omit<ArchiveRecordRow, "archiveId">[];
}

/** Collects members into parts. */
export class PartCutter {
  private pieces: Buffer[] = [];
  private size = 0;
  private startsRecord = true;
  private part = 0;
  private begun = { part: 0, place: 0, length: 0 };

  /** The parts that are complete with this member, and its row. */
  add({ bytes, index }: Member): StoredMembers {
    this.begin();
    const parts = this.append(bytes);
    return { parts, rows: this.finish(index) };
  }

  /** A member that comes in pieces. */
  begin(): void {
    if (this.size === 0) this.startsRecord = true;
    this.begun = { part: this.part, place: this.size, length: 0 };
  }

  append(bytes: Buffer): StoredMembers["parts"] {
    const parts: StoredMembers["parts"] = [];
    let from = 0;
    while (this.size + bytes.length - from >= partBytes) {
      const until = from + partBytes - this.size;
      this.push(bytes.subarray(from, until));
      from = until;
      parts.push(this.take());
      this.startsRecord = false;
    }
    if (from < bytes.length) this.push(bytes.subarray(from));
    this.begun.length += bytes.length;
    return parts;
  }

  finish(index: IndexedRecord | null): StoredMembers["rows"] {
    const { part, place, length } = this.begun;
    return index === null ? [] : [rowOf(index, part, place, length)];
  }

  /** What is left. */
  end(): StoredMembers["parts"] {
    return this.size === 0 ? [] : [this.take()];
  }

  private push(piece: Buffer): void {
    this.pieces.push(piece);
    this.size += piece.length;
  }

  private take(): StoredMembers["parts"][number] {
    const bytes = Buffer.concat(this.pieces, this.size);
    const { startsRecord } = this;
    this.pieces = [];
    this.size = 0;
    this.part += 1;
    return { bytes, startsRecord };
  }
}

function rowOf(index: IndexedRecord, part: number, place: number, length: number): StoredMembers["rows"][number] {
  const { type, url, method, at, status, mime, digest } = index;
  const recordKey = recordKeyOf(url, method);
  const hashes = { urlHash: urlHashOf(url, method), keyHash: keyHashOf(url, method) };
  const key = { keyStart: recordKey.slice(0, keyStartLength), recordKey };
  return { part, place, length, type, url, ...hashes, ...key, at, status, mime, digest: digest ?? "" };
}
