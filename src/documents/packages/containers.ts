// The containers of office files: ZIP, and OLE (doc, ppt, msg), whose streams are chains of sectors. Both are read within bounds.

import { ZipArchive, type ZipLimits } from "../../zip/index.ts";
import { FileFault } from "../file/file-reading.ts";

const officeLimits: ZipLimits = { totalBytes: 500 * 1024 * 1024, entries: 2000 };
export const archiveLimits: ZipLimits = { totalBytes: 100 * 1024 * 1024, entries: 2000 };

/** The entries of an office file or an archive; what cannot be read is the fault of the file. */
export function openZip(bytes: Uint8Array, limits = officeLimits): ZipArchive {
  return new ZipArchive(bytes, limits, (kind, message) => new FileFault(kind, message));
}

interface OleEntry {
  name: string;
  /** 1: a storage, 2: a stream, 5: the root. */
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  sizeBytes: number;
}

const endOfChain = 0xfffffffe;
const maxEntries = 100_000;

/** A storage: the streams and storages in it by name. */
export interface OleFolder {
  streams: ReadonlyMap<string, OleEntry>;
  folders: ReadonlyMap<string, OleEntry>;
}

export class OleContainer {
  readonly root: OleFolder;
  private readonly bytes: Buffer;
  private readonly sectorBytes: number;
  private readonly miniBytes: number;
  private readonly miniCutoff: number;
  private readonly table: number[] = [];
  private readonly miniTable: number[];
  private readonly miniStream: Buffer;
  private readonly entries: OleEntry[];

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.bytes.length < 512) throw new FileFault("broken", "The container is truncated");
    const sectorShift = this.bytes.readUInt16LE(30);
    const miniShift = this.bytes.readUInt16LE(32);
    if (sectorShift < 7 || sectorShift > 20 || miniShift > sectorShift)
      throw new FileFault("broken", "The container's header is damaged");
    this.sectorBytes = 1 << sectorShift;
    this.miniBytes = 1 << miniShift;
    this.miniCutoff = this.bytes.readUInt32LE(56);
    this.readTable();
    this.entries = this.readEntries();
    const [root] = this.entries;
    if (!root) throw new FileFault("broken", "The container is empty");
    this.miniStream = this.chain(root.start, root.sizeBytes);
    this.miniTable = numbersOf(this.chain(this.bytes.readUInt32LE(60), this.bytes.readUInt32LE(64) * this.sectorBytes));
    this.root = this.folder(root);
  }

  folder(entry: OleEntry): OleFolder {
    const streams = new Map<string, OleEntry>();
    const folders = new Map<string, OleEntry>();
    const seen = new Set<number>();
    const waiting = [entry.child];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const each = this.entries[place];
      if (!each || seen.has(place)) continue;
      seen.add(place);
      (each.type === 2 ? streams : folders).set(each.name, each);
      waiting.push(each.left, each.right);
    }
    return { streams, folders };
  }

  /** Null when there is no such stream. */
  stream(name: string, folder: OleFolder = this.root): Buffer | null {
    const entry = folder.streams.get(name);
    if (!entry) return null;
    return entry.sizeBytes < this.miniCutoff ? this.miniChain(entry) : this.chain(entry.start, entry.sizeBytes);
  }

  private readTable(): void {
    const { bytes } = this;
    const sectors: number[] = [];
    for (let index = 0; index < 109; index += 1) sectors.push(bytes.readUInt32LE(76 + 4 * index));
    let next = bytes.readUInt32LE(68);
    for (let count = 0; next < endOfChain && count < 10_000; count += 1) {
      const sector = this.sector(next);
      if (sector.length < this.sectorBytes) break;
      for (let at = 0; at + 8 <= sector.length; at += 4) sectors.push(sector.readUInt32LE(at));
      next = sector.readUInt32LE(sector.length - 4);
    }
    const most = Math.ceil(bytes.length / this.sectorBytes);
    for (const number of sectors) {
      if (number >= endOfChain || this.table.length > most) continue;
      for (const each of numbersOf(this.sector(number))) this.table.push(each);
    }
  }

  private readEntries(): OleEntry[] {
    const data = this.chain(this.bytes.readUInt32LE(48), Number.POSITIVE_INFINITY);
    const entries: OleEntry[] = [];
    for (let at = 0; at + 128 <= data.length && entries.length < maxEntries; at += 128) {
      const length = Math.min(64, data.readUInt16LE(at + 64));
      entries.push({
        name: data.toString("utf16le", at, at + Math.max(0, length - 2)),
        type: data[at + 66] ?? 0,
        left: data.readUInt32LE(at + 68),
        right: data.readUInt32LE(at + 72),
        child: data.readUInt32LE(at + 76),
        start: data.readUInt32LE(at + 116),
        sizeBytes: data.readUInt32LE(at + 120),
      });
    }
    return entries;
  }

  private sector(number: number): Buffer {
    const at = (number + 1) * this.sectorBytes;
    return this.bytes.subarray(at, at + this.sectorBytes);
  }

  private chain(start: number, sizeBytes: number): Buffer {
    return chained(start, sizeBytes, this.table, this.bytes.length, (number) => this.sector(number));
  }

  private miniChain({ start, sizeBytes }: OleEntry): Buffer {
    return chained(start, sizeBytes, this.miniTable, this.miniStream.length, (number) =>
      this.miniStream.subarray(number * this.miniBytes, (number + 1) * this.miniBytes),
    );
  }
}

/** A chain never has more sectors than the file: one that does runs in a circle. */
function chained(
  start: number,
  sizeBytes: number,
  table: readonly number[],
  most: number,
  sectorAt: (number: number) => Buffer,
): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let next = start; next < endOfChain && size < sizeBytes && size <= most; next = table[next] ?? endOfChain) {
    const sector = sectorAt(next);
    if (sector.length === 0) break;
    parts.push(sector);
    size += sector.length;
  }
  const all = Buffer.concat(parts);
  return all.subarray(0, Math.min(all.length, sizeBytes));
}

function numbersOf(bytes: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readUInt32LE(at));
  return numbers;
}

export interface Blip {
  type: "image/png" | "image/jpeg";
  bytes: Buffer;
}

const signatures = [
  { type: "image/png", mark: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") },
  { type: "image/jpeg", mark: Buffer.from("\xff\xd8\xff", "latin1") },
] as const;

/** The first picture in the bytes that browsers show; null for drawings of Windows. */
export function findBlip(bytes: Buffer): Blip | null {
  const found = signatures
    .map(({ type, mark }) => ({ type, at: bytes.indexOf(mark) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)[0];
  return found ? { type: found.type, bytes: bytes.subarray(found.at) } : null;
}
