// The product that a page sells, with its variants: from its structured data, else from the data of the shop's own program, else
// from what the page shows.
import type { FoundThing } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { keyOf } from "../lexicon/names.ts";
import { type Entity, isProperties, type Properties } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { currencyCode, findMoney } from "../values/numbers.ts";
import {
  amountOf,
  availabilityIn,
  imagesIn,
  maxVariants,
  moneyOf,
  optionalField,
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
import { readShopProduct } from "./shop-product.ts";
import { readShownProduct } from "./shown-product.ts";
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

export const product: ThingFormat<Product> = {
  read: readProduct,
  schema: {
    title: "product",
    type: "object",
    properties: {
      title: textSchema,
      brand: textSchema,
      category: textSchema,
      description: textSchema,
      currency: currencySchema,
      variants: listSchema({ title: textSchema, sku: textSchema, price: amountSchema, inStock: { type: "boolean" } }, [
        "title",
      ]),
    },
    required: ["title"],
  },
  fromData: productOfData,
};

const productTypes =
  /^(?:Product|ProductGroup|IndividualProduct|ProductModel|SomeProducts|Vehicle|Car|Motorcycle|Book)$/;

/** Null when the page sells nothing, or many things of which none is its own. */
function readProduct(page: ParsedPage, url: string): FoundThing<Product> | null {
  const entity = productOf(page);
  const own = entity ? fromEntity(page, entity, url) : null;
  const shop = own && own.thing.variants.length > 1 ? null : readShopProduct(page, own?.thing ?? null, url);
  const found = shop ?? own ?? readShownProduct(page, url);
  return found && isSold(found.thing) ? found : null;
}

/** A thing with neither a price nor an availability is not for sale. */
function isSold({ variants }: Product): boolean {
  return variants.some(({ price, availability }) => price !== undefined || availability.text !== undefined);
}

/** Of several products the page's own: the group of the others, or the one that the page is called by. */
function productOf(page: ParsedPage): Entity | null {
  const all = page.entities.filter(({ types }) => types.some((type) => productTypes.test(type)));
  const inGroups = new Set(all.flatMap(({ properties }) => partsAt(properties, "hasvariant")));
  const outer = all.filter(({ properties }) => !inGroups.has(properties));
  const group = outer.find(({ types }) => types.includes("ProductGroup"));
  if (group) return group;
  const sold = outer.filter(({ properties }) => partsAt(properties, "offers").length > 0);
  const candidates = sold.length > 0 ? sold : outer;
  if (candidates.length < 2) return candidates[0] ?? null;
  const title = keyOf(page.titles[0]?.text ?? "");
  const named = candidates.filter((one) => {
    const name = keyOf(textAt(one.properties, "name", one));
    return name.length > 2 && title !== "" && (title.includes(name) || name.includes(title));
  });
  const names = new Set(candidates.map((one) => keyOf(textAt(one.properties, "name", one))));
  return named[0] ?? (names.size === 1 ? (candidates[0] ?? null) : null);
}

function fromEntity(page: ParsedPage, entity: Entity, url: string): FoundThing<Product> | null {
  const { properties } = entity;
  const title = textAt(properties, "name", entity) || (page.titles[0]?.text ?? "");
  if (title === "") return null;
  const variants = partsAt(properties, "hasvariant").filter(isProperties);
  const offers = offersOf(properties);
  const many = variants.length > 0 ? variants : offers.length > 1 ? offers : [];
  const variantOf = createVariantReader(page, entity, title);
  const read = (many.length > 0 ? many : [properties]).slice(0, maxVariants).map(variantOf);
  const told = {
    title,
    brand: textAt(properties, "brand", entity) || textAt(properties, "manufacturer", entity),
    category: textAt(properties, "category", entity),
    description: textAt(properties, "description", entity) || (page.meta("og:description")?.text ?? ""),
  };
  return { thing: productFrom(page, url, told, read), leftOut: Math.max(0, many.length - maxVariants) };
}

/** Offers of a product; those of an offer that gathers others are these. */
function offersOf(properties: Properties): Properties[] {
  return partsAt(properties, "offers")
    .filter(isProperties)
    .flatMap((offer) => {
      const inner = partsAt(offer, "offers").filter(isProperties);
      return inner.length > 0 ? inner : [offer];
    });
}

const valueNames = ["color", "size", "material", "pattern", "model", "flavor"];
const notValues = /^(?:@|name$|sku|gtin|mpn|price|url|image|offers|description|brand|availability|productid|id$)/i;

function createVariantReader(page: ParsedPage, entity: Entity, title: string) {
  const imagesOf = (own: Properties) => imagesIn(page, partsAt(own, "image"), entity);
  const sharedImages = imagesOf(entity.properties);
  const text = (own: Properties, name: string) => textAt(own, name, entity);

  return (own: Properties): Variant => {
    const [offer = own] = offersOf(own);
    const first = (...names: string[]) =>
      names.flatMap((name) => [text(own, name), text(offer, name)]).find((value) => value !== "") ?? "";
    const images = imagesOf(own);
    return variantFrom({
      id: first("productid", "sku", "gtin13", "gtin", "gtin12", "gtin8", "mpn", "@id", "url"),
      sku: first("sku", "mpn"),
      title: text(own, "name") || title,
      values: valuesOf(own),
      price: priceOf(offer) ?? priceOf(own),
      original: originalOf(offer),
      availability: availabilityIn(first("availability", "itemavailability")),
      images: images.length > 0 ? images : sharedImages,
    });
  };

  function valuesOf(own: Properties): Record<string, string> {
    const values: Record<string, string> = {};
    for (const name of valueNames) {
      const value = text(own, name).replace(/^https?:\/\/schema\.org\//, "");
      if (value !== "") values[name] = value;
    }
    for (const one of partsAt(own, "additionalproperty").filter(isProperties).slice(0, 50)) {
      const name = text(one, "name");
      const value = text(one, "value");
      if (name !== "" && value !== "" && !notValues.test(name)) define(values, name, value);
    }
    return values;
  }

  function specification(offer: Properties, isWanted: (priceType: string) => boolean): Properties | undefined {
    const all = partsAt(offer, "pricespecification").filter(isProperties);
    return all.find((one) => isWanted(text(one, "pricetype")));
  }

  function priceOf(offer: Properties): ThingMoney | null {
    const current = specification(offer, (type) => !isFormer(type));
    for (const one of [offer, ...(current ? [current] : [])]) {
      const found = money(text(one, "price") || text(one, "lowprice"), one, offer);
      if (found) return found;
    }
    return null;
  }

  function originalOf(offer: Properties): ThingMoney | null {
    const former = specification(offer, isFormer);
    return former ? money(text(former, "price"), former, offer) : null;
  }

  function money(written: string, ...holders: Properties[]): ThingMoney | null {
    const amount = amountOf(written);
    if (amount === null) return null;
    const said = holders.map((one) => text(one, "pricecurrency")).find((one) => one !== "") ?? "";
    const currency = currencyCode(said) ?? currencyCode(findMoney(written)?.currency ?? "") ?? pageCurrency(page);
    return moneyOf(amount, currency);
  }
}

function isFormer(priceType: string): boolean {
  return /(?:Strikethrough|List|MSRP|SRP)/i.test(priceType);
}

function productOfData(data: ToldData, url: string): Product | null {
  const title = textIn(data.title);
  const rows = rowsIn(data.variants).slice(0, maxVariants);
  if (title === "" || !rows.some((row) => typeof row.price === "number")) return null;
  const currency = textIn(data.currency);
  const texts = ["brand", "category", "description"] as const;
  return {
    title,
    ...Object.assign({}, ...texts.map((name) => optionalField(name, textIn(data[name])))),
    url,
    variants: rows.map((row) => variantOfData(row, { title, currency })),
  };
}

function variantOfData(
  { price, inStock, ...row }: ToldData,
  { title, currency }: { title: string; currency: string },
): Variant {
  const sku = textIn(row.sku);
  const formatted = `${currency} ${price}`.trim();
  return variantFrom({
    id: sku,
    sku,
    title: textIn(row.title) || title,
    price: typeof price === "number" ? { amount: price, ...optionalField("currency", currency), formatted } : null,
    availability: stockOf(inStock),
    images: [],
  });
}
