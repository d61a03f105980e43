// Pictures that lie on the sheets of a workbook (xlsx, xlsm): the reader of cells leaves them out.

import type { ZipArchive } from "../../base/index.ts";
import { escapeHtml } from "../html/escape-html.ts";
import { createPictures } from "../html/pictures.ts";
import { OfficePackage } from "../packages/opc.ts";
import { attributeOf, findNode, findNodes, relationOf, type XmlNode } from "../packages/xml.ts";

export interface SheetPictures {
  /** Of a sheet, as HTML; "" when it has none. */
  of(sheet: string): string;
  warnings(): string[];
}

export function sheetPictures(zip: ZipArchive | null): SheetPictures {
  if (!zip?.names.some((name) => /^xl\/media\//i.test(name))) return { of: () => "", warnings: () => [] };
  const file = new OfficePackage(zip);
  const pictures = createPictures(zip);
  // The cells are read by others: drawings that cannot be read cost no more than themselves.
  const parts = attempt(() => sheetParts(file)) ?? new Map<string, string>();

  function read(part: string): string {
    const drawing = file.related(file.relationsOf(part), "drawing");
    if (drawing === undefined) return "";
    const relations = file.relationsOf(drawing);
    return findNodes(file.part(drawing), "pic")
      .map((picture) => {
        const blip = findNode(picture, "blip");
        const relation = relations.get((blip && relationOf(blip, "embed")) ?? "");
        const source = relation && !relation.isExternal ? pictures.source(relation.target) : null;
        return source ? `<p><img alt="${escapeHtml(altOf(picture))}" src="${source}"></p>` : "";
      })
      .join("");
  }

  return {
    of: (sheet) => {
      const part = parts.get(sheet);
      return (part !== undefined && attempt(() => read(part))) || "";
    },
    warnings: pictures.warnings,
  };
}

/** Names of sheets -> their parts. */
function sheetParts(file: OfficePackage): Map<string, string> {
  const main = file.mainPart("xl/workbook.xml");
  // A binary workbook names its sheets elsewhere.
  if (!/\.xml$/i.test(main)) return new Map();
  const relations = file.relationsOf(main);
  return new Map(
    findNodes(file.part(main), "sheet").flatMap((sheet) => {
      const target = relations.get(relationOf(sheet) ?? "")?.target;
      return target === undefined ? [] : [[attributeOf(sheet, "name") ?? "", target] as const];
    }),
  );
}

function altOf(picture: XmlNode): string {
  const named = findNode(picture, "cNvPr");
  return (named && (attributeOf(named, "descr") ?? attributeOf(named, "title"))) ?? "";
}

function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
