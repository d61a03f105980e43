// Links, notes on the page and the values of form fields.
import type { PDFPageProxy } from "pdfjs-dist";
import type { Box, LinkArea } from "../../layout/page-layer.ts";
import { apply, type Matrix } from "./matrix.ts";
import type { PaintedGlyph } from "./page-painter.ts";

interface Annotation {
  subtype?: string;
  rect?: number[];
  url?: string;
  unsafeUrl?: string;
  hidden?: boolean;
  fieldType?: string;
  fieldValue?: unknown;
  checkBox?: boolean;
  radioButton?: boolean;
  pushButton?: boolean;
  buttonValue?: string | null;
  exportValue?: string;
  password?: boolean;
  defaultAppearanceData?: { fontSize?: number };
  contentsObj?: { str?: string };
  options?: { exportValue?: string; displayValue?: string }[];
}

const maxAnnotations = 5000;
const maxValueLength = 20_000;

/** Values become text at the position of their fields, so that they are read with their labels. */
export async function readAnnotations(
  page: PDFPageProxy,
  base: Matrix,
  firstOrder: number,
): Promise<{ links: LinkArea[]; fields: PaintedGlyph[] }> {
  const annotations = ((await page.getAnnotations().catch(() => [])) as Annotation[]).slice(0, maxAnnotations);
  const links: LinkArea[] = [];
  const fields: PaintedGlyph[] = [];
  for (const annotation of annotations) {
    if (annotation.hidden || annotation.rect?.length !== 4) continue;
    const box = boxOf(annotation.rect, base);
    if (annotation.subtype === "Link") {
      const url = annotation.url ?? annotation.unsafeUrl ?? "";
      if (/^(?:https?|mailto|ftp|tel):/i.test(url)) links.push({ box, url });
      continue;
    }
    const text = wordsText(annotation);
    if (text !== "") fields.push(...writtenIn(box, text, annotation, firstOrder + fields.length));
  }
  return { links, fields };
}

export function boxOf(rect: readonly number[], base: Matrix): Box {
  const [ax, ay] = apply(base, rect[0] ?? 0, rect[1] ?? 0);
  const [bx, by] = apply(base, rect[2] ?? 0, rect[3] ?? 0);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}

function wordsText(annotation: Annotation): string {
  if (annotation.subtype === "FreeText") return annotation.contentsObj?.str ?? "";
  if (annotation.subtype !== "Widget" || annotation.pushButton || annotation.password) return "";
  const value = annotation.fieldValue;
  if (annotation.checkBox) return typeof value === "string" && value !== "Off" ? "☒" : "☐";
  if (annotation.radioButton) return value !== null && value === annotation.buttonValue ? "☒" : "☐";
  const shown = (one: unknown) => {
    const option = annotation.options?.find((each) => each.exportValue === one);
    return typeof one === "string" ? (option?.displayValue ?? one) : "";
  };
  return (Array.isArray(value) ? value.map(shown).filter(Boolean).join(", ") : shown(value)).slice(0, maxValueLength);
}

function writtenIn(box: Box, text: string, annotation: Annotation, firstOrder: number): PaintedGlyph[] {
  const height = box.y1 - box.y0;
  const given = annotation.defaultAppearanceData?.fontSize ?? 0;
  const size = given > 2 ? given : Math.max(4, Math.min(12, height * 0.75));
  const glyphs: PaintedGlyph[] = [];
  const lines = text.split(/\r\n?|\n/);
  // One line is in the middle of its field; several start at its top.
  let y = lines.length > 1 ? box.y0 + size : (box.y0 + box.y1) / 2 + size * 0.35;
  for (const line of lines) {
    const width = Math.min(size * 0.5, (box.x1 - box.x0) / Math.max(line.length, 1));
    let x = box.x0 + 1;
    for (const char of line) {
      const last = glyphs.at(-1);
      if (char.trim() === "") {
        if (last) last.isSpaced = true;
      } else {
        glyphs.push({
          text: char,
          x,
          y,
          width,
          size,
          font: 0,
          order: firstOrder + glyphs.length,
          isSpaced: false,
          mark: -1,
          isField: true,
          quarterTurns: 0,
        });
      }
      x += width;
    }
    y += size * 1.2;
  }
  return glyphs;
}
