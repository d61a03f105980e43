// A ZIP file, written file by file. Packages that write them keep every entry with its content until the end; here only the list of
// names that ends the file grows.
import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync } from "node:zlib";

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
  return Buffer.concat([uint32(0x04034b50), common(entry, 0), entry.name]);
}

function listed(entry: Entry): Buffer {
  const isFar = entry.offset >= mostBytes;
  const extra = isFar ? Buffer.concat([uint16(1), uint16(8), uint64(entry.offset)]) : Buffer.alloc(0);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(isFar ? mostBytes : entry.offset, 10);
  const madeBy = uint16(longVersion);
  return Buffer.concat([uint32(0x02014b50), madeBy, common(entry, extra.length), rest, entry.name, extra]);
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
    ...[uint32(0x06054b50), uint16(0), uint16(0), files, files, ...sizes, uint16(0)],
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
