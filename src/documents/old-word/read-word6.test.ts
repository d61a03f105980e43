// Documents of Word 6 and Word 95, built by hand: no program that writes them is at hand.
import xlsx from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { readDoc } from "./read-doc.ts";

interface Text {
  /** As the file has it. */
  bytes: Buffer;
  /** Number of the characters of its font. */
  font?: number;
  flags?: number;
  /** Places of its pieces in `bytes`, in the order in which they are read. */
  pieces?: readonly [from: number, to: number][];
}

const textAt = 0x300;

function wordFile({ bytes, font = 0, flags = 0, pieces }: Text): Buffer {
  const head = Buffer.alloc(textAt);
  head.writeUInt16LE(0xa5dc, 0);
  head.writeUInt16LE(flags | (pieces ? 4 : 0), 10);
  head.writeUInt32LE(textAt, 0x18);
  head.writeInt32LE(bytes.length, 0x34);
  const fonts = Buffer.concat([Buffer.from([0, 0, 11, 0, 0, 0, font, 0]), Buffer.from("Times\0\0")]);
  head.writeUInt32LE(textAt + bytes.length, 0xd0);
  head.writeUInt32LE(fonts.length, 0xd4);
  const list = pieces === undefined ? Buffer.alloc(0) : pieceList(pieces);
  head.writeUInt32LE(textAt + bytes.length + fonts.length, 0x160);
  head.writeUInt32LE(list.length, 0x164);
  const container = xlsx.CFB.utils.cfb_new();
  xlsx.CFB.utils.cfb_add(container, "/WordDocument", Buffer.concat([head, bytes, fonts, list, Buffer.alloc(4096)]));
  return Buffer.from(xlsx.CFB.write(container, { type: "buffer" }) as Buffer);
}

function pieceList(pieces: readonly [number, number][]): Buffer {
  const table = Buffer.alloc(4 + pieces.length * 12);
  let count = 0;
  for (const [index, [from, to]] of pieces.entries()) {
    table.writeUInt32LE(textAt + from, (pieces.length + 1) * 4 + index * 8 + 2);
    count += to - from;
    table.writeUInt32LE(count, (index + 1) * 4);
  }
  const head = Buffer.from([2, 0, 0, 0, 0]);
  head.writeUInt32LE(table.length, 1);
  return Buffer.concat([head, table]);
}

const bodyOf = (file: Text) => /<body>(.*)<\/body>/s.exec(readDoc(wordFile(file)).html)?.[1];

describe("a document of Word 6 or 95", () => {
  it("is read as paragraphs, with the results of its fields, and says what is left out", () => {
    const bytes = Buffer.from("Title\rsee \x13HYPERLINK x\x14the page\x15 & more\x0bnext\rcell\x07\x07", "latin1");
    expect(bodyOf({ bytes })).toBe("<p>Title</p><p>see the page &amp; more<br>next</p><p>cell</p>");
    expect(readDoc(wordFile({ bytes })).warnings).toEqual([
      "Files of Word 6 and Word 95 are read as plain paragraphs: looks and tables are left out",
    ]);
  });

  it("is read in the encoding of its fonts", () => {
    expect(bodyOf({ bytes: Buffer.from("p\xf8ed 7 lety", "latin1"), font: 238 })).toBe("<p>p\u0159ed 7 lety</p>");
  });

  it("that was saved in a hurry is read in the order of its pieces", () => {
    const bytes = Buffer.from("second first ", "latin1");
    expect(
      bodyOf({
        bytes,
        pieces: [
          [7, 13],
          [0, 7],
        ],
      }),
    ).toBe("<p>first second</p>");
  });

  it("that is encrypted or damaged says so", () => {
    const bytes = Buffer.from("text", "latin1");
    expect(() => readDoc(wordFile({ bytes, flags: 0x0100 }))).toThrow("The document is encrypted and needs a password");
    expect(() => readDoc(wordFile({ bytes, flags: 4 }))).toThrow("The list of text pieces is damaged");
  });
});
