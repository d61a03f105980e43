// What tags say about formulas and letters, and scripts that run otherwise than Latin does.
import { expect, it } from "vitest";
import { handmadePdf, onePage, pdfStream } from "../../../test/support/handmade-pdf.ts";
import { pdfFolders } from "../../pages/files/pdf-folders.ts";
import { readPdf } from "./read-pdf.ts";

const tools = { folders: pdfFolders() };
const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

const read = async (bytes: Uint8Array) => (await readPdf(bytes, { mode: "fast", tools })).html;
const text = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** A paragraph with the content of a tag in its middle. */
function tagged(tag: string, drawn: string, others: readonly (string | Uint8Array)[] = []): Uint8Array {
  const content =
    "BT /F1 12 Tf 40 150 Td /P << /MCID 0 >> BDC (The area of the harbour is ) Tj EMC " +
    `/Span << /MCID 1 >> BDC (${drawn}) Tj EMC /P << /MCID 2 >> BDC ( in the plan of 1874.) Tj EMC ET`;
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /StructParents 0 >>",
    pdfStream("", content),
    helvetica,
    "<< /Type /StructTreeRoot /K [7 0 R] /ParentTree << /Nums [0 [8 0 R 9 0 R 8 0 R]] >> >>",
    "<< /Type /StructElem /S /Document /P 6 0 R /K [8 0 R] >>",
    "<< /Type /StructElem /S /P /P 7 0 R /Pg 3 0 R /K [0 9 0 R 2] >>",
    `<< /Type /StructElem ${tag} /P 8 0 R /Pg 3 0 R /K [1] >>`,
    ...others,
  ]);
}

it("keeps a formula as the TeX that describes it", async () => {
  const html = await read(tagged("/S /Formula /Alt (\\\\frac{a}{b})", "a/b"));
  expect(html).toContain('<annotation encoding="application/x-tex">\\frac{a}{b}</annotation>');
  expect(html).toMatch(/<p[^>]*>The area of the harbour is <math>.*<\/math> in the plan of 1874\.<\/p>/);
});

it("keeps a formula as the MathML that belongs to it, and nothing else of that file", async () => {
  const mathMl =
    '<m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:msup><m:mi>x</m:mi><m:mn onclick="a()">2</m:mn></m:msup>' +
    "<script>alert(1)</script></m:math>";
  const html = await read(
    tagged("/S /Formula /AF [10 0 R]", "x2", [
      "<< /Type /Filespec /F (a.xml) /AFRelationship /Supplement /EF << /F 11 0 R >> >>",
      pdfStream("/Type /EmbeddedFile /Subtype /application#2fmathml+xml", mathMl),
    ]),
  );
  expect(html).toContain("harbour is <math><msup><mi>x</mi><mn>2</mn></msup></math> in the plan");
});

it("keeps a formula as its letters where the description is for ears", async () => {
  const html = await read(tagged("/S /Formula /Alt (x squared)", "x2"));
  expect(text(html)).toBe("The area of the harbour is x2 in the plan of 1874.");
});

it("writes what letters stand for, not what is drawn", async () => {
  const html = await read(tagged("/S /Span /ActualText (efficient)", "e$cient"));
  expect(text(html)).toBe("The area of the harbour is efficient in the plan of 1874.");
});

it("reads columns of vertical text from the right to the left", async () => {
  const column = (x: number, words: string) =>
    `BT /F1 12 Tf ${x} 180 Td <${Buffer.from(words, "utf16le").swap16().toString("hex")}> Tj ET`;
  const content = `${column(300, "港口建于一八七四年，")} ${column(280, "此后扩建了三次。")}`;
  const html = await read(
    onePage(content, "/Font << /F1 5 0 R >>", [
      "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-V /DescendantFonts [6 0 R] >>",
      "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>",
      "<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 /FontBBox [0 -120 1000 880] >>",
    ]),
  );
  expect(text(html)).toMatch(/^港口建于一八七四年，此后扩建了三次。$/);
});

/** Letters as they are drawn: from the left, the last of each line first. */
function hebrew(lines: readonly [right: number, y: number, words: string][]): Uint8Array {
  const drawn = lines.map(([right, y, words]) => {
    const letters = [...words].reverse();
    const codes = letters.map((letter) =>
      (letter === " " ? 0x20 : letter.charCodeAt(0) - 0x500).toString(16).padStart(4, "0"),
    );
    return `BT /F1 10 Tf ${right - 5 * letters.length} ${y} Td <${codes.join("")}> Tj ET`;
  });
  const map =
    "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange\n" +
    "2 beginbfrange <0020> <0020> <0020> <0090> <00ff> <0590> endbfrange\n1 beginbfchar <1b22> <2022> endbfchar endcmap";
  return onePage(drawn.join("\n"), "/Font << /F1 5 0 R >>", [
    "<< /Type /Font /Subtype /Type0 /BaseFont /Alef /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>",
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Alef /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor 7 0 R >>",
    "<< /Type /FontDescriptor /FontName /Alef /Flags 4 /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 800] >>",
    pdfStream("", map),
  ]);
}

it("keeps lists of a script that runs to the left", async () => {
  const html = await read(
    hebrew([
      [360, 180, "שלום עולם של ספינות ונמלים בצפון"],
      [360, 160, "• אבן גיר"],
      [360, 146, "• עמודי עץ"],
    ]),
  );
  expect([...html.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, item]) => item)).toEqual(["אבן גיר", "עמודי עץ"]);
  expect(text(html)).toMatch(/^שלום עולם של ספינות ונמלים בצפון /);
});
