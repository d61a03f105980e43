// A menu in the data of a page: linked data, also in several scripts that name each other by id; items of the markup; and what the
// page's own program starts with.
import { type Entity, isProperties, type Properties, propertyOf } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { readPageState } from "../page/script-state.ts";
import { currencyCode, readAmount } from "../values/numbers.ts";
import { caloriesIn, type MenuGatherer, type OptionGroup, sizesOf, type ToldDish } from "./menu-items.ts";
import {
  amountOf,
  availabilityIn,
  imagesIn,
  moneyOf,
  partsAt,
  stockOf,
  type ThingMoney,
  textAt,
  webUrl,
} from "./product-texts.ts";

const maxDepth = 4;
const maxMenus = 50;
const menuTypes = ["Menu", "MenuSection", "MenuItem"];

/** Menus, then what belongs to none of them. */
export function readStructuredMenu(
  page: ParsedPage,
  kitchen: Entity | null,
  gatherer: MenuGatherer,
  isOwn: (method: string) => boolean,
): void {
  const entities = page.entities.filter(({ method }) => isOwn(method));
  const follow = linksBetween(entities);
  const seen = new Set<Properties>();
  const roots = kitchen && isOwn(kitchen.method) ? [{ ...kitchen, types: ["Restaurant"] }] : [];
  for (const type of menuTypes) roots.push(...entities.filter(({ types }) => types.includes(type)).slice(0, maxMenus));
  for (const { properties, element, types } of roots) {
    const reader = { page, at: { element }, gatherer, follow, seen };
    if (types.includes("Restaurant")) {
      for (const menu of [...partsAt(properties, "hasmenu"), ...partsAt(properties, "menu")].filter(isProperties))
        readSection(follow(menu), "", 0, reader);
    } else if (types.includes("MenuItem")) readDish(properties, { name: "" }, reader);
    else readSection(properties, "", types.includes("MenuSection") ? 1 : 0, reader);
  }
}

interface DataReader {
  page: ParsedPage;
  at: Pick<Entity, "element">;
  gatherer: MenuGatherer;
  follow(own: Properties): Properties;
  /** One thing may be named by several others. */
  seen: Set<Properties>;
}

function readSection(own: Properties, above: string, depth: number, reader: DataReader): void {
  const { at, follow, seen } = reader;
  if (depth > maxDepth || seen.has(own)) return;
  seen.add(own);
  const name = textAt(own, "name", at) || above;
  const section = depth === 0 ? { name: "" } : { name, description: textAt(own, "description", at) };
  for (const item of partsAt(own, "hasmenuitem").filter(isProperties)) readDish(follow(item), section, reader);
  for (const inner of partsAt(own, "hasmenusection").filter(isProperties))
    readSection(follow(inner), depth === 0 ? "" : name, depth + 1, reader);
}

function readDish(own: Properties, section: { name: string; description?: string }, reader: DataReader): void {
  const { page, at, follow, gatherer, seen } = reader;
  const name = textAt(own, "name", at);
  if (name === "" || seen.has(own)) return;
  seen.add(own);
  const offers = partsAt(own, "offers")
    .filter(isProperties)
    .map(follow)
    .flatMap((offer) => {
      const inner = partsAt(offer, "offers").filter(isProperties);
      return inner.length > 0 ? inner : [offer];
    });
  const sizes = (offers.length > 0 ? offers : [own]).slice(0, 20).map((offer) => ({
    name: textAt(offer, "name", at) || textAt(offer, "size", at) || textAt(offer, "eligiblequantity", at),
    price: priceIn(offer, at),
  }));
  const { price, groups } = sizesOf(sizes);
  const nutrition = partsAt(own, "nutrition").find(isProperties);
  const energy = nutrition ? textAt(nutrition, "calories", at) : "";
  const written = offers.map((offer) => textAt(offer, "availability", at)).find((text) => text !== "");
  gatherer.add(section, {
    name,
    texts: [textAt(own, "description", at)],
    price,
    url: webUrl(page, textAt(own, "url", at)),
    images: imagesIn(page, partsAt(own, "image"), at),
    availability: availabilityIn(written ?? ""),
    diets: partsAt(own, "suitablefordiet").map((diet) => dietWords(textAt({ diet }, "diet", at))),
    calories: energy === "" ? null : (caloriesIn(energy) ?? readAmount(energy)),
    groups: [...groups, ...addOnsOf(own, reader)],
    merchantItemId: textAt(own, "identifier", at) || textAt(own, "sku", at) || textAt(own, "productid", at),
  });
}

/** "https://schema.org/GlutenFreeDiet" in words. */
function dietWords(written: string): string {
  return written
    .replace(/^.*[/#:]/, "")
    .replace(/Diet$/, "")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}

/** Things to take with a dish: items, or sections of them. */
function addOnsOf(own: Properties, { at, follow }: DataReader): OptionGroup[] {
  const optionOf = (item: Properties) => {
    const [offer = item] = partsAt(item, "offers").filter(isProperties);
    return { name: textAt(item, "name", at), price: priceIn(offer, at) };
  };
  const isNamed = ({ name }: { name: string }) => name !== "";
  const added = partsAt(own, "menuaddon").filter(isProperties).slice(0, 50).map(follow);
  const isGroup = (one: Properties) => partsAt(one, "hasmenuitem").length > 0;
  const single = added
    .filter((one) => !isGroup(one))
    .map(optionOf)
    .filter(isNamed);
  const groups = added.filter(isGroup).map((one) => ({
    name: textAt(one, "name", at) || "Extras",
    required: false,
    options: partsAt(one, "hasmenuitem").filter(isProperties).map(follow).map(optionOf).filter(isNamed),
  }));
  return single.length > 0 ? [...groups, { name: "Extras", required: false, options: single }] : groups;
}

function priceIn(offer: Properties, at: Pick<Entity, "element">): ThingMoney | null {
  const amount = amountOf(textAt(offer, "price", at) || textAt(offer, "lowprice", at));
  return amount === null ? null : dishMoney(amount, currencyCode(textAt(offer, "pricecurrency", at)));
}

export function dishMoney(amount: number, currency: string | null, written = ""): ThingMoney {
  return moneyOf(Math.round(amount * 100) / 100, currency, written);
}

/** Leads from an object that only names another one by its id to that one, wherever it is. */
function linksBetween(entities: readonly Entity[]): (own: Properties) => Properties {
  const byId = new Map<string, Properties>();
  const visit = (value: unknown, depth: number): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, depth);
    if (!isProperties(value) || depth > 8) return;
    const id = value["@id"];
    if (typeof id === "string" && Object.keys(value).length > 2 && !byId.has(id)) byId.set(id, value);
    for (const below of Object.values(value)) if (typeof below === "object") visit(below, depth + 1);
  };
  for (const { method, properties } of entities) if (method === "json-ld") visit(properties, 0);
  return (own) => (own.name === undefined && typeof own["@id"] === "string" ? (byId.get(own["@id"]) ?? own) : own);
}

const namesOfName = ["name", "title", "displayname", "itemname"];
const namesOfPrice = ["price", "baseprice", "unitprice", "amount", "displayprice", "pricemoney"];
const isInMinorUnits = new Set(["AUD", "CAD", "CHF", "EUR", "GBP", "USD"]);

/** Objects with a name and a list of things with names and prices. */
export function readMenuState(page: ParsedPage, gatherer: MenuGatherer): void {
  const holders = readPageState(page.text.scripts, (own) => dishesIn(own).length > 0);
  const dishes = holders.flatMap(({ properties }) => dishesIn(properties));
  const amounts = dishes.flatMap((dish) => stateAmount(dish)?.amount ?? []);
  const currency = dishes.map((dish) => stateAmount(dish)?.currency).find(Boolean) ?? null;
  const shown = new Set(page.text.pieces.flatMap(({ text }) => (text.length < 30 ? (readAmount(text) ?? []) : [])));
  const isWhole = amounts.length > 0 && amounts.every((amount) => Number.isInteger(amount) && amount >= 100);
  const cents =
    isWhole &&
    !amounts.some((amount) => shown.has(amount)) &&
    (amounts.some((amount) => shown.has(amount / 100)) || isInMinorUnits.has(currency ?? ""));
  const seen = new Set<string>();
  for (const { properties, element } of holders) {
    const at = { element };
    const text = (own: Properties, ...names: string[]) =>
      names.map((name) => textAt(own, name, at)).find((one) => one !== "") ?? "";
    const section = { name: text(properties, ...namesOfName), description: text(properties, "description") };
    for (const dish of dishesIn(properties)) {
      const name = text(dish, ...namesOfName);
      const found = stateAmount(dish);
      // A page's program often has the same list at several places.
      const key = JSON.stringify([section.name, name, found?.amount]);
      if (name === "" || seen.has(key)) continue;
      seen.add(key);
      const amount = found === null ? null : cents ? found.amount / 100 : found.amount;
      const isGone = dish.soldOut === true || dish.isSoldOut === true || dish.outOfStock === true;
      const told: ToldDish = {
        name,
        texts: [text(dish, "description", "subtitle")],
        price: amount === null ? null : dishMoney(amount, found?.currency ?? currency),
        images: imagesIn(page, partsAt(dish, "image").concat(partsAt(dish, "imageurl"), partsAt(dish, "images")), at),
        availability: isGone ? stockOf(false) : stockOf(dish.available ?? dish.isAvailable ?? dish.inStock),
        diets: [...partsAt(dish, "dietary"), ...partsAt(dish, "tags"), ...partsAt(dish, "diets")].map(String),
        calories: readAmount(text(dish, "calories")),
        merchantItemId: text(dish, "id", "itemid", "uuid", "sku"),
      };
      gatherer.add(section, told);
    }
  }
}

/** Of the lists of an object the one whose members have names and prices. */
function dishesIn(own: Properties): Properties[] {
  for (const value of Object.values(own)) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const rows = value.filter(isProperties);
    const isDish = (row: Properties) =>
      namesOfName.some((name) => typeof propertyOf(row, name) === "string") && stateAmount(row);
    if (rows.length > 0 && rows.filter(isDish).length * 2 > value.length) return rows;
  }
  return [];
}

function stateAmount(dish: Properties): { amount: number; currency: string | null } | null {
  for (const name of namesOfPrice) {
    const [value] = partsAt(dish, name);
    const inner = isProperties(value) ? (value.amount ?? value.value ?? value.price) : value;
    if (typeof inner !== "number" && typeof inner !== "string") continue;
    const amount = amountOf(String(inner));
    if (amount === null) continue;
    const holder = isProperties(value) ? value : dish;
    const said = [holder.currency, holder.currencyCode, dish.currency].find((one) => typeof one === "string");
    return { amount, currency: currencyCode(String(said ?? "")) };
  }
  return null;
}
