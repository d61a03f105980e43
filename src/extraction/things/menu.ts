// The menu of a restaurant: from its linked data, the items of its markup, the data that its program starts with, or what the page
// shows: whichever of them has the most, and among equals the first.
import { parseUrl } from "../../base/index.ts";
import type { FoundThing } from "../findings/finding.ts";
import { keyOf, wordsOfName } from "../lexicon/names.ts";
import { type Entity, isProperties } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { readLegend } from "./diets.ts";
import { dishMoney, readMenuState, readStructuredMenu } from "./menu-data.ts";
import { type Menu, MenuGatherer, maxItems } from "./menu-items.ts";
import words from "./menu-words.json" with { type: "json" };
import { optionalField, partsAt, textAt } from "./product-texts.ts";
import { readShownMenu } from "./shown-menu.ts";
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

/** How sure data that say to be a menu are one. */
const saidConfidence = 0.95;
/** What a source may lack beside a later one and still be taken: what is merely shown holds more that is no dish. */
const nearlyAll = 0.8;

function readMenu(page: ParsedPage, url: string): FoundThing<Menu> | null {
  const kitchen = page.entities.find(({ types }) => types.some((type) => kitchens.test(type))) ?? null;
  const marks = readLegend(page);
  const sources: { isSaid: boolean; read(gatherer: MenuGatherer): void }[] = [
    { isSaid: true, read: (own) => readStructuredMenu(page, kitchen, own, (method) => method === "json-ld") },
    { isSaid: true, read: (own) => readStructuredMenu(page, kitchen, own, (method) => method !== "json-ld") },
    { isSaid: false, read: (own) => readMenuState(page, own) },
    { isSaid: false, read: (own) => readShownMenu(page, own) },
  ];
  let best = { found: new MenuGatherer(url, marks), confidence: 0 };
  for (const { isSaid, read } of sources) {
    const found = new MenuGatherer(url, marks);
    read(found);
    if (best.found.count >= found.count * nearlyAll) continue;
    const confidence = isSaid ? saidConfidence : confidenceOf(page, url, found.sections, kitchen !== null);
    if (confidence >= leastConfidence) best = { found, confidence };
  }
  const { found, confidence } = best;
  if (found.count === 0) return null;
  return {
    thing: {
      isMenu: true,
      confidence,
      merchant: merchantOf(page, kitchen, url),
      ...optionalField("currency", found.currency ?? ""),
      sections: found.sections,
      sourceUrl: url,
    },
    leftOut: found.leftOut,
  };
}

function merchantOf(page: ParsedPage, kitchen: Entity | null, url: string): Menu["merchant"] {
  const name = (kitchen && textAt(kitchen.properties, "name", kitchen)) || (page.meta("og:site_name")?.text ?? "");
  const type = kitchen?.types.find((one) => kitchens.test(one)) ?? "";
  const address = kitchen ? partsAt(kitchen.properties, "address")[0] : undefined;
  const location = kitchen && address !== undefined ? locationIn(address, kitchen) : null;
  return {
    name: name || hostOf(url),
    // "CafeOrCoffeeShop" is a cafe.
    ...optionalField(
      "type",
      wordsOfName(type)
        .join(" ")
        .replace(/ or .*/, ""),
    ),
    ...(location ? { location } : {}),
  };
}

function locationIn(address: unknown, kitchen: Entity): Menu["merchant"]["location"] | null {
  if (!isProperties(address)) return textAt({ address }, "address", kitchen) || null;
  const country = partsAt(address, "addresscountry")[0];
  const location = {
    ...optionalField("street", textAt(address, "streetaddress", kitchen)),
    ...optionalField("city", textAt(address, "addresslocality", kitchen)),
    ...optionalField("region", textAt(address, "addressregion", kitchen)),
    ...optionalField("postalCode", textAt(address, "postalcode", kitchen)),
    ...optionalField("country", country === undefined ? "" : textAt({ country }, "country", kitchen)),
  };
  return Object.keys(location).length > 0 ? location : null;
}

function hostOf(url: string): string {
  return parseUrl(url)?.hostname ?? url;
}

const menuWords = new RegExp(words.menu, "iu");
const courseWords = new RegExp(words.course, "iu");

/** What speaks for a menu, beside names with prices: how it is called, its courses, and who has it. */
const weights = { prices: 0.35, isCalledMenu: 0.35, course: 0.15, kitchen: 0.2 };
const leastConfidence = 0.6;

function confidenceOf(page: ParsedPage, url: string, sections: Menu["sections"], isKitchen: boolean): number {
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
  const gatherer = new MenuGatherer(url, new Map());
  const rows = rowsIn(data.items);
  const currency = textIn(data.currency);
  const sections = [...new Set(rows.map(({ section }) => textIn(section)))];
  const inOrder = sections.flatMap((name) => rows.filter(({ section }) => textIn(section) === name));
  for (const { section, name, description, price } of inOrder.slice(0, maxItems)) {
    const money = typeof price === "number" ? dishMoney(price, currency || null) : null;
    gatherer.add({ name: textIn(section) }, { name: textIn(name), texts: [textIn(description)], price: money });
  }
  if (gatherer.sections.length === 0) return null;
  return {
    isMenu: true,
    confidence: toldConfidence,
    merchant: { name: textIn(data.merchant) || hostOf(url) },
    ...optionalField("currency", currency),
    sections: gatherer.sections,
    sourceUrl: url,
  };
}
