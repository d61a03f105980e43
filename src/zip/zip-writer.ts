// ZIP files, written file by file. Packages that write them keep every entry with its content until the end; here only the list
// of names that ends the file grows.
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
const sizeFollows = 8;
const deflated = 8;
/** 1 January 1980: the same documents give the same file. */
const fixedDate = 33 << 16;

interface Entry {
  name: Buffer;
  checksum: number;
  packedBytes: number;
  plainBytes: number;
  /** As it is, with its size behind it; else it is deflated. */
  isStored?: boolean;
}

interface ZipWriter {
  /** The bytes of one more file. */
  add(name: string, text: string): Promise<Uint8Array>;
  /** One more file that comes in pieces and is stored as it is: what is put between its head and its end passes `note`. */
  open(name: string): StoredFile;
  /** The bytes that end it. */
  end(): Iterable<Uint8Array>;
}

/** Its size and checksum follow its bytes, as they are not known before. */
export interface StoredFile {
  head: Uint8Array;
  note(piece: Uint8Array): void;
  end(): Uint8Array;
}

export function createZip(): ZipWriter {
  // One buffer: thousands of small ones would take several times their bytes.
  let list = Buffer.alloc(64 * 1024);
  let listBytes = 0;
  let count = 0;
  let offset = 0;

  function note(entry: Buffer): void {
    if (listBytes + entry.length > list.length) list = Buffer.concat([list], 2 * (list.length + entry.length));
    listBytes += entry.copy(list, listBytes);
    count += 1;
  }

  return {
    async add(path, text) {
      const plain = Buffer.from(text);
      const packed = plain.length <= largestInline ? deflateRawSync(plain) : await deflate(plain);
      const sizes = { packedBytes: packed.length, plainBytes: plain.length };
      const entry = { name: Buffer.from(path), checksum: crc32(plain), ...sizes };
      note(listed(entry, offset));
      const file = Buffer.concat([numbers([0x04034b50, 4], ...common(entry, 0)), entry.name, packed]);
      offset += file.length;
      return file;
    },
    open(path) {
      const entry = { name: Buffer.from(path), checksum: 0, packedBytes: 0, plainBytes: 0, isStored: true };
      const start = offset;
      const head = Buffer.concat([numbers([0x04034b50, 4], ...common(entry, 0)), entry.name]);
      offset += head.length;
      return {
        head,
        note(piece) {
          entry.checksum = crc32(piece, entry.checksum);
          entry.plainBytes += piece.length;
          offset += piece.length;
        },
        end() {
          const { checksum, plainBytes } = entry;
          if (plainBytes >= mostBytes) throw new Error("A file of a ZIP archive that comes in pieces is too large");
          entry.packedBytes = plainBytes;
          note(listed(entry, start));
          const sizes: Field[] = [
            [plainBytes, 4],
            [plainBytes, 4],
          ];
          const end = numbers([0x08074b50, 4], [checksum, 4], ...sizes);
          offset += end.length;
          return end;
        },
      };
    },
    end: () => [list.subarray(0, listBytes), ending(count, listBytes, offset)],
  };
}

type Field = [value: number, bytes: number];

/** What the header of a file and its place in the list have in common. */
function common({ name, checksum, packedBytes, plainBytes, isStored }: Entry, extraBytes: number): Field[] {
  return [
    [extraBytes > 0 ? longVersion : version, 2],
    [isStored ? flags | sizeFollows : flags, 2],
    [isStored ? 0 : deflated, 2],
    [fixedDate, 4],
    [checksum, 4],
    [packedBytes, 4],
    [plainBytes, 4],
    [name.length, 2],
    [extraBytes, 2],
  ];
}

function listed(entry: Entry, offset: number): Buffer {
  const extra = offset >= mostBytes ? numbers([1, 2], [8, 2], [offset, 8]) : Buffer.alloc(0);
  const head = numbers(
    [0x02014b50, 4],
    [longVersion, 2],
    ...common(entry, extra.length),
    // Comment, disk and attributes.
    [0, 10],
    [Math.min(offset, mostBytes), 4],
  );
  return Buffer.concat([head, entry.name, extra]);
}

/** After the list of `count` files, which begins at `offset`. */
function ending(count: number, listBytes: number, offset: number): Buffer {
  const isLong = count >= mostFiles || listBytes >= mostBytes || offset >= mostBytes;
  const versions: Field[] = [
    [longVersion, 2],
    [longVersion, 2],
    [0, 8],
  ];
  const counts: Field[] = [
    [count, 8],
    [count, 8],
    [listBytes, 8],
    [offset, 8],
  ];
  const long: Field[] = [[0x06064b50, 4], [44, 8], ...versions, ...counts];
  const locator: Field[] = [
    [0x07064b50, 4],
    [0, 4],
    [offset + listBytes, 8],
    [1, 4],
  ];
  const files: Field = [Math.min(count, mostFiles), 2];
  const sizes: Field[] = [
    [Math.min(listBytes, mostBytes), 4],
    [Math.min(offset, mostBytes), 4],
  ];
  return numbers(...(isLong ? [...long, ...locator] : []), [0x06054b50, 4], [0, 4], files, files, ...sizes, [0, 2]);
}

/** Little-endian numbers, one after another. No value has more than 48 bits. */
function numbers(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (const [value, size] of fields) {
    bytes.writeUIntLE(value, at, Math.min(size, 6));
    at += size;
  }
  return bytes;
}
