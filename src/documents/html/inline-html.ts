// Runs of text with their looks -> inline HTML. Neighbours that look alike share their elements.
import { escapeHtml } from "./escape-html.ts";

export interface Look {
  href?: string | undefined;
  isBold?: boolean | undefined;
  isItalic?: boolean | undefined;
  isStruck?: boolean | undefined;
  isCode?: boolean | undefined;
  script?: "sup" | "sub" | undefined;
}

interface Piece {
  html: string;
  look: Look;
  /** Nothing visible: it takes the look of its neighbours. */
  isBlank: boolean;
}

const elements: readonly [keyof Look, (value: never) => string, (value: never) => string][] = [
  ["href", (href: string) => `<a href="${escapeHtml(href)}">`, () => "</a>"],
  ["isBold", () => "<strong>", () => "</strong>"],
  ["isItalic", () => "<em>", () => "</em>"],
  ["isStruck", () => "<del>", () => "</del>"],
  ["script", (script: string) => `<${script}>`, (script: string) => `</${script}>`],
  ["isCode", () => "<code>", () => "</code>"],
];

export class Inline {
  private readonly pieces: Piece[] = [];
  private hasText = false;

  /** True when nothing visible was added. */
  get isEmpty(): boolean {
    return !this.hasText;
  }

  text(text: string, look: Look = {}): void {
    if (text === "") return;
    const isBlank = text.trim() === "";
    this.add(escapeHtml(text), look, isBlank);
  }

  /** Ready HTML: a break, a picture, a formula. */
  html(html: string, look: Look = {}, isBlank = false): void {
    if (html !== "") this.add(html, look, isBlank);
  }

  /** Removes a list marker that is written at the start of the text. */
  dropStart(length: number): void {
    let left = length;
    for (const piece of this.pieces) {
      if (left <= 0) return;
      const written = piece.html.replace(/&(?:amp|lt|gt|quot);/g, "x").length;
      if (written > left) piece.html = piece.html.slice(left);
      else piece.html = "";
      left -= written;
    }
  }

  break(): void {
    this.add("<br>", {}, true);
  }

  toString(): string {
    this.calmBlanks();
    return wrap(this.pieces, 0, this.pieces.length, 0);
  }

  private add(html: string, look: Look, isBlank: boolean): void {
    if (!isBlank) this.hasText = true;
    this.pieces.push({ html, look, isBlank });
  }

  private calmBlanks(): void {
    for (const [index, piece] of this.pieces.entries()) {
      if (!piece.isBlank) continue;
      const before = this.pieces[index - 1]?.look ?? {};
      const after = this.pieces.slice(index + 1).find(({ isBlank }) => !isBlank)?.look ?? {};
      const calm: Record<string, unknown> = {};
      for (const [name] of elements)
        if (before[name] !== undefined && before[name] === after[name]) calm[name] = before[name];
      piece.look = calm;
    }
  }
}

/** Element by element, from the outside in: equal neighbours share one element. */
function wrap(pieces: readonly Piece[], from: number, to: number, depth: number): string {
  const row = elements[depth];
  let html = "";
  if (!row) {
    for (let index = from; index < to; index += 1) html += (pieces[index] as Piece).html;
    return html;
  }
  const [name, open, close] = row;
  const looksLike = (index: number) => (pieces[index] as Piece).look[name] || undefined;
  for (let start = from; start < to; ) {
    const value = looksLike(start);
    let end = start + 1;
    while (end < to && looksLike(end) === value) end += 1;
    const inside = wrap(pieces, start, end, depth + 1);
    html += value === undefined ? inside : open(value as never) + inside + close(value as never);
    start = end;
  }
  return html;
}
