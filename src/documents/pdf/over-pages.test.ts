// Tables and notes of files with more than one page.
import { beforeAll, describe, expect, it } from "vitest";
import { handmadePdf, pdfStream } from "../../../test/support/handmade-pdf.ts";
import { pdfFolders } from "../../pages/files/pdf-folders.ts";
import { readPdf } from "./read-pdf.ts";

const write = (x: number, y: number, words: string, size = 11) =>
  `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${words}) Tj ET`;
const rule = (x0: number, y0: number, x1: number, y1: number) => `0.5 w ${x0} ${y0} m ${x1} ${y1} l S`;

/** A table of three columns with all its rules, from a height downwards. */
function table(top: number, rows: readonly string[][]): string {
  const edges = [40, 160, 260, 360];
  const height = 18 * rows.length;
  return [
    ...edges.map((x) => rule(x, top, x, top - height)),
    ...Array.from({ length: rows.length + 1 }, (_, row) => rule(40, top - 18 * row, 360, top - 18 * row)),
    ...rows.flatMap((cells, row) => cells.map((cell, at) => write((edges[at] ?? 0) + 5, top - 18 * row - 13, cell))),
  ].join("\n");
}

function file(pages: readonly string[]): Uint8Array {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(" ");
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      pdfStream("", content),
    ]),
  ]);
}

const head = ["Quay", "Ships", "Tons"];
/** A line with a raised sign in it. */
const raised = (y: number, words: string, sign: string, after = "") =>
  `BT /F1 11 Tf 40 ${y} Td (${words}) Tj /F1 6.6 Tf 4 Ts (${sign}) Tj 0 Ts /F1 11 Tf (${after}) Tj ET`;
/** A note that starts with its sign. */
const note = (y: number, sign: string, words: string) =>
  `BT /F1 5 Tf 4 Ts 40 ${y} Td (${sign}) Tj /F1 9 Tf 0 Ts ( ${words}) Tj ET`;

const first = [
  raised(280, "The harbour office has counted the ships of every quay", "1"),
  raised(266, "since the year 1874, with what they carry,", "2"),
  table(250, [head, ["North", "1,204", "77"], ["South", "988", "61"]]),
  rule(40, 60, 120, 60),
  note(46, "1", "Figures of the harbour office."),
  note(34, "2", "Without the ferries."),
].join("\n");
const second = [
  raised(120, "The basin measures 10", "4", " square metres."),
  write(40, 285, "Table 1 (continued)", 9),
  table(270, [head, ["East", "412", "35"], ["West", "96", "8"]]),
  write(40, 150, "After the table the report goes on with the plans for next year."),
].join("\n");

let html = "";
beforeAll(async () => {
  html = (await readPdf(file([first, second]), { mode: "fast", tools: { folders: pdfFolders() } })).html;
});

describe("a report of two pages", () => {
  it("has one table, with its head once and the page of each part", () => {
    expect(html.match(/<table/g)).toHaveLength(1);
    expect(html.match(/Quay/g)).toHaveLength(1);
    expect(html).toMatch(/<tr><td>South<\/td><td>988<\/td><td>61<\/td><\/tr>\s*<tr data-page="2"[^>]*><td>East</);
    expect(html).not.toContain("continued");
  });

  it("links its notes with what refers to them, each in its own paragraph", () => {
    const notes = [...html.matchAll(/<p id="(fn-[\d-]+)" class="footnote"[^>]*><sup>(\d)<\/sup> ([^<]*)<\/p>/g)];
    expect(notes.map(([, , label, words]) => [label, words])).toEqual([
      ["1", "Figures of the harbour office."],
      ["2", "Without the ferries."],
    ]);
    for (const [, id, label] of notes)
      expect(html).toContain(`<a href="#${id}" id="fnref-${id?.slice(3)}" class="footnote-ref">${label}</a>`);
    expect(html).toMatch(/every quay<sup>/);
    expect(html).toContain("measures 10<sup>4</sup> square metres.");
  });
});
