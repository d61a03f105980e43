// What a page holds besides drawings: links, notes, form values, and tags with the text that they represent.

import type { PDFPageProxy } from "pdfjs-dist";
import { cleanMathMl, texMathMl } from "../../equations/mathml.ts";
import type { Box, LinkArea, TagNode } from "../../layout/page-layer.ts";
import type { PaintedGlyph } from "./page-painter.ts";
import { apply, type Matrix } from "./text-state.ts";

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
    const text = annotationText(annotation);
    if (text !== "") fields.push(...writtenIn(box, text, annotation, firstOrder + fields.length));
  }
  return { links, fields };
}

export function boxOf(rect: readonly number[], base: Matrix): Box {
  const [ax, ay] = apply(base, rect[0] ?? 0, rect[1] ?? 0);
  const [bx, by] = apply(base, rect[2] ?? 0, rect[3] ?? 0);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}

function annotationText(annotation: Annotation): string {
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

interface LibraryTag {
  role?: string;
  type?: string;
  id?: string;
  /** Its text: a description, or the content itself. */
  alt?: string;
  mathML?: string;
  bbox?: number[];
  children?: LibraryTag[];
}

type PlaceBox = (rect: readonly number[]) => Box;

const maxDepth = 60;
const maxTextLength = 2000;

/** `place` turns a box of the file into one of the page. */
export async function readTags(page: PDFPageProxy, place: PlaceBox): Promise<TagNode | null> {
  const tree = (await page.getStructTree().catch(() => null)) as LibraryTag | null;
  return tree ? tagNode(tree, 0, place) : null;
}

function tagNode(tag: LibraryTag, depth: number, place: PlaceBox): TagNode {
  if (tag.type === "content") {
    const mark = Number(/_mc(\d+)$/.exec(tag.id ?? "")?.[1] ?? -1);
    return { role: "", mark, children: [] };
  }
  const children = depth > maxDepth ? [] : (tag.children ?? []).map((child) => tagNode(child, depth + 1, place));
  const node: TagNode = { role: tag.role ?? "", children };
  const text = (tag.alt ?? "").trim();
  if (node.role === "Formula") {
    const formula = (tag.mathML && cleanMathMl(tag.mathML)) || texOf(text);
    if (formula) node.formula = formula;
    const drawn = text || (formula ?? "").replace(/<annotation[\s\S]*<\/annotation>|<[^>]+>/g, "");
    if (drawn !== "") node.text = drawn.slice(0, maxTextLength);
    if (tag.bbox?.length === 4) node.box = place(tag.bbox);
  } else if (node.role === "Span" && text !== "") node.text = text.slice(0, maxTextLength);
  return node;
}

/** The description of a formula as TeX, if it is TeX; other descriptions are for screen readers. */
function texOf(text: string): string | null {
  const tex = /^(?:\$\$?|\\\(|\\\[)([\s\S]+?)(?:\$\$?|\\\)|\\\])$/.exec(text)?.[1] ?? text;
  return /\\[a-zA-Z]{2,}|[\^_]\{|^[^\s]{1,60}[\^_][^\s]{1,60}$/.test(tex) ? texMathMl(tex.trim()) : null;
}
