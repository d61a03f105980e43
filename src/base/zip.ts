// ZIP files, written file by file and read within bounds. Packages that write them keep every entry with its content until the end;
// here only the list of names that ends the file grows.
import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";

const localHead = 0x04034b50;
const centralHead = 0x02014b50;
const endHead = 0x06054b50;
const deflate = promisify(deflateRaw);
/** Up to this size the way to another thread costs more than the work. */
const largestInline = 64 * 1024;

/** Beyond these the older numbers of the format are too small, and its longer ones (ZIP64) follow. */
const mostFiles = 0xffff;
const mostBytes = 0xffffffff;
const version = 20;
const longVersion = 45;
/** Names are UTF-8. */
const flags = 0x0800;
const deflated = 8;
/** 1 January 1980: the same documents give the same file. */
const fixedDate = 33;
/** The list is kept in pieces of this size: thousands of small buffers would take several times their bytes. */
const pieceBytes = 64 * 1024;

interface Entry {
  name: Buffer;
  checksum: number;
  packedBytes: number;
  plainBytes: number;
  offset: number;
}

interface ZipWriter {
  /** The bytes of one more file. */
  add(name: string, text: string): Promise<Uint8Array>;
  /** The bytes that end it. */
  end(): Iterable<Uint8Array>;
}

export function createZip(): ZipWriter {
  const list = createList();
  let offset = 0;
  return {
    async add(path, text) {
      const plain = Buffer.from(text);
      const packed = plain.length <= largestInline ? deflateRawSync(plain) : await deflate(plain);
      const sizes = { packedBytes: packed.length, plainBytes: plain.length };
      const entry = { name: Buffer.from(path), checksum: crc32(plain), ...sizes, offset };
      list.add(listed(entry));
      const file = Buffer.concat([header(entry), packed]);
      offset += file.length;
      return file;
    },

    *end() {
      const { count, bytes } = list;
      yield* list.pieces();
      yield ending(count, bytes, offset);
    },
  };
}

function createList() {
  const pieces: Buffer[] = [];
  let piece = Buffer.alloc(pieceBytes);
  let used = 0;
  return {
    count: 0,
    bytes: 0,
    add(entry: Buffer): void {
      if (used + entry.length > piece.length) {
        pieces.push(piece.subarray(0, used));
        piece = Buffer.alloc(Math.max(pieceBytes, entry.length));
        used = 0;
      }
      used += entry.copy(piece, used);
      this.count += 1;
      this.bytes += entry.length;
    },
    *pieces(): Iterable<Buffer> {
      yield* pieces;
      yield piece.subarray(0, used);
    },
  };
}

/** What the header of a file and its place in the list have in common. */
function common({ name, checksum, packedBytes, plainBytes }: Entry, extraBytes: number): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(extraBytes > 0 ? longVersion : version, 0);
  bytes.writeUInt16LE(flags, 2);
  bytes.writeUInt16LE(deflated, 4);
  bytes.writeUInt16LE(fixedDate, 8);
  bytes.writeUInt32LE(checksum, 10);
  bytes.writeUInt32LE(packedBytes, 14);
  bytes.writeUInt32LE(plainBytes, 18);
  bytes.writeUInt16LE(name.length, 22);
  bytes.writeUInt16LE(extraBytes, 24);
  return bytes;
}

function header(entry: Entry): Buffer {
  return Buffer.concat([uint32(localHead), common(entry, 0), entry.name]);
}

function listed(entry: Entry): Buffer {
  const isFar = entry.offset >= mostBytes;
  const extra = isFar ? Buffer.concat([uint16(1), uint16(8), uint64(entry.offset)]) : Buffer.alloc(0);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(isFar ? mostBytes : entry.offset, 10);
  const madeBy = uint16(longVersion);
  return Buffer.concat([uint32(centralHead), madeBy, common(entry, extra.length), rest, entry.name, extra]);
}

/** After the list of `count` files, which begins at `offset`. */
function ending(count: number, listBytes: number, offset: number): Buffer {
  const isLong = count >= mostFiles || listBytes >= mostBytes || offset >= mostBytes;
  const long = Buffer.concat([
    ...[uint32(0x06064b50), uint64(44), uint16(longVersion), uint16(longVersion), uint32(0), uint32(0)],
    ...[uint64(count), uint64(count), uint64(listBytes), uint64(offset)],
    ...[uint32(0x07064b50), uint32(0), uint64(offset + listBytes), uint32(1)],
  ]);
  const files = uint16(Math.min(count, mostFiles));
  const sizes = [uint32(Math.min(listBytes, mostBytes)), uint32(Math.min(offset, mostBytes))];
  return Buffer.concat([
    ...(isLong ? [long] : []),
    ...[uint32(endHead), uint16(0), uint16(0), files, files, ...sizes, uint16(0)],
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

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

/** Names are never used as paths, and no more is inflated than the limits allow. */
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
    const entry = this.entries.get(name) ?? this.findIgnoringCase(name);
    return entry ? this.inflate(entry) : null;
  }

  private findIgnoringCase(name: string): ZipEntry | undefined {
    const sought = name.toLowerCase();
    for (const entry of this.entries.values()) if (entry.name.toLowerCase() === sought) return entry;
    return undefined;
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
    try {
      return inflateRawSync(packed, { maxOutputLength });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw this.tooMuch();
      return this.inflateStart(entry, packed, maxOutputLength);
    }
  }

  /** What can be had of data that ends too early. */
  private inflateStart(entry: ZipEntry, packed: Buffer, maxOutputLength: number): Buffer {
    try {
      // Z_SYNC_FLUSH: an unexpected end is no error.
      return inflateRawSync(packed, { maxOutputLength, finishFlush: 2 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw this.tooMuch();
      throw this.fault("broken", `${entry.name} cannot be unpacked`);
    }
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
