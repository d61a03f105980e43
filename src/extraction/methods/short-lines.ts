// Figures with their name on the same line and no sign between them: "4 Personen", "Serves 4", "35 min total".

import type { WantedField } from "../fields/wanted-fields.ts";
import { fold, singular } from "../lexicon/names.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import type { Piece } from "../page/text-pieces.ts";
import type { UnnamedValue } from "./unnamed.ts";

const longestLine = 60;
const mostWords = 10;
const longestPhrase = 3;
const maxLines = 2000;
const mostOfField = 6;

interface ShortLine {
  text: string;
  piece: Piece;
  phrases: ReadonlySet<string>;
}

/** Short lines of a page that have a figure and a word. */
export class ShortLines {
  private readonly page: ParsedPage;
  private readonly lines: ShortLine[] = [];
  private isRead = false;

  constructor(page: ParsedPage) {
    this.page = page;
  }

  /** With the first field that may have such a figure. */
  private readAll(): void {
    if (this.isRead) return;
    this.isRead = true;
    const { text, titleAt } = this.page;
    const { pieces } = text;
    // Text before the title mostly belongs to the site, so it comes last.
    this.read(pieces, titleAt, pieces.length, text);
    this.read(pieces, 0, titleAt, text);
  }

  find(field: WantedField): UnnamedValue[] {
    if (field.kind !== "number" && field.kind !== "minutes" && field.kind !== "rating") return [];
    this.readAll();
    const found: UnnamedValue[] = [];
    for (const { text, piece, phrases } of this.lines) {
      // "4.6 (210 reviews)": the line alone does not say which figure is meant.
      if (field.kind === "number" && /\d[^\d.,]+\d/.test(text)) continue;
      let weight = 0;
      for (const phrase of phrases) weight = Math.max(weight, field.phrases.get(phrase) ?? 0);
      if (weight > 0) found.push({ text, element: piece.element, weight });
      if (found.length >= mostOfField) break;
    }
    return found;
  }

  private read(pieces: readonly Piece[], from: number, to: number, page: ParsedPage["text"]): void {
    let end = from;
    for (let start = from; start < to && this.lines.length < maxLines; start = end) {
      end = start + 1;
      while (end < to && pieces[end]?.line === pieces[start]?.line) end += 1;
      const text = page.between(start, end, longestLine + 1);
      if (text.length > longestLine || !/\d/.test(text)) continue;
      const words = (fold(text).match(/[\p{L}\p{M}]+/gu) ?? []).map(singular);
      if (words.length === 0 || words.length > mostWords) continue;
      this.lines.push({ text, piece: pieces[start] as Piece, phrases: phrasesIn(words) });
    }
  }
}

function phrasesIn(words: readonly string[]): Set<string> {
  const phrases = new Set<string>();
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + 1; end <= Math.min(words.length, start + longestPhrase); end += 1)
      phrases.add(words.slice(start, end).join(" "));
  }
  return phrases;
}
