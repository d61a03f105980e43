// A product in the data that a shop's own program starts with.
import type { FoundThing } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { keyOf } from "../lexicon/names.ts";
import { type Entity, isProperties, type Properties, textsOf } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { readPageState } from "../page/script-state.ts";
import {
  amountOf,
  categoryOf,
  maxImages,
  maxVariants,
  moneyOf,
  optionalField,
  type Product,
  pageCurrency,
  partsAt,
  type ThingMoney,
  textAt,
  type Variant,
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
  const own: Product = {
    title: known?.title ?? (textAt(properties, "title", entity) || textAt(properties, "name", entity)),
    ...optionalField(
      "brand",
      known?.brand ?? (textAt(properties, "vendor", entity) || textAt(properties, "brand", entity)),
    ),
    ...optionalField("category", known?.category ?? (textAt(properties, "type", entity) || categoryOf(page))),
    ...optionalField("url", known?.url ?? page.urls.web(page.ownUrl?.text ?? url) ?? ""),
    ...optionalField("description", known?.description ?? textAt(properties, "description", entity)),
    variants: [],
  };
  const cents = isInCents(variants, shown, entity);
  const reader = { page, entity, names, cents, currency: shown?.currency ?? pageCurrency(page), own };
  own.variants = variants.slice(0, maxVariants).map((one, index) => shopVariant(one, index, reader));
  return { thing: own, leftOut: Math.max(0, variants.length - maxVariants) };
}

interface ShopReader {
  page: ParsedPage;
  entity: Entity;
  names: string[];
  cents: boolean;
  currency: string | null;
  own: Product;
}

function shopVariant(
  one: Properties,
  index: number,
  { page, entity, names, cents, currency, own }: ShopReader,
): Variant {
  const money = (name: string) => {
    const amount = amountOf(textAt(one, name, entity));
    return amount === null ? null : moneyOf(cents ? amount / 100 : amount, currency);
  };
  const price = money("price");
  const original = money("compareatprice") ?? money("listprice");
  const values: Record<string, string> = {};
  for (const [place, name] of names.entries()) {
    const value = textAt(one, `option${place + 1}`, entity);
    if (value !== "") define(values, name, value);
  }
  const stock = one.available ?? one.inStock ?? one.in_stock;
  const image = partsAt(one, "featuredimage").concat(partsAt(one, "image"));
  const images = image.flatMap((each) => textsOf(isProperties(each) ? (each.src ?? each) : each, entity.element));
  return {
    id: textAt(one, "id", entity) || textAt(one, "sku", entity) || String(index + 1),
    ...optionalField("sku", textAt(one, "sku", entity)),
    title: textAt(one, "name", entity) || textAt(one, "title", entity) || own.title,
    values,
    ...(price ? { price } : {}),
    ...(original && price && original.amount > price.amount ? { sale: { originalPrice: original } } : {}),
    ...(typeof stock === "boolean" ? { availability: { inStock: stock, text: stock ? "InStock" : "OutOfStock" } } : {}),
    images: [...new Set(images.flatMap((each) => page.urls.web(each.text) ?? []))].slice(0, maxImages),
  };
}

function optionNames(properties: Properties, entity: Entity): string[] {
  return partsAt(properties, "options")
    .slice(0, 10)
    .map(
      (one, place) => (typeof one === "string" ? one : textsOf(one, entity.element)[0]?.text) || `option${place + 1}`,
    );
}

/** Some shops count in cents: only the price that the page itself tells can show it. */
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
