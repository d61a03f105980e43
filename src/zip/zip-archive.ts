// ZIP archives, read within bounds: names are never used as paths, and no more is inflated than the limits allow.
import { constants, inflateRawSync } from "node:zlib";

const localHead = 0x04034b50;
const centralHead = 0x02014b50;
const endHead = 0x06054b50;

export interface ZipLimits {
  /** All entries that are read, decoded. */
  totalBytes: number;
  entries: number;
}

/** Makes the error of an archive that cannot be read. */
type ZipFault = (kind: "encrypted" | "broken" | "limit", message: string) => Error;

/** Texts compress well; nothing honest beyond this size compresses better. */
const maxRatio = 200;
const ratioFree = 10 * 1024 * 1024;
const descriptorFlag = 8;

interface ZipEntry {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  isEncrypted: boolean;
  /** Offset of its local header. */
  at: number;
  /** Null where only the data itself says where it ends. */
  packedBytes: number | null;
}

export class ZipArchive {
  private readonly bytes: Buffer;
  private readonly entries = new Map<string, ZipEntry>();
  private readonly limits: ZipLimits;
  private readonly fault: ZipFault;
  private decodedBytes = 0;

  constructor(bytes: Uint8Array, limits: ZipLimits, fault: ZipFault) {
    this.fault = fault;
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.limits = limits;
    for (const entry of this.list()) if (!this.entries.has(entry.name)) this.entries.set(entry.name, entry);
    if (this.entries.size === 0) throw this.fault("broken", "The ZIP container has no entries");
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** Null when there is no such entry. */
  read(name: string): Buffer | null {
    const sought = name.toLowerCase();
    const entry =
      this.entries.get(name) ?? [...this.entries.values()].find((each) => each.name.toLowerCase() === sought);
    return entry ? this.inflate(entry) : null;
  }

  private inflate(entry: ZipEntry): Buffer {
    const { bytes } = this;
    if (entry.isEncrypted) throw this.fault("encrypted", `${entry.name} is encrypted`);
    if (entry.at + 30 > bytes.length || bytes.readUInt32LE(entry.at) !== localHead)
      throw this.fault("broken", `${entry.name} is not where the container says`);
    const from = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28);
    const packed = bytes.subarray(from, entry.packedBytes === null ? undefined : from + entry.packedBytes);
    const data = entry.method === 0 ? packed : this.inflateData(entry, packed);
    this.decodedBytes += data.length;
    if (this.decodedBytes > this.limits.totalBytes) throw this.tooMuch();
    return data;
  }

  private inflateData(entry: ZipEntry, packed: Buffer): Buffer {
    if (entry.method !== 8) throw this.fault("broken", `${entry.name} is packed by an unknown method`);
    const left = this.limits.totalBytes - this.decodedBytes;
    const maxOutputLength = Math.max(1, Math.min(left, Math.max(ratioFree, packed.length * maxRatio)));
    // The second time, what can be had of data that ends too early: an unexpected end is no error.
    for (const finishFlush of [constants.Z_FINISH, constants.Z_SYNC_FLUSH]) {
      try {
        return inflateRawSync(packed, { maxOutputLength, finishFlush });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw this.tooMuch();
      }
    }
    throw this.fault("broken", `${entry.name} cannot be unpacked`);
  }

  private tooMuch(): Error {
    return this.fault("limit", "The file unpacks to more than is read");
  }

  private list(): ZipEntry[] {
    const { bytes } = this;
    // A comment of at most 64 KB follows the end of the directory.
    for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 22 - 0xffff); at -= 1) {
      if (bytes.readUInt32LE(at) !== endHead) continue;
      const listed = this.listDirectory(bytes.readUInt32LE(at + 16), bytes.readUInt16LE(at + 10));
      if (listed.length > 0) return listed;
    }
    return this.scan();
  }

  private listDirectory(from: number, count: number): ZipEntry[] {
    const { bytes } = this;
    const entries: ZipEntry[] = [];
    let at = from;
    while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === centralHead) {
      const nameLength = bytes.readUInt16LE(at + 28);
      const extraLength = bytes.readUInt16LE(at + 30);
      const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
      const wide = wideFields(extra, bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20));
      entries.push({
        name: bytes.toString("utf8", at + 46, at + 46 + nameLength).replaceAll("\\", "/"),
        method: bytes.readUInt16LE(at + 10),
        isEncrypted: (bytes.readUInt16LE(at + 8) & 1) !== 0,
        at: bytes.readUInt32LE(at + 42),
        packedBytes: wide,
      });
      if (entries.length > this.limits.entries)
        throw this.fault("limit", `The archive has more than ${this.limits.entries} entries (it names ${count})`);
      at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
    }
    return entries;
  }

  /** For a container whose directory is lost: the local headers before each entry's data. */
  private scan(): ZipEntry[] {
    const { bytes } = this;
    const entries: ZipEntry[] = [];
    const mark = Buffer.from([0x50, 0x4b, 3, 4]);
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 4)) {
      if (at + 30 > bytes.length || entries.length >= this.limits.entries) break;
      const flags = bytes.readUInt16LE(at + 6);
      const packed = bytes.readUInt32LE(at + 18);
      entries.push({
        name: bytes.toString("utf8", at + 30, at + 30 + bytes.readUInt16LE(at + 26)).replaceAll("\\", "/"),
        method: bytes.readUInt16LE(at + 8),
        isEncrypted: (flags & 1) !== 0,
        at,
        packedBytes: (flags & descriptorFlag) !== 0 && packed === 0 ? null : packed,
      });
    }
    return entries;
  }
}

/** The packed size, which is in an extra field when it exceeds 32 bits. */
function wideFields(extra: Buffer, size: number, packed: number): number {
  if (packed !== 0xffffffff) return packed;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const place = at + 4 + (size === 0xffffffff ? 8 : 0);
    if (place + 8 <= extra.length) return Number(extra.readBigUInt64LE(place));
  }
  return packed;
}
