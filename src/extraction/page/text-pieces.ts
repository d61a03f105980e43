// The visible text of a page in pieces, in document order, with the range of pieces in each element.

import type { Document, Element } from "domhandler";
import { fileMark } from "../../content/index.ts";
import { attribute, isElement, isText, orderOf, textOf } from "../../html/index.ts";
import type { Place } from "../findings/finding.ts";
import { wordsOfName } from "../lexicon/names.ts";

export interface Piece {
  text: string;
  /** The element whose own text this is. */
  element: Element;
  /** The nearest block element around it. */
  block: Element;
  /** False when nothing separates this piece from the one before it: "<b>2</b>nd". */
  hasGap: boolean;
  /** Counts up with every line that the page begins. */
  line: number;
}

export interface Button {
  text: string;
  element: Element;
  /** How many pieces of text come before it. */
  at: number;
}

interface Range {
  from: number;
  to: number;
}

const unseen = new Set(
  "head title script style template svg math canvas object embed applet audio video iframe frame noframes noscript map datalist select option textarea button input".split(
    " ",
  ),
);
const blocks = new Set(
  (
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 header hr html li main nav ol p pre section summary table caption tbody td tfoot th thead tr ul br legend"
  ).split(" "),
);
const maxPieces = 60_000;
const maxButtons = 1000;
const maxPieceLength = 20_000;

export class TextOfPage {
  readonly root: Element;
  readonly pieces: Piece[] = [];
  /** All elements that are seen, in document order. */
  readonly elements: Element[] = [];
  readonly scripts: Element[] = [];
  /** What can be pressed: no text of the page, but a sign of what can be done there. */
  readonly buttons: Button[] = [];
  private readonly ranges: (Range | undefined)[] = [];
  private readonly tokenLists = new Map<string, string[]>();
  private line = 0;

  constructor(root: Document) {
    this.root = rootElement(root);
    this.visit(this.root, this.root, { isBroken: true });
  }

  private visit(parent: Element, block: Element, gap: { isBroken: boolean }): void {
    for (const node of parent.children) {
      if (isText(node)) {
        const text = node.data.replace(/\s+/g, " ");
        const trimmed = text.trim();
        if (trimmed === "") {
          if (text !== "") gap.isBroken = true;
          continue;
        }
        if (this.pieces.length >= maxPieces) return;
        const hasGap = gap.isBroken || text.startsWith(" ");
        this.pieces.push({ text: trimmed.slice(0, maxPieceLength), element: parent, block, hasGap, line: this.line });
        gap.isBroken = text.endsWith(" ");
      } else if (isElement(node) && node.name === "script") {
        this.scripts.push(node);
      } else if (isElement(node) && node.name === "head") {
        for (const child of node.children) if (isElement(child) && child.name === "script") this.scripts.push(child);
      } else if (isElement(node) && (node.name === "button" || node.name === "input")) {
        this.noteButton(node);
      } else if (isElement(node) && !unseen.has(node.name)) {
        const isBlock = blocks.has(node.name);
        if (node.name === "a" && isLikeButton(node)) this.noteButton(node);
        if (isBlock) this.breakLine(gap);
        this.elements.push(node);
        const from = this.pieces.length;
        this.visit(node, isBlock && node.name !== "br" ? node : block, gap);
        this.ranges[orderOf(node)] = { from, to: this.pieces.length };
        if (isBlock) this.breakLine(gap);
      }
    }
  }

  private noteButton(element: Element): void {
    const isInput = element.name === "input";
    if (isInput && !/^(?:submit|button|image)$/i.test(attribute(element, "type") ?? "")) return;
    const written = isInput
      ? (attribute(element, "value") ?? attribute(element, "alt"))
      : textOf(element) || attribute(element, "aria-label");
    const text = (written ?? "").slice(0, 200).replace(/\s+/g, " ").trim();
    const isTelling = text !== "" || attribute(element, "onclick") !== undefined;
    if (isTelling && this.buttons.length < maxButtons) this.buttons.push({ text, element, at: this.pieces.length });
  }

  private breakLine(gap: { isBroken: boolean }): void {
    gap.isBroken = true;
    if (this.pieces.at(-1)?.line === this.line) this.line += 1;
  }

  range(element: Element): Range {
    return this.ranges[orderOf(element)] ?? { from: 0, to: 0 };
  }

  isEmpty(element: Element): boolean {
    const { from, to } = this.range(element);
    return from === to;
  }

  /** The text of an element, or of pieces, in one line. */
  of(element: Element, limit = 5000): string {
    const { from, to } = this.range(element);
    return this.between(from, to, limit);
  }

  between(from: number, to: number, limit = 5000): string {
    let text = "";
    for (let place = from; place < to && text.length < limit; place += 1) {
      const { text: own, hasGap } = this.pieces[place] as Piece;
      text += hasGap && text !== "" ? ` ${own}` : own;
    }
    return text;
  }

  /** Words of an element's class, id and similar attributes, one list for each name. */
  namesOf(element: Element): string[][] {
    const names: string[][] = [];
    for (const name of nameAttributes) {
      const value = attribute(element, name);
      if (!value || value.length > 300) continue;
      for (const token of value.split(/\s+/)) if (token !== "") names.push(this.tokensOf(token));
    }
    return names;
  }

  private tokensOf(token: string): string[] {
    let words = this.tokenLists.get(token);
    if (!words) {
      words = wordsOfName(token);
      this.tokenLists.set(token, words);
    }
    return words;
  }
}

/** Links that look like a button by their names, or act like one that sells. */
function isLikeButton(link: Element): boolean {
  const href = attribute(link, "href") ?? "";
  const code = `${attribute(link, "onclick") ?? ""} ${/^javascript:/i.test(href) ? href : ""}`;
  return (
    /btn|button|cart|buy|basket/i.test(`${attribute(link, "class") ?? ""} ${attribute(link, "id") ?? ""}`) ||
    attribute(link, "role") === "button" ||
    /cart|buy|basket|bag/i.test(code)
  );
}

/** Text outside all elements belongs to the page's own element, even where that is implied. */
function rootElement({ children }: Document): Element {
  return {
    type: "tag",
    name: "html",
    attribs: {},
    children,
    parent: null,
    prev: null,
    next: null,
    order: -1,
  } as unknown as Element;
}

const nameAttributes = [
  "itemprop",
  "class",
  "id",
  "data-testid",
  "data-test",
  "data-qa",
  "data-field",
  "property",
  "rel",
  "name",
];

/** CSS selector that leads to an element: from the nearest id down. */
export function selectorOf(element: Element): string {
  const steps: string[] = [];
  for (let place: Element | null = element; place && steps.length < 12; place = parentOf(place)) {
    const id = attribute(place, "id");
    if (id && /^[A-Za-z][\w-]*$/.test(id)) {
      steps.unshift(`#${id}`);
      break;
    }
    steps.unshift(selectorStep(place));
    if (place.name === "body" || place.name === "html") break;
  }
  return steps.join(" > ");
}

/** The last step of it: by its name and its position among those of the same name. */
export function selectorStep(element: Element): string {
  const siblings = (element.parent?.children ?? []).filter(
    (node): node is Element => isElement(node) && node.name === element.name,
  );
  const name = /^[a-z][a-z0-9-]*$/i.test(element.name) ? element.name : "*";
  return siblings.length > 1 ? `${name}:nth-of-type(${siblings.indexOf(element) + 1})` : name;
}

export function parentOf(element: Element): Element | null {
  const { parent } = element;
  return parent && isElement(parent) ? parent : null;
}

/** The nearest of an element and those around it that fits; `most` are looked at. */
export function findUp(element: Element | null | undefined, most: number, fits: (place: Element) => boolean) {
  let place = element ?? null;
  for (let steps = 0; place && steps < most; place = parentOf(place), steps += 1) if (fits(place)) return place;
  return null;
}

/** Where an element is: its selector, and its page and box in a file that has pages. */
export function elementPlace(element: Element): Pick<Place, "selector" | "page" | "bbox"> {
  return { selector: selectorOf(element), ...placeInFile(element) };
}

/** Empty for web pages. */
function placeInFile(element: Element): Pick<Place, "page" | "bbox"> {
  let page: string | undefined;
  let box: string | undefined;
  let isFile = false;
  for (let above: Element | null = element; above; above = parentOf(above)) {
    page ??= attribute(above, "data-page");
    box ??= attribute(above, "data-box");
    isFile = attribute(above, fileMark) !== undefined;
  }
  const number = Number.parseInt(page ?? "", 10);
  if (!isFile || !(number > 0)) return {};
  const bbox = (box ?? "").split(" ").map(Number);
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox;
  return bbox.length === 4 && bbox.every(Number.isFinite) ? { page: number, bbox: [x0, y0, x1, y1] } : { page: number };
}
