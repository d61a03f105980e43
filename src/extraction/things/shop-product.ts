// A product in the data that a shop's own program starts with.
import type { FoundThing } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { keyOf } from "../lexicon/names.ts";
import { type Entity, isProperties, type Properties, textsOf } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { readPageState } from "../page/script-state.ts";
import {
  amountOf,
  imagesIn,
  maxVariants,
  moneyOf,
  type Product,
  pageCurrency,
  partsAt,
  productFrom,
  stockOf,
  type ThingMoney,
  textAt,
  type Variant,
  variantFrom,
} from "./product-texts.ts";

/** The data that shop programs start with: a product with a list of variants and the names of their options. */
export function readShopProduct(page: ParsedPage, known: Product | null, url: string): FoundThing<Product> | null {
  const isWanted = (properties: Properties) =>
    Array.isArray(properties.variants) &&
    properties.variants.some((one) => isProperties(one) && ("price" in one || "available" in one)) &&
    typeof (properties.title ?? properties.name) === "string";
  const title = keyOf(known?.title ?? page.titles[0]?.text ?? "");
  const entity = readPageState(page.text.scripts, isWanted).find((one) => {
    const name = keyOf(textAt(one.properties, "title", one) || textAt(one.properties, "name", one));
    return name.length > 2 && title !== "" && (title.includes(name) || name.includes(title));
  });
  if (!entity) return null;
  const { properties } = entity;
  const shown = known?.variants[0]?.price ?? priceOfPage(page);
  const variants = (properties.variants as unknown[]).filter(isProperties);
  const names = optionNames(properties, entity);
  const text = (name: string) => textAt(properties, name, entity);
  const told = {
    title: known?.title ?? (text("title") || text("name")),
    brand: known?.brand ?? (text("vendor") || text("brand")),
    category: known?.category ?? text("type"),
    description: known?.description ?? text("description"),
  };
  const cents = isInCents(variants, shown, entity);
  const reader = { page, entity, names, cents, currency: shown?.currency ?? pageCurrency(page), title: told.title };
  const own = variants.slice(0, maxVariants).map((one) => shopVariant(one, reader));
  return { thing: productFrom(page, url, told, own), leftOut: Math.max(0, variants.length - maxVariants) };
}

interface ShopReader {
  page: ParsedPage;
  entity: Entity;
  names: string[];
  cents: boolean;
  currency: string | null;
  title: string;
}

function shopVariant(one: Properties, { page, entity, names, cents, currency, title }: ShopReader): Variant {
  const money = (name: string) => {
    const amount = amountOf(textAt(one, name, entity));
    return amount === null ? null : moneyOf(cents ? amount / 100 : amount, currency);
  };
  const values: Record<string, string> = {};
  for (const [place, name] of names.entries()) {
    const value = textAt(one, `option${place + 1}`, entity);
    if (value !== "") define(values, name, value);
  }
  const sku = textAt(one, "sku", entity);
  const images = [...partsAt(one, "featuredimage"), ...partsAt(one, "image")];
  return variantFrom({
    id: textAt(one, "id", entity) || sku,
    sku,
    title: textAt(one, "name", entity) || textAt(one, "title", entity) || title,
    values,
    price: money("price"),
    original: money("compareatprice") ?? money("listprice"),
    availability: stockOf(one.available ?? one.inStock ?? one.in_stock),
    images: imagesIn(page, images, entity),
  });
}

function optionNames(properties: Properties, entity: Entity): string[] {
  return partsAt(properties, "options")
    .slice(0, 10)
    .map(
      (one, place) => (typeof one === "string" ? one : textsOf(one, entity.element)[0]?.text) || `option${place + 1}`,
    );
}

/** Some shops count in cents: only the price on the page itself reveals it. */
function isInCents(variants: readonly Properties[], shown: ThingMoney | null, entity: Entity): boolean {
  if (!shown) return false;
  const amounts = variants.map((one) => amountOf(textAt(one, "price", entity)));
  return !amounts.includes(shown.amount) && amounts.some((amount) => amount === Math.round(shown.amount * 100));
}

function priceOfPage(page: ParsedPage): ThingMoney | null {
  const written = page.meta("product:price:amount") ?? page.meta("og:price:amount");
  const amount = amountOf(written?.text ?? "");
  return amount === null ? null : moneyOf(amount, pageCurrency(page));
}
