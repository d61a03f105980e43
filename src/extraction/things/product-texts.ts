// What all sources of a product share: how its data is read, and how a product and its variants are put together.
import type { Document } from "../../contract/index.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { type Entity, isProperties, type Properties, propertyOf, textsOf } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { currencyCode, readAmount } from "../values/numbers.ts";

export type Product = NonNullable<Document["product"]>;
export type Variant = Product["variants"][number];
export type ThingMoney = NonNullable<Variant["price"]>;
export type ThingImage = NonNullable<Variant["images"]>[number];

export const maxVariants = 1000;
const maxImages = 50;
export const longestText = 20_000;

/** Programs write "1299.00" and people "1.299,00". */
export function amountOf(written: string): number | null {
  const text = written.trim();
  const amount = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : readAmount(text);
  return amount !== null && amount >= 0 && amount < 1e12 ? amount : null;
}

export function availabilityIn(written: string): ToldVariant["availability"] {
  if (written === "") return null;
  const shown = written.replace(/^https?:\/\/schema\.org\//i, "");
  return { inStock: availabilityOf(written) ?? /instock|limited|instore|online|pre-?order/i.test(shown), text: shown };
}

export function pageCurrency(page: ParsedPage): string | null {
  const metas = ["product:price:currency", "og:price:currency", "pricecurrency"].map((name) => page.meta(name)?.text);
  return currencyCode(metas.find(Boolean) ?? "");
}

/** A product by its source; the category comes from the page where the source has none. */
export function productFrom(
  page: ParsedPage,
  url: string,
  told: Record<"title" | "brand" | "category" | "description", string>,
  variants: Variant[],
): Product {
  return {
    title: told.title,
    ...optionalField("brand", told.brand),
    ...optionalField("category", told.category || categoryOf(page)),
    url: webUrl(page, page.ownUrl?.text) ?? url,
    ...optionalField("description", told.description),
    variants,
  };
}

interface ToldVariant {
  id: string;
  sku: string;
  title: string;
  values?: Record<string, string>;
  price: ThingMoney | null;
  /** What it cost before; it counts only above the price. */
  original?: ThingMoney | null;
  /** Null where the page says nothing of it. */
  availability: Variant["availability"] | null;
  images: ThingImage[];
}

export function variantFrom({
  id,
  sku,
  title,
  values = {},
  price,
  original,
  availability,
  images,
}: ToldVariant): Variant {
  const isReduced = original && price && original.amount > price.amount && original.currency === price.currency;
  return {
    ...optionalField("id", id),
    ...optionalField("sku", sku),
    title,
    ...(Object.keys(values).length > 0 ? { values } : {}),
    ...(price ? { price } : {}),
    ...(isReduced ? { sale: { originalPrice: original } } : {}),
    availability: availability ?? { inStock: price !== null },
    ...(images.length > 0 ? { images } : {}),
  };
}

/** Availability that data gives as yes or no. */
export function stockOf(inStock: unknown): ToldVariant["availability"] {
  return typeof inStock === "boolean" ? { inStock, text: inStock ? "InStock" : "OutOfStock" } : null;
}

/** Absolute; null when nothing is written, which would be the page itself. */
export function webUrl(page: ParsedPage, written: string | undefined): string | null {
  return written ? page.urls.web(written) : null;
}

/** Each once, in the order of the values: URLs, or objects with one and words for the picture. */
export function imagesIn(page: ParsedPage, values: readonly unknown[], at: Pick<Entity, "element">): ThingImage[] {
  const found = new Map<string, ThingImage>();
  for (const value of values.flat().slice(0, maxImages)) {
    const own = isProperties(value) ? value : {};
    const address = ["contenturl", "url", "src"].map((name) => textAt(own, name, at)).find((text) => text !== "");
    const url = webUrl(page, address ?? textsOf(value, at.element)[0]?.text);
    if (!url || found.has(url)) continue;
    const alt = textAt(own, "caption", at) || textAt(own, "name", at) || textAt(own, "alt", at) || page.altOf(url);
    found.set(url, { url, ...optionalField("alt", alt) });
  }
  return [...found.values()];
}

/** The crumb before the last one is what the product is one of. */
function categoryOf(page: ParsedPage): string {
  const crumbs = page.entities.find(({ types }) => types.includes("BreadcrumbList"));
  if (!crumbs) return "";
  const names = partsAt(crumbs.properties, "itemlistelement")
    .slice(0, 20)
    .flatMap((one) => {
      if (!isProperties(one)) return [];
      const item = one.item;
      return textAt(one, "name", crumbs) || (isProperties(item) ? textAt(item, "name", crumbs) : "") || [];
    });
  return names.at(-2) ?? names[0] ?? "";
}

export function partsAt(properties: Properties, key: string): unknown[] {
  const value = propertyOf(properties, key);
  return value === undefined || value === null ? [] : [value].flat();
}

export function textAt(properties: Properties, key: string, { element }: Pick<Entity, "element">): string {
  const value = key.startsWith("@") ? properties[key] : propertyOf(properties, key);
  if (value === undefined || value === null) return "";
  return (textsOf(value, element)[0]?.text ?? "").slice(0, longestText);
}

export function optionalField<Name extends string>(name: Name, value: string): { [Key in Name]?: string } {
  return value === "" ? {} : ({ [name]: value } as { [Key in Name]?: string });
}

/** ThingMoney as people write it, where its currency is known. */
export function moneyOf(amount: number, currency: string | null, written = ""): ThingMoney {
  const formatted = written === "" ? format(amount, currency) : written;
  return { amount, ...(currency ? { currency } : {}), formatted };
}

function format(amount: number, currency: string | null): string {
  const plain = Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  if (currency === null) return plain;
  try {
    return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount);
  } catch {
    return `${currency} ${plain}`;
  }
}
