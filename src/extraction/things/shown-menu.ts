// A menu as a page shows it: names with prices beside them, below headings, in lists or in tables.
import type { Element } from "domhandler";
import { attribute, findBelow, isElement } from "../../html/index.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { findUp, type Piece, parentOf } from "../page/text-pieces.ts";
import { currencyCode, findMoney, readAmount } from "../values/numbers.ts";
import { dishMoney } from "./menu-data.ts";
import { longestName, type MenuGatherer, sizesOf, type ToldDish } from "./menu-items.ts";
import words from "./menu-words.json" with { type: "json" };
import { pageCurrency, type ThingMoney, webUrl } from "./product-texts.ts";

/** Fewer prices are on many pages. */
const leastItems = 4;
const mostSizes = 6;

const headings = /^(?:h[1-6]|caption|legend|summary)$/;
/** A price alone: "12.50", "$ 12", "12,50 €", "12.-". */
const priceOnly =
  /^(?:from|ab|à partir de|desde|da)?\s*(?:\p{Sc}|[A-Z]{3}|kr|zł|CHF)?\s*\d{1,4}(?:[.,]\d{1,2})?(?:[.,]?[-–])?\s*(?:\p{Sc}|[A-Z]{3}|kr|zł|CHF)?$/iu;
/** A name and its price in one text, with dots or space between them. */
const named =
  /^(.{2,120}?)(?:\s*[.…·_]{2,}\s*|\s+[-–—|]\s+|\s{1,3})((?:\p{Sc}\s*)\d{1,4}(?:[.,]\d{1,2})?|\d{1,4}[.,]\d{2}(?:\s*\p{Sc})?|\d{1,4}\s*\p{Sc})$/u;
const ornament = /^[\s.…·_|/–-]+$/;
const anySize = words.size.join("|");
const sizeOnly = new RegExp(`^\\(?(?:${anySize})\\)?:?$`, "iu");
/** A size and its price in a text with several: "0,3 l 3,50 € / 0,5 l 4,90 €". */
const sizeWithPrice = new RegExp(
  `(?<![\\p{L}\\p{N}])(${anySize})[\\s:=]{1,3}(\\p{Sc}?\\s?\\d{1,4}(?:[.,]\\d{2})?(?:\\s?\\p{Sc})?)(?![\\p{L}\\p{N},.])`,
  "giu",
);
/** Where a page says once what all its prices are in. */
const statedCurrency =
  /(?:prices?|preise|prix|precios|prezzi|preços|prijzen)\s(?:\p{L}+\s){0,3}(?:in|en|em|sind in)\s(\p{Sc}|[A-Z]{3}\b|euros?\b)/iu;

/** Nothing when fewer dishes are shown than make a menu. */
export function readShownMenu(page: ParsedPage, gatherer: MenuGatherer): void {
  new ShownMenu(page, gatherer).read();
  if (gatherer.count < leastItems) gatherer.clear();
}

class ShownMenu {
  private readonly page: ParsedPage;
  private readonly gatherer: MenuGatherer;
  private readonly priced: boolean[];
  /** How many prices come before each piece. */
  private readonly counts: number[] = [0];
  private readonly seen = new Set<Element>();
  private readonly heads = new Map<Element, Element | null>();
  private readonly currency: string | null;
  private section = { name: "", end: 0 };

  constructor(page: ParsedPage, gatherer: MenuGatherer) {
    this.page = page;
    this.gatherer = gatherer;
    this.priced = page.text.pieces.map(({ text }) => priceOnly.test(text));
    for (const isPrice of this.priced) this.counts.push((this.counts.at(-1) ?? 0) + (isPrice ? 1 : 0));
    const stated = page.text.pieces.map(({ text }) => statedCurrency.exec(text)?.[1]).find(Boolean) ?? "";
    this.currency = (/^euro/i.test(stated) ? "EUR" : currencyCode(stated)) ?? pageCurrency(page);
  }

  read(): void {
    for (const [at, { text, element, block }] of this.page.text.pieces.entries()) {
      if (headings.test(element.name) || headings.test(block.name)) this.noteHeading(at, text, block);
      if (this.priced[at]) this.readAround(at, element);
      else this.readLine(at, text, block);
    }
  }

  private noteHeading(at: number, text: string, block: Element): void {
    const whole = headings.test(block.name) ? this.page.text.of(block, longestName) : text;
    if (named.test(whole) || this.isDish(block)) return;
    this.section = { name: whole, end: headings.test(block.name) ? this.page.text.range(block).to : at + 1 };
  }

  private add(from: number, dish: ToldDish): void {
    const { name, end } = this.section;
    const isNew = this.gatherer.sections.at(-1)?.name !== name;
    const isText = /^(?:p|div|section|header)$/.test(this.page.text.pieces[end]?.block.name ?? "");
    const isTold = isNew && name !== "" && end < from && isText;
    this.gatherer.add({ name, description: isTold ? this.page.text.between(end, from, 500) : "" }, dish);
  }

  /** A line that holds all of a dish. */
  private readLine(at: number, text: string, block: Element): void {
    // Two sizes and two prices.
    const sizes = /(?:\d\D+){2}/.test(text) ? [...text.matchAll(sizeWithPrice)] : [];
    const first = sizes[0];
    const inline = sizes.length > 1 ? null : named.exec(text);
    const shown = sizes.length > 1 && first ? text.slice(0, first.index) : (inline?.[1] ?? "");
    const name = shown.replace(/[\s.…·_:|-]+$/, "");
    if (name.length > longestName || !/\p{L}{2}/u.test(name)) return;
    const priced = inline
      ? { price: this.money(inline[2] ?? ""), groups: [] }
      : sizesOf(sizes.map(([, size = "", price = ""]) => ({ name: size, price: this.money(price) })));
    if (priced.price === null) return;
    const isAlone = this.page.text.of(block, 300) === text;
    this.add(at, { name, texts: [], ...priced, ...(isAlone ? this.around(block, name) : {}) });
  }

  /** A dish around its price, or around the prices of its sizes. */
  private readAround(at: number, price: Element): void {
    const single = this.holderOf(price);
    const holder = single && this.namesIn(single).length > 0 ? single : this.sizesHolder(price);
    if (!holder || this.seen.has(holder)) return;
    this.seen.add(holder);
    const [name = "", ...texts] = this.namesIn(holder);
    if (!/\p{L}{2}/u.test(name) || name.length > longestName) return;
    const { from } = this.page.text.range(holder);
    const written = this.page.text.pieces[at]?.text ?? "";
    const priced = holder === single ? { price: this.money(written), groups: [] } : this.sizesIn(holder);
    if (priced.price !== null) this.add(from, { name, texts, ...priced, ...this.around(holder, name) });
  }

  private money(written: string): ThingMoney | null {
    const amount = readAmount(written);
    if (amount === null) return null;
    return dishMoney(amount, currencyCode(findMoney(written)?.currency ?? "") ?? this.currency, written.trim());
  }

  private pricesIn(element: Element): number {
    const { from, to } = this.page.text.range(element);
    return (this.counts[to] ?? 0) - (this.counts[from] ?? 0);
  }

  /** The outermost element that holds this price and no other, and something beside it. */
  private holderOf(price: Element): Element | null {
    let holder: Element | null = null;
    let steps = 0;
    for (let place: Element | null = price; place && steps < 8; place = parentOf(place)) {
      steps += 1;
      if (this.pricesIn(place) > 1 || place.name === "body") break;
      const { from, to } = this.page.text.range(place);
      if (to - from > 1) holder = place;
      if (to - from > 40) break;
    }
    return holder;
  }

  /** The nearest element with a name, where all of its prices are those of sizes. */
  private sizesHolder(price: Element): Element | null {
    const holder = findUp(price, 6, (place) => this.namesIn(place).length > 0 || place.name === "body");
    if (!holder || holder.name === "body") return null;
    const { from, to } = this.page.text.range(holder);
    const { pieces } = this.page.text;
    const places = this.priced.slice(from, to).flatMap((isPrice, place) => (isPrice ? [from + place] : []));
    const [first = 0] = places;
    if (places.length < 2 || places.length > mostSizes || first === from) return null;
    const between = pieces.slice(first, places.at(-1)).filter((_, place) => !this.priced[first + place]);
    return between.every(({ text }) => sizeOnly.test(text) || ornament.test(text)) ? holder : null;
  }

  /** Each price with the size beside it or at the head of its column. */
  private sizesIn(holder: Element) {
    const { from, to } = this.page.text.range(holder);
    const { pieces } = this.page.text;
    const sizes: { name: string; price: ThingMoney | null }[] = [];
    for (let at = from; at < to; at += 1) {
      if (!this.priced[at]) continue;
      const before = pieces[at - 1]?.text ?? "";
      const piece = pieces[at];
      const name = sizeOnly.test(before)
        ? before.replace(/^\(|[):]+$/g, "")
        : piece
          ? this.columnOf(piece.element)
          : "";
      sizes.push({ name, price: this.money(piece?.text ?? "") });
    }
    return sizesOf(sizes);
  }

  private firstRow(table: Element): Element | null {
    if (!this.heads.has(table)) this.heads.set(table, findBelow(table, "tr"));
    return this.heads.get(table) ?? null;
  }

  private columnOf(price: Element): string {
    const cell = findUp(price, 4, ({ name }) => name === "td");
    const table = findUp(cell, 6, ({ name }) => name === "table");
    const row = cell && parentOf(cell);
    const head = table && this.firstRow(table);
    if (!row || !head || head === row) return "";
    const cells = ({ children }: Element) => children.filter(isElement);
    const [own, labels] = [cells(row), cells(head)];
    const label = own.length === labels.length ? labels[own.indexOf(cell)] : undefined;
    return label && this.pricesIn(head) === 0 ? this.page.text.of(label, 40) : "";
  }

  /** A heading that is the name of a dish names no section. */
  private isDish(heading: Element): boolean {
    const holder = parentOf(heading);
    if (this.pricesIn(heading) > 0 || (holder !== null && this.pricesIn(holder) === 1)) return true;
    return holder !== null && this.pricesIn(holder) <= mostSizes && this.isSized(holder, heading);
  }

  /** Whether it holds the prices of this name in several sizes. */
  private isSized(holder: Element, heading: Element): boolean {
    const { from, to } = this.page.text.range(holder);
    const price = this.priced.indexOf(true, from);
    const piece = price >= 0 && price < to ? this.page.text.pieces[price] : undefined;
    return this.page.text.range(heading).from === from && !!piece && this.sizesHolder(piece.element) === holder;
  }

  /** The lines of an element without its prices and sizes. */
  private namesIn(holder: Element): string[] {
    const { from, to } = this.page.text.range(holder);
    const lines: string[] = [];
    let last: Piece | null = null;
    for (let at = from; at < Math.min(to, from + 60); at += 1) {
      const piece = this.page.text.pieces[at];
      if (!piece || this.priced[at] || ornament.test(piece.text) || sizeOnly.test(piece.text)) continue;
      if (last && goesOn(last, piece)) lines[lines.length - 1] += ` ${piece.text}`;
      else lines.push(piece.text);
      last = piece;
    }
    return lines;
  }

  /** The pictures of a dish, where its name leads, and what its icons say. */
  private around(holder: Element, name: string): Pick<ToldDish, "images" | "url" | "diets"> {
    const { page } = this;
    const images = new Map<string, { url: string; alt?: string }>();
    const diets: string[] = [];
    let url: string | null = null;
    let left = 200;
    const visit = (node: Element): void => {
      left -= 1;
      const alt = (attribute(node, "alt") ?? "").trim();
      diets.push(alt, attribute(node, "title") ?? "", attribute(node, "aria-label") ?? "");
      const source = node.name === "img" ? webUrl(page, attribute(node, "src")) : null;
      // An icon says what a dish is; it does not show it.
      if (source && !isIcon(node)) images.set(source, { url: source, ...(alt ? { alt } : {}) });
      if (node.name === "a" && page.text.of(node, longestName).includes(name))
        url ??= webUrl(page, attribute(node, "href"));
      for (const child of node.children) if (isElement(child) && left > 0) visit(child);
    };
    visit(holder);
    return { images: [...images.values()], url, diets: diets.filter((one) => one !== "") };
  }
}

/** A name and what describes it may share a line, but not an element. */
function goesOn(last: Piece, { element, line }: Piece): boolean {
  const isStressed = (inner: Element, outer: Element) => /^(?:em|i|u|q)$/.test(inner.name) && parentOf(inner) === outer;
  if (last.line !== line) return false;
  return element === last.element || isStressed(element, last.element) || isStressed(last.element, element);
}

function isIcon(image: Element): boolean {
  const width = Number(attribute(image, "width") ?? "100");
  return width < 40 || /icon|badge/i.test(`${attribute(image, "class") ?? ""} ${attribute(image, "src") ?? ""}`);
}
