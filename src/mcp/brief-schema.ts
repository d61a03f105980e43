// Schemas as a model reads them: every word takes room in its context, so bounds, rare options and what only a program needs are
// left out. What is left out is taken all the same.
import { isObject } from "../base/index.ts";
import type { JsonSchema } from "../contract/index.ts";
import { pageOptions } from "./tool.ts";

type Json = Record<string, unknown>;

/** Said by the server when they are broken. */
const bounds = ["minLength", "maxLength", "minItems", "maxItems", "pattern", "additionalProperties"];
/** Formats and actions that few calls need. */
const rareTypes = ["deterministicJson", "attributes", "chunks", "highlights", "query", "changeTracking", "generatePDF"];
const rareOptions = ["viewport", "quality", "checkPromptInjection", "scale", "landscape"];

/** `isWhole`: formats are listed with their options. */
export function briefSchema(name: string, schema: JsonSchema, isWhole: boolean): JsonSchema {
  if (name === "formats" && !isWhole) return namesOnly(schema);
  if (name !== "scrapeOptions") return plain(schema) as JsonSchema;
  const { properties = {}, description } = schema as { properties?: Record<string, JsonSchema>; description?: string };
  const shown = pageOptions.flatMap((option) =>
    properties[option] ? [[option, briefSchema(option, properties[option], false)]] : [],
  );
  return { type: "object", description, properties: Object.fromEntries(shown) } as JsonSchema;
}

/** The formats by name; their options are those of scrape. */
function namesOnly(schema: JsonSchema): JsonSchema {
  const names = (schema as { items?: { anyOf?: { enum?: string[] }[] } }).items?.anyOf?.[0]?.enum ?? [];
  return {
    type: "array",
    description: "Formats to return; with options as in scrape",
    items: { anyOf: [{ type: "string", enum: names }, { type: "object" }] },
  } as unknown as JsonSchema;
}

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (!isObject(schema)) return schema;
  const { properties, oneOf, anyOf, ...rest } = schema as Json;
  const kept = Object.entries(rest).filter(([name, value]) => !bounds.includes(name) && !isNothing(name, value));
  const made: Json = Object.fromEntries(kept.map(([name, value]) => [name, plain(value)]));
  if (isObject(properties)) {
    const shown = Object.entries(properties).filter(([name]) => !rareOptions.includes(name));
    made["properties"] = Object.fromEntries(shown.map(([name, value]) => [name, plain(value)]));
  }
  const alternatives = variantsOf(oneOf ?? anyOf);
  if (alternatives) made["anyOf"] = alternatives;
  return made;
}

/** Those with options: the others are said by their names. */
function variantsOf(variants: unknown): unknown[] | null {
  if (!Array.isArray(variants)) return null;
  const flat = variants.flatMap((each) => (isObject(each) && Array.isArray(each["oneOf"]) ? each["oneOf"] : [each]));
  const hasNames = flat.some((each) => isObject(each) && Array.isArray(each["enum"]));
  return flat.filter((each) => !isRare(each, hasNames)).map(plain);
}

function isRare(variant: unknown, hasNames: boolean): boolean {
  const { properties } = (variant ?? {}) as { properties?: { type?: { const?: string } } };
  const type = properties?.type?.const;
  if (type === undefined) return false;
  return rareTypes.includes(type) || (hasNames && Object.keys(properties ?? {}).length === 1);
}

/** Defaults that say nothing. */
function isNothing(name: string, value: unknown): boolean {
  if (name !== "default") return false;
  return value === null || value === false || (typeof value === "object" && Object.keys(value as object).length === 0);
}
