// A ZIP file, written entry by entry: the pages of a job in one file.
import { crc32, deflateRawSync } from "node:zlib";

interface Entry {
  header: Buffer;
  offset: number;
}

/** Names are UTF-8 (bit 11). */
const flags = 0x0800;
const deflated = 8;
const version = 20;

/** `write` takes the bytes in order. Files of 4 GB and more are out of its reach and refused. */
export function createZip(write: (bytes: Uint8Array) => Promise<void>) {
  const entries: Entry[] = [];
  let offset = 0;

  async function put(bytes: Uint8Array): Promise<void> {
    offset += bytes.length;
    if (offset > 0xffff_ffff) throw new Error("The ZIP file would be larger than 4 GB. Use -o FOLDER/ instead.");
    await write(bytes);
  }

  return {
    async add(name: string, text: string): Promise<void> {
      if (entries.length === 0xffff) throw new Error("A ZIP file has at most 65,535 files. Use -o FOLDER/ instead.");
      const content = Buffer.from(text);
      const packed = deflateRawSync(content);
      const path = Buffer.from(name);
      const header = Buffer.alloc(26);
      header.writeUInt16LE(version, 0);
      header.writeUInt16LE(flags, 2);
      header.writeUInt16LE(deflated, 4);
      // The time is left at the format's first day, so that the same pages give the same file.
      header.writeUInt16LE(0x21, 8);
      header.writeUInt32LE(crc32(content), 10);
      header.writeUInt32LE(packed.length, 14);
      header.writeUInt32LE(content.length, 18);
      header.writeUInt16LE(path.length, 22);
      entries.push({ header: Buffer.concat([header, path]), offset });
      await put(Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), header, path, packed]));
    },

    async end(): Promise<void> {
      const start = offset;
      for (const { header, offset: at } of entries) {
        const rest = Buffer.alloc(14);
        rest.writeUInt32LE(at, 10);
        const mark = Buffer.from("PK\u0001\u0002", "latin1");
        const madeBy = Buffer.from([version, 0]);
        await put(Buffer.concat([mark, madeBy, header.subarray(0, 26), rest, header.subarray(26)]));
      }
      const end = Buffer.alloc(22);
      end.write("PK\u0005\u0006", "latin1");
      end.writeUInt16LE(entries.length, 8);
      end.writeUInt16LE(entries.length, 10);
      end.writeUInt32LE(offset - start, 12);
      end.writeUInt32LE(start, 16);
      await put(end);
    },
  };
}
