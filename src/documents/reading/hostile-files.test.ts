// Files made to hurt, and files that were damaged: each is read, or refused with a named cause, in time and memory that are bounded.

import { readdirSync, readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pdfFolders } from "../../pages/files/pdf-folders.ts";
import { FileFault } from "../file/file-reading.ts";
import { identifyFile } from "../kinds/identify-file.ts";
import { readFile } from "./read-file.ts";

const folder = new URL("../../../test/documents/files/", import.meta.url);
const options = { mode: "fast", tools: { folders: pdfFolders() } } as const;

/** A container of entries, each deflated. */
function zip(entries: Record<string, Buffer | string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, data] of Object.entries(entries)) {
    const packed = deflateRawSync(Buffer.from(data), { level: 9 });
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(at, 42);
    parts.push(head, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const word = (body: string, before = "") =>
  zip({
    "[Content_Types].xml": "",
    "word/document.xml": `${before}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  });
const text = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;

describe("hostile files", () => {
  it("a bomb is stopped by what it unpacks to", async () => {
    const bomb = word(text(" ".repeat(60 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(200_000);
    await expect(readFile("docx", bomb, options)).rejects.toMatchObject({ kind: "limit" });
  });

  it("more entries than are allowed are refused", async () => {
    const many = zip(Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`word/${index}`, ""])));
    await expect(readFile("docx", many, options)).rejects.toMatchObject({ kind: "limit" });
  });

  it("nesting without end is refused", async () => {
    const deep = word(`${"<w:sdt>".repeat(50_000)}`);
    await expect(readFile("docx", deep, options)).rejects.toMatchObject({ kind: "limit" });
  });

  it("no entity is expanded and no document type is read", async () => {
    const before = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const { html } = await readFile("docx", word(text("x &b; &f; y"), before), options);
    expect(html).not.toContain("lol");
    expect(html).not.toContain("root:");
  });

  it("names in an archive are shown, never used, and archives inside are not opened", async () => {
    const inner = zip({ "a.txt": "inside" });
    const outer = zip({ "../../etc/slip.txt": "slipped", "inner.zip": inner });
    const { html, warnings } = await readFile("zip", outer, options);
    expect(html).toContain("slipped");
    expect(html).not.toContain("inside");
    expect(warnings).toEqual(["Files of the archive that were not read: inner.zip"]);
  });

  it("an encrypted office file says so", async () => {
    const container = Buffer.alloc(2048);
    Buffer.from("d0cf11e0a1b11ae1", "hex").copy(container);
    Buffer.from("EncryptedPackage", "utf16le").copy(container, 1024);
    expect(identifyFile(container, { name: "a.xlsx", contentType: "" })?.kind).toBe("xlsx");
    await expect(readFile("xlsx", container, options)).rejects.toMatchObject({ kind: "encrypted" });
  });

  it("text that would be markup stays text, and links that would run are not written", async () => {
    const { html } = await readFile("docx", word(text("&lt;script&gt;alert(1)&lt;/script&gt;")), options);
    expect(html).toContain("&lt;script&gt;");
  });
});

describe("damaged files", () => {
  const names = readdirSync(folder).filter((name) => !name.endsWith(".html"));

  it.each(names)("%s: an answer or a named cause", async (name) => {
    const bytes = readFileSync(new URL(name, folder));
    const kind = identifyFile(bytes, { name, contentType: "" })?.kind ?? "txt";
    const damage = fc.tuple(fc.nat(bytes.length - 1), fc.nat(bytes.length - 1), fc.nat(255), fc.boolean());
    await fc.assert(
      fc.asyncProperty(damage, async ([at, other, value, isCut]) => {
        const copy = Buffer.from(bytes);
        copy[at] = value;
        copy.fill(value, other, Math.min(copy.length, other + 16));
        const damaged = isCut ? copy.subarray(0, at) : copy;
        const outcome = await readFile(kind, damaged, options).catch((error: unknown) => error);
        if (outcome instanceof Error && !(outcome instanceof FileFault)) throw outcome;
      }),
      { numRuns: 12, seed: 19 },
    );
  });
});
