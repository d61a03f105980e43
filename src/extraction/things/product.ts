// The product that a page sells, with its variants: from its structured data, else from the data of the shop's own program, else
// from what the page shows.
import type { FoundThing } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { keyOf } from "../lexicon/names.ts";
import { type Entity, isProperties, type Properties, textsOf } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { currencyCode, findMoney } from "../values/numbers.ts";
import {
  amountOf,
  availabilityIn,
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

/** A thing without a price and without a word of whether it can be had is not for sale. */
function isSold({ variants }: Product): boolean {
  return variants.some(({ price, availability }) => price !== undefined || availability !== undefined);
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
  const reader = new VariantReader(page, entity, title);
  const read =
    many.length > 0
      ? many.slice(0, maxVariants).map((one, index) => reader.variant(one, index))
      : [reader.variant(properties, 0)];
  return {
    thing: {
      title,
      ...optionalField("brand", textAt(properties, "brand", entity) || textAt(properties, "manufacturer", entity)),
      ...optionalField("category", textAt(properties, "category", entity) || categoryOf(page)),
      ...optionalField("url", page.urls.web(textAt(properties, "url", entity) || page.ownUrl?.text || url) ?? ""),
      ...optionalField(
        "description",
        textAt(properties, "description", entity) || (page.meta("og:description")?.text ?? ""),
      ),
      variants: read,
    },
    leftOut: Math.max(0, many.length - maxVariants),
  };
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

/** Read before anything that is inside of its offers. */
const valueNames = ["color", "size", "material", "pattern", "model", "flavor", "itemCondition"];
const notValues = /^(?:@|name$|sku|gtin|mpn|price|url|image|offers|description|brand|availability|productid|id$)/i;

class VariantReader {
  private readonly page: ParsedPage;
  private readonly entity: Entity;
  private readonly title: string;
  private readonly images: string[];

  constructor(page: ParsedPage, entity: Entity, title: string) {
    this.page = page;
    this.entity = entity;
    this.title = title;
    this.images = this.imagesOf(entity.properties);
  }

  variant(own: Properties, index: number): Variant {
    const offers = offersOf(own);
    const [offer = own] = offers;
    const all = [own, offer];
    const first = (...names: string[]) =>
      names.flatMap((name) => all.map((one) => textAt(one, name, this.entity))).find((value) => value !== "") ?? "";
    const sku = first("sku", "mpn");
    const images = this.imagesOf(own);
    const price = this.priceOf(offer) ?? this.priceOf(own);
    const original = this.originalOf(offer, price);
    const stock = first("availability", "itemavailability");
    return {
      id: first("productid", "sku", "gtin13", "gtin", "gtin12", "gtin8", "mpn", "@id", "url") || String(index + 1),
      ...optionalField("sku", sku),
      title: textAt(own, "name", this.entity) || this.title,
      values: this.valuesOf(own),
      ...(price ? { price } : {}),
      ...(original ? { sale: { originalPrice: original } } : {}),
      ...(stock === "" ? {} : { availability: availabilityIn(stock) }),
      images: images.length > 0 ? images : this.images,
    };
  }

  private valuesOf(own: Properties): Record<string, string> {
    const values: Record<string, string> = {};
    for (const name of valueNames) {
      const value = textAt(own, keyOf(name), this.entity).replace(/^https?:\/\/schema\.org\//, "");
      if (value !== "" && name !== "itemCondition") values[name] = value;
    }
    for (const one of partsAt(own, "additionalproperty").filter(isProperties).slice(0, 50)) {
      const name = textAt(one, "name", this.entity);
      const value = textAt(one, "value", this.entity);
      if (name !== "" && value !== "" && !notValues.test(name)) define(values, name, value);
    }
    return values;
  }

  private priceOf(offer: Properties): ThingMoney | null {
    const specifications = partsAt(offer, "pricespecification").filter(isProperties);
    const current = specifications.find((one) => !isFormer(textAt(one, "pricetype", this.entity)));
    for (const one of [offer, ...(current ? [current] : [])]) {
      const written = textAt(one, "price", this.entity) || textAt(one, "lowprice", this.entity);
      const money = this.money(written, one, offer);
      if (money) return money;
    }
    return null;
  }

  private originalOf(offer: Properties, price: ThingMoney | null): ThingMoney | null {
    const former = partsAt(offer, "pricespecification")
      .filter(isProperties)
      .find((one) => isFormer(textAt(one, "pricetype", this.entity)));
    const money = former ? this.money(textAt(former, "price", this.entity), former, offer) : null;
    return money && price && money.amount > price.amount ? money : null;
  }

  private money(written: string, ...holders: Properties[]): ThingMoney | null {
    const amount = amountOf(written);
    if (amount === null) return null;
    const said = holders.map((one) => textAt(one, "pricecurrency", this.entity)).find((one) => one !== "") ?? "";
    return moneyOf(
      amount,
      currencyCode(said) ?? currencyCode(findMoney(written)?.currency ?? "") ?? pageCurrency(this.page),
    );
  }

  private imagesOf(own: Properties): string[] {
    const urls = partsAt(own, "image").flatMap((one) => textsOf(one, this.entity.element));
    return [...new Set(urls.flatMap((one) => this.page.urls.web(one.text) ?? []))].slice(0, maxImages);
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
    variants: rows.map((row, index) => variantOfData(row, index, { title, currency })),
  };
}

function variantOfData(
  row: ToldData,
  index: number,
  { title, currency }: { title: string; currency: string },
): Variant {
  const { price, inStock } = row;
  const sku = textIn(row.sku);
  return {
    id: sku || String(index + 1),
    ...optionalField("sku", sku),
    title: textIn(row.title) || title,
    values: {},
    ...(typeof price === "number"
      ? { price: { amount: price, ...optionalField("currency", currency), formatted: `${currency} ${price}`.trim() } }
      : {}),
    ...(typeof inStock === "boolean" ? { availability: { inStock, text: inStock ? "InStock" : "OutOfStock" } } : {}),
    images: [],
  };
}
