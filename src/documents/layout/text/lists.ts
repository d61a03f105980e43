// Paragraphs that start with bullets or numbers -> lists.

import { boundsOf } from "../geometry.ts";
import { isRightToLeft } from "../words.ts";
import { readingWords } from "./join-text.ts";
import { type DocumentPiece, type Notes, paragraphHtml, type Writing, withoutMarker } from "./layout-html.ts";
import { type ListMarker, listMarker, type Paragraph } from "./paragraph.ts";

interface Item {
  paragraph: Paragraph;
  marker: ListMarker;
}

/** Items from here on: bullets, or numbers that count up. */
export function listFrom(
  pieces: readonly DocumentPiece[],
  at: number,
  levels: ReadonlyMap<Paragraph | undefined, number>,
  notes: Notes,
): Item[] {
  const items: Item[] = [];
  for (let place = at; place < pieces.length; place += 1) {
    const piece = pieces[place] as DocumentPiece;
    if (piece.kind !== "text" || levels.has(piece) || notes.get(piece)?.id) break;
    const marker = listMarker(readingWords(piece.lines[0]?.words ?? []));
    if (!marker) break;
    items.push({ paragraph: piece, marker });
  }
  if (items[0]?.marker.kind !== "number") {
    const end = items.findIndex(({ marker }) => marker.kind === "number");
    return end < 0 ? items : items.slice(0, end);
  }
  const { value } = (items[0] as Item).marker;
  const end = items.findIndex(({ marker }, index) => marker.kind !== "number" || marker.value !== value + index);
  const counted = end < 0 ? items : items.slice(0, end);
  return counted.length > 1 ? counted : [];
}

export function listHtml(items: readonly Item[], writing: Writing): string {
  const isNumbered = items[0]?.marker.kind === "number";
  const { x0, x1 } = boundsOf(items.map(({ paragraph }) => paragraph));
  const isTurned = isRightToLeft(items.flatMap(({ paragraph }) => paragraph.lines.flatMap((line) => line.words)));
  const indentOf = ({ paragraph }: Item) => (isTurned ? x1 - paragraph.x1 : paragraph.x0 - x0);
  const depthOf = (item: Item) => (isNumbered ? 0 : Math.min(3, Math.floor((indentOf(item) + 2) / 14)));
  let html = "";
  let open = -1;
  for (const item of items) {
    const depth = Math.min(depthOf(item), open + 1);
    if (depth > open) {
      html += isNumbered ? `<ol start="${item.marker.value}">` : "<ul>";
      open = depth;
    } else {
      html += "</li>";
      while (open > depth) {
        html += "</ul></li>";
        open -= 1;
      }
    }
    const { paragraph, marker } = item;
    const text = paragraphHtml({ ...paragraph, lines: withoutMarker(paragraph.lines, marker.length) }, writing);
    html += `<li${writing.place(paragraph.page, paragraph)}>${text}`;
  }
  html += "</li>";
  while (open > 0) {
    html += "</ul></li>";
    open -= 1;
  }
  return html + (isNumbered ? "</ol>" : "</ul>");
}
