// Workbooks whose cells lie far apart, and what lies over the cells.
import xlsx from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { readWorkbook } from "./read-workbook.ts";

const drawing = "http://schemas.openxmlformats.org/drawingml/2006";

describe("a sheet", () => {
  it("has its far cells, without the blank ones on the way to them", () => {
    const sheet: xlsx.WorkSheet = { "!ref": "A1:IV1500", A1: { t: "s", v: "top left" } };
    sheet["IV1"] = { t: "s", v: "top right" };
    sheet["A1500"] = { t: "s", v: "bottom left" };
    sheet["IV1500"] = { t: "s", v: "bottom right" };
    const bytes = xlsx.write({ SheetNames: ["Far"], Sheets: { Far: sheet } }, { type: "buffer", bookType: "xlsx" });
    const { html } = readWorkbook(bytes);
    expect(html.match(/(?:top|bottom) (?:left|right)/g)).toEqual([
      "top left",
      "top right",
      "bottom left",
      "bottom right",
    ]);
    expect(html.match(/<t[dh]>/g)).toHaveLength(4);
  });

  it("keeps a few blank columns between its parts", () => {
    const sheet = xlsx.utils.aoa_to_sheet([
      ["a", "", "", "b"],
      ["c", "", "", "d"],
    ]);
    const bytes = xlsx.write({ SheetNames: ["Near"], Sheets: { Near: sheet } }, { type: "buffer", bookType: "xlsx" });
    expect(readWorkbook(bytes).html.match(/<t[dh]>/g)).toHaveLength(8);
  });

  it("has the text of its text boxes", () => {
    const sheet = xlsx.utils.aoa_to_sheet([["cell"]]);
    const made = xlsx.write({ SheetNames: ["Boxes"], Sheets: { Boxes: sheet } }, { type: "buffer", bookType: "xlsx" });
    const parts = xlsx.CFB.read(made, { type: "buffer" });
    const add = (name: string, text: string) => xlsx.CFB.utils.cfb_add(parts, name, Buffer.from(text));
    add("/xl/worksheets/_rels/sheet1.xml.rels", relation("drawing", "../drawings/drawing1.xml"));
    add(
      "/xl/drawings/drawing1.xml",
      `<xdr:wsDr xmlns:xdr="${drawing}/spreadsheetDrawing" xmlns:a="${drawing}/main"><xdr:twoCellAnchor><xdr:sp><xdr:txBody>
        <a:p><a:r><a:t>Line </a:t></a:r><a:r><a:t>1 &amp; more</a:t></a:r></a:p><a:p/><a:p><a:r><a:t>Line 2</a:t></a:r></a:p>
      </xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`,
    );
    const bytes = xlsx.CFB.write(parts, { type: "buffer", fileType: "zip" }) as Buffer;
    expect(readWorkbook(bytes).html).toContain("<p>Line 1 &amp; more</p><p>Line 2</p>");
  });
});

function relation(type: string, target: string): string {
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
}
