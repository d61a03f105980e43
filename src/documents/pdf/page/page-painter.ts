// Follows the drawing operators of a page and notes where characters and rules land, and what each character means as text.

import { boundsOf } from "../../layout/geometry.ts";
import type { Box, Glyph } from "../../layout/page-layer.ts";
import { apply, type DrawnChar, type DrawnFont, type Matrix, multiply, readMatrix, TextState } from "./text-state.ts";

/** Symbol fonts put their signs into the private area; these are the ones that documents use. */
const symbols: Record<string, string> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0d8": "➢",
  "\uf076": "❖",
  "\uf0fc": "✓",
  "\uf0fb": "✗",
  "\uf0a8": "☐",
  "\uf06f": "☐",
  "\uf071": "☐",
  "\uf0fe": "☒",
  "\uf0e0": "→",
  "\uf0e8": "➔",
  "\uf02d": "−",
  "\uf0b0": "°",
  "\uf0b1": "±",
  "\uf0b4": "×",
  "\uf0a3": "≤",
  "\uf0b3": "≥",
};

/** The file does not say which text a glyph is. */
const unknownText = "\ufffd";

/** The text of a glyph: ligatures taken apart, spaces as "", `unknownText` where the file does not say. */
function characterText(unicode: string): string {
  if (unicode === "") return unknownText;
  const code = unicode.charCodeAt(0);
  if (unicode.length === 1) {
    if (code > 0x20 && code < 0x7f) return unicode;
    if (code <= 0x20 || code === 0xa0 || code === 0xad || (code >= 0x2000 && code <= 0x200f)) return "";
    if (code >= 0x7f && code < 0xa0) return unknownText;
    if (code === 0x3000 || code === 0x202f || code === 0xfeff || code === 0x205f) return "";
    // The comma of vertical lines.
    if (code === 0xfe10) return "，";
    if (code >= 0xe000 && code <= 0xf8ff) {
      const known = symbols[unicode];
      if (known) return known;
      // Symbol fonts repeat plain ASCII there.
      const plain = code & 0xff;
      return code >= 0xf021 && code <= 0xf07e && /[\w.,;:()%+-]/.test(String.fromCharCode(plain))
        ? String.fromCharCode(plain)
        : unknownText;
    }
  }
  const text =
    /[\ufb00-\ufb06\ufb13-\ufb17\u0132\u0133\u01c4-\u01cc\ufb50-\ufdff\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2f00-\u2fd5\ufe11-\ufe19\ufe30-\ufe48]/.test(
      unicode,
    )
      ? unicode.normalize("NFKC")
      : unicode;
  return text.trim();
}

export interface PaintedGlyph extends Glyph {
  /** Quarter turns that make its line run to the right. */
  quarterTurns: number;
}

/** Drawing programs make pages with millions of strokes, which say nothing about the layout. */
const maxRules = 20_000;
const maxGlyphs = 150_000;
const maxImages = 1000;
/** Filled boxes thinner than this are rules. */
const maxRuleWidth = 3;
const minRuleLength = 4;

interface State {
  matrix: Matrix;
  text: TextState;
  isWhite: boolean;
}

export class PagePainter {
  readonly glyphs: PaintedGlyph[] = [];
  readonly horizontal: Box[] = [];
  readonly vertical: Box[] = [];
  readonly fills: Box[] = [];
  /** Boxes of images: the library leaves them out, but not the steps around them. */
  readonly images: Box[] = [];
  readonly fontKeys: string[] = [];
  unreadable = 0;
  #state: State;
  #stack: State[] = [];
  #marks: number[] = [];
  #hidden = 0;
  #fontIndexes = new Map<string, number>();

  constructor(base: Matrix) {
    this.#state = { matrix: base, text: new TextState(), isWhite: false };
  }

  get text(): TextState {
    return this.#state.text;
  }

  setFont(key: string, font: DrawnFont, size: number): void {
    this.text.setFont(key, font, size);
  }

  save(): void {
    if (this.#stack.length > 1000) return;
    this.#stack.push({ ...this.#state, text: this.#state.text.copy() });
  }

  restore(): void {
    const state = this.#stack.pop();
    if (state) this.#state = state;
  }

  transform(matrix: Matrix): void {
    this.#state.matrix = multiply(this.#state.matrix, matrix);
  }

  /** An image fills the unit square of the matrix that was set for it. */
  image(): void {
    if (this.#hidden > 0 || this.images.length >= maxImages) return;
    const corners = [apply(this.#state.matrix, 0, 0), apply(this.#state.matrix, 1, 1)];
    const box = boundsOf(corners.map(([x, y]) => ({ x0: x, y0: y, x1: x, y1: y })));
    if (Number.isFinite(box.x0 + box.y0 + box.x1 + box.y1)) this.images.push(box);
  }

  setFill(color: unknown): void {
    this.#state.isWhite = typeof color === "string" && /^#f[b-f]f[b-f]f[b-f]$/i.test(color);
  }

  /** Marked content may be nested; `isShown` is false for layers that are switched off. */
  beginMark(mark: number, isShown: boolean): void {
    this.#marks.push(isShown ? mark : -2);
    if (!isShown) this.#hidden += 1;
  }

  endMark(): void {
    if (this.#marks.pop() === -2) this.#hidden -= 1;
  }

  show(chars: readonly (DrawnChar | number | null)[]): void {
    if (this.#hidden > 0) {
      for (const _ of this.text.show(chars, this.#state.matrix));
      return;
    }
    const font = this.#fontIndex();
    const mark = this.#marks.findLast((each) => each >= 0) ?? -1;
    for (const char of this.text.show(chars, this.#state.matrix)) {
      if (this.glyphs.length >= maxGlyphs) return;
      const text = characterText(char.text);
      const last = this.glyphs.at(-1);
      if (text === "") {
        if (last) last.isSpaced = true;
        continue;
      }
      if (text === unknownText) {
        this.unreadable += 1;
        continue;
      }
      const dx = char.end[0] - char.start[0];
      const dy = char.end[1] - char.start[1];
      if (!Number.isFinite(dx + dy + char.size) || char.size <= 0.2 || char.size > 2000) continue;
      const quarterTurns = Math.abs(dx) >= Math.abs(dy) ? (dx >= 0 ? 0 : 2) : dy > 0 ? 1 : 3;
      this.glyphs.push({
        text,
        x: char.start[0],
        y: char.start[1],
        width: Math.hypot(dx, dy),
        size: char.size,
        font,
        order: this.glyphs.length,
        isSpaced: false,
        mark,
        quarterTurns,
      });
    }
  }

  #fontIndex(): number {
    const key = this.text.fontKey;
    let index = this.#fontIndexes.get(key);
    if (index === undefined) {
      index = this.fontKeys.length;
      this.#fontIndexes.set(key, index);
      this.fontKeys.push(key);
    }
    return index;
  }

  /** A path of the form that the library packs: 0 move, 1 line, 2 curve, 3 quadratic curve, 4 close. */
  paintPath(data: ArrayLike<number>, isStroked: boolean): void {
    if (this.#hidden > 0 || this.horizontal.length + this.vertical.length > maxRules) return;
    const { matrix } = this.#state;
    let points: [number, number][] = [];
    let isStraight = true;
    const end = () => {
      if (points.length > 1) this.#shape(points, isStraight, isStroked);
      points = [];
      isStraight = true;
    };
    for (let at = 0; at < data.length; ) {
      const kind = data[at];
      const point = (offset: number) => apply(matrix, data[at + offset] as number, data[at + offset + 1] as number);
      if (kind === 0) {
        end();
        points.push(point(1));
        at += 3;
      } else if (kind === 1) {
        points.push(point(1));
        at += 3;
      } else if (kind === 2) {
        isStraight = false;
        points.push(point(5));
        at += 7;
      } else if (kind === 3) {
        isStraight = false;
        points.push(point(3));
        at += 5;
      } else {
        if (points[0] && isStroked) points.push(points[0]);
        at += 1;
      }
    }
    end();
  }

  #shape(points: readonly [number, number][], isStraight: boolean, isStroked: boolean): void {
    if (isStroked) {
      if (!isStraight) return;
      for (let at = 1; at < points.length; at += 1) {
        const [x0, y0] = points[at - 1] as [number, number];
        const [x1, y1] = points[at] as [number, number];
        this.#rule(Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1));
      }
      return;
    }
    if (!isStraight) return;
    const box = boundsOf(points.map(([x, y]) => ({ x0: x, y0: y, x1: x, y1: y })));
    const width = box.x1 - box.x0;
    const height = box.y1 - box.y0;
    if (width <= maxRuleWidth || height <= maxRuleWidth) {
      // A white rule on a coloured table divides its cells like a black one.
      if (Math.max(width, height) >= minRuleLength) this.#rule(box.x0, box.y0, box.x1, box.y1);
    } else if (!this.#state.isWhite && points.length <= 6 && this.fills.length < maxRules) this.fills.push(box);
  }

  #rule(x0: number, y0: number, x1: number, y1: number): void {
    const width = x1 - x0;
    const height = y1 - y0;
    if (height <= maxRuleWidth && width >= minRuleLength && width > height * 2)
      this.horizontal.push({ x0, y0, x1, y1 });
    else if (width <= maxRuleWidth && height >= minRuleLength && height > width * 2)
      this.vertical.push({ x0, y0, x1, y1 });
  }

  beginForm(matrix: unknown): void {
    this.save();
    this.transform(readMatrix(matrix));
  }
}
