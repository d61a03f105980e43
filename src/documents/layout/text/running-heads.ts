// Running heads and page numbers: what repeats at the edge of page after page.
import type { Line } from "../lines.ts";
import type { PageBlock } from "../page-blocks.ts";
import { boundsOf, wordsText } from "../segments.ts";

interface EdgeLine {
  line: Line;
  page: number;
  key: string;
  isTop: boolean;
}

const edge = 0.12;
const pageNumber =
  /^(?:page|seite|p\.?|pág(?:ina)?\.?)?\s*[-–—|·]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|·]?\s*(?:(?:of|von|de|\/)\s*\d{1,4})?$/i;

/** Blocks without lines that repeat at the edge of pages. Files of one page keep everything: nothing shows that a line runs on. */
export function withoutRunningHeads(pages: readonly { height: number; blocks: PageBlock[] }[]): PageBlock[][] {
  const dropped = pages.length > 1 ? runningLines(pages) : new Set<Line>();
  return pages.map(({ blocks }) =>
    blocks.flatMap((block): PageBlock[] => {
      if (block.kind === "table" || !block.lines.some((line) => dropped.has(line))) return [block];
      const lines = block.lines.filter((line) => !dropped.has(line));
      return lines.length > 0 ? [{ ...block, lines }] : [];
    }),
  );
}

function runningLines(pages: readonly { height: number; blocks: PageBlock[] }[]): Set<Line> {
  const lines = pages.flatMap(({ height, blocks }, page) =>
    blocks.flatMap((block) =>
      block.kind === "table" ? [] : block.lines.flatMap((line) => edgeLine(line, page, height)),
    ),
  );
  const needed = pages.length < 4 ? 2 : 3;
  const groups = new Map<string, EdgeLine[]>();
  for (const line of lines) {
    const name = `${line.isTop}${line.key}`;
    const group = groups.get(name) ?? [];
    group.push(line);
    groups.set(name, group);
  }
  const dropped = new Set<Line>();
  for (const group of groups.values()) {
    const on = new Set(group.map(({ page }) => page));
    const { y0, y1 } = boundsOf(group.map(({ line }) => ({ x0: 0, y0: line.base, x1: 0, y1: line.base })));
    const isSteady = y1 - y0 < 40;
    if (on.size >= needed && isSteady) for (const { line } of group) dropped.add(line);
  }
  for (const { line } of lines) if (pageNumber.test(lineText(line))) dropped.add(line);
  return dropped;
}

const lineText = (line: Line) => wordsText(line.segments.flatMap((segment) => segment.words)).trim();

function edgeLine(line: Line, page: number, height: number): EdgeLine[] {
  const isTop = line.y1 < edge * height;
  if (!isTop && line.y0 < (1 - edge) * height) return [];
  const key = lineText(line).toLowerCase().replace(/\d+/g, "#").replace(/\s+/g, " ");
  return key === "" || key.length > 200 ? [] : [{ line, page, key, isTop }];
}
