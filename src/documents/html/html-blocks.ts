// Runs of text and blocks in reading order -> HTML. Runs that look alike share their elements; list items become nested lists,
// lines of code one block, quotes one quote.

import { escapeHtml } from "./document-html.ts";

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
  /** Nothing visible, so it is styled like its neighbours. */
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

  /** Finished HTML: a break, a picture, a formula. */
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

export interface BlockItem {
  /** From 0. */
  depth: number;
  isOrdered: boolean;
  /** The number that it carries. */
  number?: number | undefined;
  html: string;
}

interface OpenList {
  tag: "ul" | "ol";
  depth: number;
}

export class Blocks {
  private readonly parts: string[] = [];
  private readonly lists: OpenList[] = [];
  private codeLines: string[] | null = null;
  private isQuoting = false;

  get isEmpty(): boolean {
    return this.parts.length === 0 && this.codeLines === null;
  }

  paragraph(html: string, attributes = ""): void {
    if (html.trim() !== "") this.raw(`<p${attributes}>${html}</p>`);
  }

  heading(level: number, html: string, attributes = ""): void {
    const tag = `h${Math.min(6, Math.max(1, level))}`;
    if (html.trim() !== "") this.raw(`<${tag}${attributes}>${html}</${tag}>`);
  }

  /** Blocks that are complete by themselves. */
  raw(html: string): void {
    this.close();
    this.parts.push(html);
  }

  quote(html: string): void {
    if (html.trim() === "") return;
    this.closeCode();
    this.closeLists();
    if (!this.isQuoting) this.parts.push("<blockquote>");
    this.isQuoting = true;
    this.parts.push(`<p>${html}</p>`);
  }

  /** Lines of code; those that follow each other are one block. */
  code(lines: string): void {
    if (this.codeLines === null) this.close();
    this.codeLines ??= [];
    this.codeLines.push(lines);
  }

  item({ depth, isOrdered, number, html }: BlockItem): void {
    this.closeCode();
    this.closeQuote();
    const tag = isOrdered ? "ol" : "ul";
    while (this.lists.length > 0) {
      const top = this.lists[this.lists.length - 1] as OpenList;
      if (top.depth < depth || (top.depth === depth && top.tag === tag)) break;
      this.endList();
    }
    const top = this.lists[this.lists.length - 1];
    if (top?.depth === depth) this.parts.push("</li>");
    else {
      const start = isOrdered && number !== undefined && number !== 1 ? ` start="${number}"` : "";
      this.parts.push(`<${tag}${start}>`);
      this.lists.push({ tag, depth });
    }
    this.parts.push(`<li>${html}`);
  }

  /** More of the last item; false when no list is open. */
  continueItem(html: string): boolean {
    if (this.lists.length === 0 || this.codeLines !== null) return false;
    this.parts.push(html);
    return true;
  }

  toString(): string {
    this.close();
    return this.parts.join("");
  }

  private close(): void {
    this.closeCode();
    this.closeLists();
    this.closeQuote();
  }

  private closeCode(): void {
    if (this.codeLines === null) return;
    this.parts.push(`<pre><code>${escapeHtml(this.codeLines.join("\n"))}</code></pre>`);
    this.codeLines = null;
  }

  private closeQuote(): void {
    if (this.isQuoting) this.parts.push("</blockquote>");
    this.isQuoting = false;
  }

  private closeLists(): void {
    while (this.lists.length > 0) this.endList();
  }

  private endList(): void {
    const list = this.lists.pop() as OpenList;
    this.parts.push(`</li></${list.tag}>`);
  }
}
