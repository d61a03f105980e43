// A product or a menu as an output: what the page's data and text show, else what a language model reads there.
import type { Trace } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { FoundThings, MenuThing, ProductThing, ThingName } from "../../extraction/index.ts";
import type { DataFiller, FilledByModel, OpenUse } from "../data/data-filler.ts";

export interface ThingRequest {
  names: readonly ThingName[];
  url: string;
  found: FoundThings;
  /** What a model may read. */
  text: string;
}

interface MadeThings {
  outputs: Partial<Document>;
  warnings: string[];
  isFinal: boolean;
}

const text = { type: "string" };
const money = { type: "number" };
const listOf = (properties: Record<string, unknown>, required: string[]) => ({
  type: "array",
  items: { type: "object", properties, required },
});

/** What a model is asked for; the rest of the output's form is made of it. */
const schemas: Record<ThingName, Record<string, unknown>> = {
  product: {
    title: "product",
    type: "object",
    properties: {
      title: text,
      brand: text,
      category: text,
      description: text,
      currency: { type: "string", description: "ISO 4217 code of the prices" },
      variants: listOf({ title: text, sku: text, price: money, inStock: { type: "boolean" } }, ["title"]),
    },
    required: ["title"],
  },
  menu: {
    title: "menu",
    type: "object",
    properties: {
      merchant: { type: "string", description: "Name of the restaurant" },
      currency: { type: "string", description: "ISO 4217 code of the prices" },
      items: listOf({ section: text, name: text, description: text, price: money }, ["name"]),
    },
    required: ["items"],
  },
};

const nothing: Record<ThingName, string> = {
  product: "No product was found on the page.",
  menu: "No menu was found on the page.",
};

/** Of a thing that a model read. */
const modelConfidence = 0.7;
/** As many as are read from a page's own data. */
const maxVariants = 1000;
const maxDishes = 2000;

export async function makeThings(
  request: ThingRequest,
  fillData: DataFiller,
  open: OpenUse,
  trace: Trace,
): Promise<MadeThings> {
  const made: MadeThings = { outputs: {}, warnings: [], isFinal: true };
  for (const name of request.names) {
    const own = request.found[name];
    if (own) {
      Object.assign(made.outputs, "product" in own ? { product: own.product } : { menu: own.menu });
      if (own.leftOut > 0)
        made.warnings.push(`The page has more than the output ${name} holds: ${own.leftOut} were left out.`);
      continue;
    }
    const told = open ? await ask(name, request, fillData, open, trace) : null;
    const thing = told ? thingOf(name, told.data, request.url) : null;
    if (thing) Object.assign(made.outputs, { [name]: thing });
    else made.warnings.push(nothing[name]);
    if (told?.failure) made.isFinal = false;
  }
  return made;
}

function ask(
  name: ThingName,
  { url, text: shown }: ThingRequest,
  fillData: DataFiller,
  open: OpenUse,
  trace: Trace,
): Promise<FilledByModel | null> {
  const pages = [{ url, finding: null, text: shown }];
  return fillData({ schema: schemas[name], prompt: null, pages }, open, trace);
}

type Data = Record<string, unknown>;

function thingOf(name: ThingName, data: unknown, url: string): ProductThing | MenuThing | null {
  if (typeof data !== "object" || data === null) return null;
  return name === "product" ? productOf(data as Data, url) : menuOf(data as Data, url);
}

function productOf(data: Data, url: string): ProductThing | null {
  const title = textIn(data.title);
  const rows = rowsIn(data.variants).slice(0, maxVariants);
  if (title === "" || !rows.some((row) => typeof row.price === "number")) return null;
  const currency = textIn(data.currency);
  const variants = rows.map((row, index) => ({
    id: textIn(row.sku) || String(index + 1),
    ...optional("sku", textIn(row.sku)),
    title: textIn(row.title) || title,
    values: {},
    ...(typeof row.price === "number"
      ? {
          price: {
            amount: row.price,
            ...optional("currency", currency),
            formatted: `${currency} ${row.price}`.trim(),
          },
        }
      : {}),
    ...(typeof row.inStock === "boolean"
      ? { availability: { inStock: row.inStock, text: row.inStock ? "InStock" : "OutOfStock" } }
      : {}),
    images: [],
  }));
  const texts = ["brand", "category", "description"] as const;
  return { title, ...Object.assign({}, ...texts.map((each) => optional(each, textIn(data[each])))), url, variants };
}

function menuOf(data: Data, url: string): MenuThing | null {
  const sections: MenuThing["sections"] = [];
  for (const row of rowsIn(data.items).slice(0, maxDishes)) {
    const name = textIn(row.section);
    let section = sections.find((each) => each.name === name);
    if (!section) {
      section = { id: String(sections.length + 1), name, items: [] };
      sections.push(section);
    }
    section.items.push({
      id: `${section.id}.${section.items.length + 1}`,
      name: textIn(row.name),
      ...optional("description", textIn(row.description)),
      ...(typeof row.price === "number" ? { price: row.price } : {}),
    });
  }
  if (sections.length === 0) return null;
  const facts = {
    ...optional("merchant", textIn(data.merchant)),
    ...optional("currency", textIn(data.currency)),
  };
  return { isMenu: true, confidence: modelConfidence, ...facts, sections, sourceUrl: url };
}

function rowsIn(value: unknown): Data[] {
  return Array.isArray(value) ? value.filter((row): row is Data => typeof row === "object" && row !== null) : [];
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function optional<Name extends string>(name: Name, value: string): { [Key in Name]?: string } {
  return value === "" ? {} : ({ [name]: value } as { [Key in Name]?: string });
}
