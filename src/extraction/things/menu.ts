// The menu of a restaurant: from its structured data, else from what the page shows: names with prices beside them, below headings.
import type { Element } from "domhandler";
import type { Document } from "../../contract/index.ts";
import type { FoundThing } from "../findings/finding.ts";
import { keyOf } from "../lexicon/names.ts";
import { type Entity, isProperties, type Properties } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { parentOf } from "../page/text-pieces.ts";
import { currencyCode, findMoney, readAmount } from "../values/numbers.ts";
import { amountOf, optionalField, partsAt, textAt } from "./product-texts.ts";
import {
  amountSchema,
  currencySchema,
  listSchema,
  rowsIn,
  type ThingFormat,
  type ToldData,
  textIn,
  textSchema,
} from "./thing-format.ts";

type Menu = NonNullable<Document["menu"]>;
type Sections = Menu["sections"];
type Dish = Omit<Sections[number]["items"][number], "id">;

const maxItems = 2000;
const maxSections = 200;
const maxDepth = 4;
/** Fewer prices are on many pages. */
const leastItems = 4;
const longestName = 200;
const longestDescription = 1000;

const kitchens =
  /(?:Restaurant|FoodEstablishment|Bakery|BarOrPub|Brewery|CafeOrCoffeeShop|FastFoodRestaurant|IceCreamShop|Winery)$/;

export const menu: ThingFormat<Menu> = {
  read: readMenu,
  schema: {
    title: "menu",
    type: "object",
    properties: {
      merchant: { type: "string", description: "Name of the restaurant" },
      currency: currencySchema,
      items: listSchema({ section: textSchema, name: textSchema, description: textSchema, price: amountSchema }, [
        "name",
      ]),
    },
    required: ["items"],
  },
  fromData: menuOfData,
};

function readMenu(page: ParsedPage, url: string): FoundThing<Menu> | null {
  const kitchen = page.entities.find(({ types }) => types.some((type) => kitchens.test(type))) ?? null;
  const merchant = (kitchen && textAt(kitchen.properties, "name", kitchen)) || (page.meta("og:site_name")?.text ?? "");
  const frame = (found: Gathered, confidence: number): FoundThing<Menu> => ({
    thing: {
      isMenu: true,
      confidence,
      ...optionalField("merchant", merchant),
      ...optionalField("currency", found.currency ?? ""),
      sections: found.sections,
      sourceUrl: url,
    },
    leftOut: found.leftOut,
  });
  const told = fromData(page, kitchen);
  if (told) return frame(told, 0.95);
  const shown = fromPage(page);
  if (!shown) return null;
  const confidence = confidenceOf(page, url, shown.sections, kitchen !== null);
  return confidence >= leastConfidence ? frame(shown, confidence) : null;
}

interface Gathered {
  sections: Sections;
  currency: string | null;
  leftOut: number;
}

/** Takes dishes in order, within bounds. */
class Gatherer implements Gathered {
  readonly sections: Sections = [];
  currency: string | null = null;
  leftOut = 0;
  private count = 0;

  add(section: string, item: Dish, currency: string | null): void {
    const last = this.sections.at(-1);
    const isNew = last === undefined || last.name !== section;
    if (this.count >= maxItems || (isNew && this.sections.length >= maxSections)) {
      this.leftOut += 1;
      return;
    }
    const holder = isNew ? { id: String(this.sections.length + 1), name: section, items: [] } : last;
    if (isNew) this.sections.push(holder);
    holder.items.push({ id: `${holder.id}.${holder.items.length + 1}`, ...item });
    this.count += 1;
    this.currency ??= currency;
  }
}

function fromData(page: ParsedPage, kitchen: Entity | null): Gathered | null {
  const menus = page.entities.filter(({ types }) => types.includes("Menu"));
  const inner = kitchen ? [...partsAt(kitchen.properties, "hasmenu"), ...partsAt(kitchen.properties, "menu")] : [];
  const below = inner.filter(isProperties).map((properties) => ({ properties, element: kitchen?.element as Element }));
  const gatherer = new Gatherer();
  for (const { properties, element } of [...menus, ...below].slice(0, 20)) {
    if (gatherer.sections.length > 0) break;
    readSection(properties, { element }, gatherer, "", 0);
  }
  return gatherer.sections.length > 0 ? gatherer : null;
}

function readSection(
  own: Properties,
  at: Pick<Entity, "element">,
  gatherer: Gatherer,
  above: string,
  depth: number,
): void {
  if (depth > maxDepth) return;
  const name = textAt(own, "name", at) || above;
  for (const item of partsAt(own, "hasmenuitem").filter(isProperties)) {
    const dish = textAt(item, "name", at);
    if (dish === "") continue;
    const [offer = item] = partsAt(item, "offers").filter(isProperties);
    const price = amountOf(textAt(offer, "price", at) || textAt(offer, "lowprice", at));
    const description = textAt(item, "description", at).slice(0, longestDescription);
    const shown = {
      name: dish.slice(0, longestName),
      ...optionalField("description", description),
      ...(price === null ? {} : { price }),
    };
    gatherer.add(depth === 0 ? "" : name, shown, currencyCode(textAt(offer, "pricecurrency", at)));
  }
  for (const section of partsAt(own, "hasmenusection").filter(isProperties))
    readSection(section, at, gatherer, name, depth + 1);
}

const headings = /^(?:h[1-6]|caption|legend|summary)$/;
/** A price alone: "12.50", "$ 12", "12,50 €", "12.-". */
const priceOnly =
  /^(?:from|ab|à partir de|desde|da)?\s*(?:\p{Sc}|[A-Z]{3}|kr|zł|CHF)?\s*\d{1,4}(?:[.,]\d{1,2})?(?:[.,]?[-–])?\s*(?:\p{Sc}|[A-Z]{3}|kr|zł|CHF)?$/iu;
/** A name and its price in one text, with dots or space between them. */
const named =
  /^(.{2,120}?)(?:\s*[.…·_]{2,}\s*|\s+[-–—|]\s+|\s{1,3})((?:\p{Sc}\s*)\d{1,4}(?:[.,]\d{1,2})?|\d{1,4}[.,]\d{2}(?:\s*\p{Sc})?|\d{1,4}\s*\p{Sc})$/u;

function fromPage(page: ParsedPage): Gathered | null {
  const { pieces } = page.text;
  const gatherer = new Gatherer();
  const priced = pieces.map(({ text: written }) => priceOnly.test(written));
  const counts = countBefore(priced);
  const seen = new Set<Element>();
  let section = "";
  for (const [at, { text: written, element, block }] of pieces.entries()) {
    if (headings.test(element.name) || headings.test(block.name)) {
      const whole = headings.test(block.name) ? page.text.of(block, longestName) : written;
      if (!named.test(whole) && !isDish(page, block, counts)) section = whole;
    }
    const inline = priced[at] ? null : named.exec(written);
    if (inline) {
      const price = readAmount(inline[2] ?? "");
      const name = (inline[1] ?? "").replace(/[\s.…·_-]+$/, "");
      if (price !== null && /\p{L}{2}/u.test(name)) gatherer.add(section, { name, price }, currencyIn(inline[2] ?? ""));
      continue;
    }
    if (!priced[at]) continue;
    const holder = holderOf(page, element, counts);
    if (!holder || seen.has(holder)) continue;
    seen.add(holder);
    const dish = dishIn(page, holder, priced);
    const price = readAmount(written);
    if (dish && price !== null) gatherer.add(section, { ...dish, price }, currencyIn(written));
  }
  const items = gatherer.sections.reduce((sum, { items: dishes }) => sum + dishes.length, 0);
  return items >= leastItems ? gatherer : null;
}

/** How many prices come before each piece. */
function countBefore(priced: readonly boolean[]): number[] {
  const counts = [0];
  for (const isPrice of priced) counts.push((counts.at(-1) ?? 0) + (isPrice ? 1 : 0));
  return counts;
}

function pricesIn(page: ParsedPage, element: Element, counts: readonly number[]): number {
  const { from, to } = page.text.range(element);
  return (counts[to] ?? 0) - (counts[from] ?? 0);
}

/** The outermost element that holds this price and no other, and something beside it. */
function holderOf(page: ParsedPage, price: Element, counts: readonly number[]): Element | null {
  let holder: Element | null = null;
  let steps = 0;
  for (let place: Element | null = price; place && steps < 8; place = parentOf(place)) {
    steps += 1;
    if (pricesIn(page, place, counts) > 1 || place.name === "body") break;
    const { from, to } = page.text.range(place);
    if (to - from > 1) holder = place;
    if (to - from > 40) break;
  }
  return holder;
}

/** A heading that is the name of a dish names no section. */
function isDish(page: ParsedPage, heading: Element, counts: readonly number[]): boolean {
  const holder = parentOf(heading);
  return pricesIn(page, heading, counts) > 0 || (holder !== null && pricesIn(page, holder, counts) === 1);
}

function dishIn(page: ParsedPage, holder: Element, priced: readonly boolean[]): Dish | null {
  const { from, to } = page.text.range(holder);
  const lines: string[] = [];
  let line = -1;
  for (let at = from; at < to; at += 1) {
    const piece = page.text.pieces[at];
    if (!piece || priced[at] || /^[\s.…·_|-]+$/.test(piece.text)) continue;
    if (piece.line === line) lines[lines.length - 1] += ` ${piece.text}`;
    else lines.push(piece.text);
    line = piece.line;
  }
  const [name = "", ...others] = lines;
  if (!/\p{L}{2}/u.test(name) || name.length > longestName) return null;
  return { name, ...optionalField("description", others.join(" ").slice(0, longestDescription)) };
}

function currencyIn(written: string): string | null {
  return currencyCode(findMoney(written)?.currency ?? "");
}

const menuWords =
  /menu|menü|speisekarte|getränkekarte|lacarte|carte|carta|menú|cardapio|cardápio|ementa|spijskaart|menukaart|jadłospis|jadlospis|jidelnilistek|меню|メニュー|菜单|菜單|메뉴|qaimatetta'am|قائمةالطعام/iu;
const courseWords =
  /starter|appeti[sz]er|main|dessert|drink|beverage|side|salad|soup|pizza|pasta|burger|breakfast|lunch|dinner|brunch|wine|beer|cocktail|coffee|vorspeise|hauptspeise|hauptgericht|nachspeise|nachtisch|getränk|suppe|salat|entrée|plat|boisson|entrante|principal|postre|bebida|ensalada|antipast|primi|secondi|dolci|contorni|bevande|sobremesa|voorgerecht|hoofdgerecht|nagerecht|закуск|суп|салат|горяч|десерт|напитк|前菜|主菜|甜点|饮料|デザート|ドリンク/iu;

/** What speaks for a menu, beside names with prices: how it is called, its courses, and who has it. */
const weights = { prices: 0.35, isCalledMenu: 0.35, course: 0.15, kitchen: 0.2 };
const leastConfidence = 0.6;

function confidenceOf(page: ParsedPage, url: string, sections: Sections, isKitchen: boolean): number {
  const names = [url.replace(/^https?:\/\/[^/]+/, ""), ...page.titles.slice(0, 2).map((one) => one.text)];
  const isCalled = names.some((name) => menuWords.test(keyOf(name)));
  const courses = Math.min(2, sections.filter(({ name }) => courseWords.test(name)).length);
  const sum =
    weights.prices +
    (isCalled ? weights.isCalledMenu : 0) +
    courses * weights.course +
    (isKitchen ? weights.kitchen : 0);
  return Math.round(Math.min(0.9, sum) * 100) / 100;
}

/** Of a menu that a language model read. */
const toldConfidence = 0.7;

function menuOfData(data: ToldData, url: string): Menu | null {
  const gatherer = new Gatherer();
  const rows = rowsIn(data.items);
  const sections = [...new Set(rows.map(({ section }) => textIn(section)))];
  const inOrder = sections.flatMap((name) => rows.filter(({ section }) => textIn(section) === name));
  for (const row of inOrder.slice(0, maxItems)) {
    const { price } = row;
    const dish = {
      name: textIn(row.name),
      ...optionalField("description", textIn(row.description)),
      ...(typeof price === "number" ? { price } : {}),
    };
    gatherer.add(textIn(row.section), dish, null);
  }
  if (gatherer.sections.length === 0) return null;
  return {
    isMenu: true,
    confidence: toldConfidence,
    ...optionalField("merchant", textIn(data.merchant)),
    ...optionalField("currency", textIn(data.currency)),
    sections: gatherer.sections,
    sourceUrl: url,
  };
}
