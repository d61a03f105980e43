// Several values in one place of a page: items of lists, rows, lines, or parts of a sentence.
import type { Element } from "domhandler";
import type { WantedField } from "../fields/wanted-fields.ts";
import { findUp, type Piece, parentOf, type TextOfPage } from "../page/text-pieces.ts";
import { tidy } from "../values/coerce.ts";

export interface ListItem {
  text: string;
  element: Element;
}

const maxItems = 500;

/** Items in a range of pieces: list items when there are any, else lines, else parts between commas. */
export function itemsBetween(page: TextOfPage, from: number, to: number, head: string, field: WantedField): ListItem[] {
  const holder = page.pieces[Math.min(from, page.pieces.length - 1)];
  if (!holder) return [];
  const listed = listItems(page, from, to);
  if (listed.length > 1) return listed;
  const lines = linesBetween(page, from, to, head);
  if (lines.length > 1)
    return (field.kind === "names" || field.kind === "terms") &&
      lines.length <= 3 &&
      lines.every(({ text }) => text.length < 60)
      ? lines.flatMap((line) => splitItem(line, field))
      : lines;
  const anchors = linksBetween(page, from, to);
  const whole = tidy(`${head} ${page.between(from, to)}`);
  if (head === "" && anchors.length > 0 && coversText(anchors, whole)) return anchors;
  if (field.kind === "long") return whole === "" ? [] : [{ text: whole, element: holder.element }];
  return splitItem({ text: whole, element: holder.element }, field);
}

const between = /\s*[,;|•·]\s*|\s+\/\s*|\s*\/\s+|(?<=[\p{L}]{3})\/(?=\p{L}{3})/u;
const betweenNames =
  /\s*[;|•·]\s*|\s*,\s*(?=\S+\s)|\s+(?:and|und|et|y|e|en|og|och|&)\s+|\s+[/]\s+|(?<=[\p{L}]{3})\/(?=\p{L}{3})/u;

/** Parts of a text between commas and the like: "Connelly, Michael" stays whole. */
export function splitItem({ text, element }: ListItem, field: WantedField): ListItem[] {
  return text
    .replace(/\((?:author|editor|director|illustrator|translator|contributor)s?\)/gi, ",")
    .split(field.kind === "names" ? betweenNames : between)
    .map((part) => tidy(part.replace(/^by\s+/i, "")))
    .filter((part) => part !== "" && part.length <= 120)
    .slice(0, maxItems)
    .map((part) => ({ text: part, element }));
}

/** Links that hold so much of a text are its items (docs/decisions/0010-extraction-weights.md). */
const coveringShare = 0.75;

function coversText(anchors: readonly ListItem[], whole: string): boolean {
  const inLinks = anchors.reduce((sum, { text }) => sum + text.length, 0);
  return inLinks >= whole.replace(/[\s,;|/&•·]|\band\b/g, "").length * coveringShare;
}

function linksBetween(page: TextOfPage, from: number, to: number): ListItem[] {
  const found: ListItem[] = [];
  for (let place = from; place < to; place += 1) {
    const link = linkOf(page.pieces[place] as Piece);
    if (link && found.at(-1)?.element !== link) found.push({ text: tidy(page.of(link)), element: link });
  }
  return found.filter(({ text }) => text !== "");
}

function linkOf({ element }: Piece): Element | null {
  return findUp(element, 4, ({ name }) => name === "a");
}

/** The one link that holds all of these texts. */
export function linkAt(pieces: readonly Piece[]): Element | null {
  const links = new Set(pieces.map(linkOf));
  const [link = null] = links;
  return links.size === 1 ? link : null;
}

/** The innermost list items of a range; rows of tables are items, too. */
function listItems(page: TextOfPage, from: number, to: number): ListItem[] {
  const items: ListItem[] = [];
  let last: Element | null = null;
  for (let place = from; place < to && items.length < maxItems; place += 1) {
    const item = itemOf(page.pieces[place] as Piece, page, from, to);
    if (!item || item === last) continue;
    last = item;
    const text = tidy(page.of(item, 10_000));
    if (text !== "") items.push({ text, element: item });
  }
  return items;
}

function itemOf({ element }: Piece, page: TextOfPage, from: number, to: number): Element | null {
  for (let place: Element | null = element; place; place = parentOf(place)) {
    const range = page.range(place);
    if (range.from < from || range.to > to) return null;
    if (place.name === "li" || place.name === "tr" || place.name === "dd") return place;
  }
  return null;
}

function linesBetween(page: TextOfPage, from: number, to: number, head: string): ListItem[] {
  const lines: ListItem[] = [];
  if (head !== "" && from > 0) lines.push({ text: head, element: (page.pieces[from - 1] as Piece).element });
  let begin = from;
  for (let place = from + 1; place <= to; place += 1) {
    if (place < to && page.pieces[place]?.line === page.pieces[begin]?.line) continue;
    const piece = page.pieces[begin];
    if (!piece) break;
    const text = tidy(page.between(begin, place, 10_000));
    const isSame = head !== "" && begin === from && page.pieces[from - 1]?.line === piece.line;
    if (isSame && lines[0]) lines[0].text = tidy(`${head} ${text}`);
    else if (text !== "") lines.push({ text, element: holderOf(page, begin, place) });
    begin = place;
  }
  return lines.slice(0, maxItems);
}

function holderOf(page: TextOfPage, from: number, to: number): Element {
  let element = (page.pieces[from] as Piece).element;
  for (let place: Element | null = element; place; place = parentOf(place)) {
    const range = page.range(place);
    if (range.from < from || range.to > to) break;
    element = place;
  }
  return element;
}

/** Items within an element. */
export function itemsIn(page: TextOfPage, element: Element, field: WantedField): ListItem[] {
  const { from, to } = page.range(element);
  return from === to ? [] : itemsBetween(page, from, to, "", field);
}

/** Of elements that share a name, those that are not inside another one of them. */
export function outermost(elements: readonly Element[]): Element[] {
  const all = new Set(elements);
  return elements.filter((element) => {
    for (let place = parentOf(element); place; place = parentOf(place)) if (all.has(place)) return false;
    return true;
  });
}
