// Which paragraphs are headings, and of what level.

import { listMarker, type Paragraph } from "./paragraph.ts";

export interface HeadingFacts {
  text: string;
  paragraph: Paragraph;
  pageHeight: number;
  isOnlyPage: boolean;
  /** Of recognized text, sizes are estimates and weights are unknown. */
  isRecognized: boolean;
}

const caption =
  /^(?:fig(?:ure|\.)|table|tab\.|chart|graph|map|plate|box|exhibit|source|note|abbildung|tabelle|tableau|figura|tabla)s?\b\.?\s*(?:[\dIVX]+\b|[A-Z]?[\d.-]+|:)/i;
const numbered =
  /^(?:(?:chapter|section|part|appendix|annex|article|kapitel|chapitre)\s+)?(?:\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\p{Lu}/iu;

const knownTitle =
  /^(?:\d{1,2}\.?\s+)?(?:(?:table of )?contents|abstract|introduction|background|methods?|results|discussion|conclusions?|references|bibliography|acknowledge?ments?|appendix(?: [A-Z\d])?|summary|executive summary|foreword|preface|glossary|index)$/i;

/** Size that most of the document is set in. */
export function bodySize(paragraphs: readonly Paragraph[]): number {
  const counts = new Map<number, number>();
  for (const { lines } of paragraphs) {
    for (const line of lines) {
      for (const word of line.words) {
        const size = Math.round(word.size * 2) / 2;
        counts.set(size, (counts.get(size) ?? 0) + word.text.length);
      }
    }
  }
  let all = 0;
  for (const count of counts.values()) all += count;
  const most = Math.max(0, ...counts.values());
  // Long notes in small print do not make the text above them large.
  const sizes = [...counts].filter(([, count]) => count === most || count > 0.3 * all).map(([size]) => size);
  return Math.max(0, ...sizes);
}

export function isHeading(
  { text, paragraph, pageHeight, isOnlyPage, isRecognized }: HeadingFacts,
  body: number,
  isBodyBold: boolean,
): boolean {
  const { lines, isBold, isMono, size } = paragraph;
  const letters = text.replace(/[^\p{L}]/gu, "");
  if (paragraph.isLabel) return false;
  const tag = lines[0]?.words[0]?.tag;
  // Titles are often tagged as plain paragraphs; nothing else is set so large.
  if (tag?.decides) return letters.length > 0 && (tag.level > 0 || (size > 1.6 * body && lines.length < 4));
  if (isMono || letters.length < 3 || letters.length < 0.4 * text.replace(/\s/g, "").length) return false;
  const words = text.split(/\s+/).length;
  if (words > 28 || lines.length > 4 || text.length > 220) return false;
  if (caption.test(text) || /^[•▪◦●]/.test(text)) return false;
  if (/^(?:https?:|www\.)|@\S+\.\w/.test(text)) return false;
  const ratio = size / body;
  if (lines.length === 1 && ratio > 0.93 && knownTitle.test(text)) return true;
  const isSentence = /[.;,]$/.test(text) && !/\b(?:etc|vs|inc|ltd|co)\.$/i.test(text) && words > 4;
  const isNumbered = numbered.test(text);
  // A page alone does not show that its head runs on; only much larger text at its edge is a heading.
  const isAtEdge = isOnlyPage && (paragraph.y1 < 0.085 * pageHeight || paragraph.y0 > 0.93 * pageHeight);
  if (isAtEdge && ratio < 1.5) return false;
  if (isRecognized) return ratio >= 1.4 && !isSentence && words <= 14 && letters.length > 0.6 * text.length;
  if (ratio >= 1.35) return !(isSentence && words > 14);
  if (ratio >= 1.12) return !isSentence && words <= 20;
  if (ratio < 0.93) return false;
  if (isSentence || lines.length > 3) return false;
  const marker = listMarker(lines[0]?.words ?? []);
  if (marker?.kind === "bullet") return false;
  if (isBold && !isBodyBold) return words <= 18 && !/,$/.test(text);
  const isCaps = letters.length > 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
  if (isCaps) return words <= 12 && lines.length <= 2 && paragraph.spaceAbove > 1.3;
  return isNumbered && paragraph.isItalic && words <= 12;
}

/** Sizes and weights in their order become levels; numbering decides below its first level. `known` styles grow. */
export function headingLevels(
  headings: readonly { text: string; paragraph: Paragraph }[],
  known: Set<number>,
): number[] {
  const tagged = headings.map(({ paragraph }) => paragraph.lines[0]?.words[0]?.tag?.level ?? 0);
  const guessed = guessedLevels(headings, known);
  return guessed.map((level, at) => tagged[at] || level);
}

function guessedLevels(headings: readonly { text: string; paragraph: Paragraph }[], known: Set<number>): number[] {
  const styleOf = ({ paragraph }: { paragraph: Paragraph }) =>
    Math.round(paragraph.size * 2) * 4 + (paragraph.isBold ? 2 : 0) + (paragraph.isItalic ? 0 : 1);
  for (const heading of headings) known.add(styleOf(heading));
  const styles = [...known].sort((a, b) => b - a);
  const byStyle = headings.map((heading) => Math.min(6, styles.indexOf(styleOf(heading)) + 1));
  const depthOf = (text: string) => {
    const number = /^(\d{1,2}(?:\.\d{1,2})*)\.?\s/.exec(text)?.[1];
    return number ? number.split(".").length : 0;
  };
  const depths = headings.map(({ text }) => depthOf(text));
  const tops = byStyle.filter((_, at) => depths[at] === 1);
  if (tops.length === 0 || !depths.some((depth) => depth > 1)) return byStyle;
  const top = Math.min(...tops);
  return byStyle.map((level, at) => {
    const depth = depths[at] as number;
    return depth > 0 ? Math.min(6, top + depth - 1) : level;
  });
}
