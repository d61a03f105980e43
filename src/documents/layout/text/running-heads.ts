// Running heads and page numbers: what stands at the edge of page after page.
import type { Paragraph } from "./paragraph.ts";

interface EdgeLine {
  paragraph: Paragraph;
  page: number;
  key: string;
  isTop: boolean;
}

const edge = 0.12;
const pageNumber = /^(?:page|seite|p\.?|pág(?:ina)?\.?)?\s*[-–—|·]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|·]?\s*(?:(?:of|von|de|\/)\s*\d{1,4})?$/i;

/** Paragraphs to leave out. `wordsText` gives a paragraph's text; files of one page keep everything. */
export function runningHeads(
  pages: readonly { height: number; paragraphs: readonly Paragraph[] }[],
  wordsText: (paragraph: Paragraph) => string,
): Set<Paragraph> {
  const dropped = new Set<Paragraph>();
  if (pages.length < 2) return dropped;
  const lines: EdgeLine[] = pages.flatMap(({ height, paragraphs }, page) =>
    paragraphs.flatMap((paragraph): EdgeLine[] => {
      const isTop = paragraph.y1 < edge * height;
      const isBottom = paragraph.y0 > (1 - edge) * height;
      if ((!isTop && !isBottom) || paragraph.lines.length > 3) return [];
      const key = wordsText(paragraph).toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
      return key === "" || key.length > 200 ? [] : [{ paragraph, page, key, isTop }];
    }),
  );
  const needed = pages.length < 4 ? 2 : 3;
  const groups = new Map<string, EdgeLine[]>();
  for (const line of lines) {
    const name = `${line.isTop}${line.key}`;
    groups.set(name, [...(groups.get(name) ?? []), line]);
  }
  for (const group of groups.values()) {
    const on = new Set(group.map(({ page }) => page));
    const heights = group.map(({ paragraph }) => paragraph.y0);
    const isSteady = Math.max(...heights) - Math.min(...heights) < 40;
    if (on.size >= needed && isSteady) for (const { paragraph } of group) dropped.add(paragraph);
  }
  for (const { paragraph } of lines) if (pageNumber.test(wordsText(paragraph).trim())) dropped.add(paragraph);
  return dropped;
}
