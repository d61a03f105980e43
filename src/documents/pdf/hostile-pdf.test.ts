// PDFs made to hurt their reader through fonts, images, streams and references. Each is read in a process like any upload: it is
// read, or refused with a named cause, and the process after it reads the next file.
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { handmadePdf, onePage, pdfStream } from "../../../test/support/handmade-pdf.ts";
import { createFileRunner } from "../../pages/files/file-runner.ts";

const maxMemoryMb = 192;
const runner = createFileRunner({ processes: 1, maxMemoryMb });
afterAll(() => runner.close());

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const sentence = "BT /F1 12 Tf 40 150 Td (The harbour was built in the year 1874.) Tj ET";

function read(bytes: Uint8Array) {
  const options = { mode: "auto" as const };
  const task = { kind: "pdf" as const, bytes, options, timeLimitMs: 20_000, recognition: { languages: ["eng"] } };
  return runner.read(task, { teamId: "team", signal: AbortSignal.timeout(40_000) });
}

/** A page that is one image. */
function imagePage(entries: string, data: Uint8Array): Uint8Array {
  const image = pdfStream(`/Type /XObject /Subtype /Image ${entries}`, data);
  return onePage("400 0 0 200 0 0 cm /I Do", "/XObject << /I 5 0 R >>", [image]);
}

function bytesOf(...parts: (number | string)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(part, "hex");
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(part);
      return bytes;
    }),
  );
}

/** Says that its page is 60,000 pixels wide and high. */
const jbig2 = bytesOf(0, "30", "00", "01", 19, 60_000, 60_000, 0, 0, "00", "0000");
/** The same, as one tile of three colours. */
const jpeg2000 = bytesOf(
  ...["ff4f", "ff51", "002f", "0000", 60_000, 60_000, 0, 0, 60_000, 60_000, 0, 0, "0003", "070101", "070101", "070101"],
  ...["ff52", "000c", "00", "00", "0001", "00", "00", "04", "04", "00", "01", "ff5c", "0004", "40", "40"],
  ...["ff90", "000a", "0000", 14, "00", "01", "ff93", "ffd9"],
);

/** A font whose first subroutine calls itself, encrypted as fonts are. */
function recursiveFont(): Uint8Array {
  const encrypt = (data: Buffer, key: number) => {
    let state = key;
    return Buffer.from(
      data.map((byte) => {
        const cipher = byte ^ (state >> 8);
        state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
        return cipher;
      }),
    );
  };
  const charstring = (hex: string) => encrypt(Buffer.from(`00000000${hex}`, "hex"), 4330);
  const subroutine = charstring("8b0a0b");
  const glyph = charstring("8bf7c00d8b0a0e");
  const secret = Buffer.concat([
    Buffer.from("0000dup /Private 8 dict dup begin /RD {string currentfile exch readstring pop} def /lenIV 4 def\n"),
    Buffer.from(`/Subrs 1 array\ndup 0 ${subroutine.length} RD `),
    subroutine,
    Buffer.from(` NP\nND\n2 index /CharStrings 2 dict dup begin\n/.notdef ${glyph.length} RD `),
    glyph,
    Buffer.from(` ND\n/A ${glyph.length} RD `),
    glyph,
    Buffer.from(" ND\nend\nend\nreadonly put\nmark currentfile closefile\n"),
  ]);
  const clear = Buffer.from(
    "%!PS-AdobeFont-1.0: Loop\n/FontName /Loop def\n/FontMatrix [0.001 0 0 0.001 0 0] def\n/Encoding StandardEncoding def\n" +
      "/FontBBox {0 0 1000 1000} def\ncurrentfile eexec\n",
  );
  const hidden = encrypt(secret, 55_665);
  const program = Buffer.concat([clear, hidden]);
  const lengths = `/Length1 ${clear.length} /Length2 ${hidden.length} /Length3 0`;
  return onePage(`${sentence} BT /F2 20 Tf 40 50 Td (AAAAAAAAAAAAAAAAAAAA) Tj ET`, "/Font << /F1 5 0 R /F2 6 0 R >>", [
    helvetica,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Loop /FirstChar 65 /LastChar 65 /Widths [500] /FontDescriptor 7 0 R >>",
    "<< /Type /FontDescriptor /FontName /Loop /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent 0 /CapHeight 800 /StemV 80 /FontFile 8 0 R >>",
    pdfStream(lengths, program),
  ]);
}

/** Its one letter writes itself. */
function drawnFont(): Uint8Array {
  const font =
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << /a 7 0 R >> " +
    "/Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << /Font << /F2 6 0 R >> >> >>";
  return onePage(`${sentence} BT /F2 20 Tf 40 50 Td (aaa) Tj ET`, "/Font << /F1 5 0 R /F2 6 0 R >>", [
    helvetica,
    font,
    pdfStream("", "1000 0 0 0 1000 1000 d1 BT /F2 1 Tf (aa) Tj ET"),
  ]);
}

/** Meanings for four thousand million codes. */
function endlessMeanings(): Uint8Array {
  const map =
    "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange\n" +
    "1 beginbfrange <00000000> <ffffffff> <0041> endbfrange endcmap";
  return onePage(sentence, "/Font << /F1 5 0 R >>", [
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
    pdfStream("", map),
  ]);
}

/** Each form draws the next ten times. */
function multiplied(levels: number): Uint8Array {
  const forms = Array.from({ length: levels }, (_, at) => {
    const isLast = at === levels - 1;
    const resources = isLast ? "/Font << /F1 5 0 R >>" : `/XObject << /X ${7 + at} 0 R >>`;
    const content = isLast ? sentence : "/X Do ".repeat(10);
    return pdfStream(`/Type /XObject /Subtype /Form /BBox [0 0 400 200] /Resources << ${resources} >>`, content);
  });
  return onePage("/X Do", "/XObject << /X 6 0 R >>", [helvetica, ...forms]);
}

const packed = (length: number, fill: string) => deflateSync(Buffer.alloc(length, fill), { level: 9 });

/** What has to come out: a text, or a fault. `any`: either. */
const files: [string, () => Uint8Array, RegExp | "any"][] = [
  ["a font whose program calls itself", recursiveFont, /harbour was built/],
  ["a font whose letter draws itself", drawnFont, /harbour was built/],
  ["a font with four thousand million meanings", endlessMeanings, "any"],
  [
    "a form that draws itself",
    () =>
      onePage(`${sentence} /X Do`, "/Font << /F1 5 0 R >> /XObject << /X 6 0 R >>", [
        helvetica,
        pdfStream(
          "/Type /XObject /Subtype /Form /BBox [0 0 400 200] /Resources << /XObject << /X 6 0 R >> >>",
          "/X Do /X Do",
        ),
      ]),
    /harbour was built/,
  ],
  ["forms that multiply", () => multiplied(4), "any"],
  [
    "an image of 60,000 by 60,000 pixels",
    () =>
      imagePage(
        "/Width 60000 /Height 60000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
        packed(1000, "a"),
      ),
    /no text/,
  ],
  [
    "an image that unpacks to 48 MB",
    () =>
      imagePage(
        "/Width 4000 /Height 4000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
        packed(48_000_000, "a"),
      ),
    "any",
  ],
  [
    "a JBIG2 image that is larger than it says",
    () => imagePage("/Width 100 /Height 100 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode", jbig2),
    "any",
  ],
  [
    "a JPEG 2000 image that is larger than it says",
    () => imagePage("/Width 100 /Height 100 /Filter /JPXDecode", jpeg2000),
    "any",
  ],
  [
    "a page whose stream unpacks to 120 MB",
    () => onePage(pdfStream("/Filter /FlateDecode", packed(120_000_000, " ")), "/Font << /F1 5 0 R >>", [helvetica]),
    "any",
  ],
  [
    "arrays in arrays without end",
    () => onePage(sentence, `/Font << /F1 5 0 R >> /Deep ${"[".repeat(100_000)}`, [helvetica]),
    "any",
  ],
  [
    "pages that are their own parents",
    () => handmadePdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>"]),
    "any",
  ],
  [
    "tables of objects that follow each other in a ring",
    () => handmadePdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"], "/Prev 9"),
    "any",
  ],
];

describe("a PDF made to hurt", () => {
  it.each(files)("%s", async (_name, make, expected) => {
    const outcome = await read(make());
    if ("fault" in outcome) {
      expect(["broken", "empty", "limit"]).toContain(outcome.fault);
      expect(outcome.message).not.toBe("");
      expect(expected).toBe("any");
    } else if (expected !== "any") expect(`${outcome.html} ${outcome.warnings.join()}`).toMatch(expected);
  });

  it("and the next file is read", async () => {
    const { html } = (await read(onePage(sentence, "/Font << /F1 5 0 R >>", [helvetica]))) as { html: string };
    expect(html).toContain("The harbour was built in the year 1874.");
  });
});
