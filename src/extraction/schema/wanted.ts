// A caller's JSON Schema as the fields that are looked for: references followed, alternatives joined, depth bounded.
import { isObject } from "../../base/index.ts";
import { wordsOfName } from "../lexicon/names.ts";

export type ScalarType = "string" | "number" | "integer" | "boolean";

export interface Wanted {
  kind: "scalar" | "object" | "list";
  name: string;
  /** Words of the name: "datePosted" -> date, posted. */
  words: string[];
  description: string;
  /** For scalars, those that the schema allows; any when it says nothing. */
  types: ScalarType[];
  choices: unknown[] | null;
  format: string;
  isNullable: boolean;
  isRequired: boolean;
  /** Of objects. */
  fields: Wanted[];
  /** Of lists. */
  items: Wanted | null;
}

type Schema = Record<string, unknown>;

const maxDepth = 8;
const maxFields = 500;
const scalarTypes: ScalarType[] = ["string", "number", "integer", "boolean"];

/** What a schema asks for. The schema was checked before, but nothing of it is taken for granted. */
export function readWanted(schema: Schema): Wanted {
  let fields = 0;

  function resolve(schema: unknown, depth = 0): Schema {
    if (!isObject(schema) || depth > maxDepth) return {};
    let own: Schema = schema;
    const target = typeof schema.$ref === "string" ? lookUp(schema.$ref) : null;
    if (target) own = { ...resolve(target, depth + 1), ...schema };
    for (const part of listOf(schema.allOf)) own = join(own, resolve(part, depth + 1));
    return own;
  }

  function lookUp(reference: string): unknown {
    if (reference === "#") return schema;
    let place: unknown = schema;
    for (const step of reference.replace(/^#\//, "").split("/")) {
      const key = decodeStep(step);
      if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return null;
      place = (place as Record<string, unknown>)[key];
    }
    return place;
  }

  function read(written: unknown, name: string, isRequired: boolean, depth: number): Wanted {
    fields += 1;
    const own = resolve(written);
    const branches = [...listOf(own.anyOf), ...listOf(own.oneOf)].map((branch) => resolve(branch));
    const all = [own, ...branches];
    const types = new Set(all.flatMap((one) => listOf(one.type).filter((type) => typeof type === "string")));
    const isNullable = types.has("null") || own.nullable === true || all.some((one) => listOf(one.enum).includes(null));
    const holder = all.find(
      (one) => isObject(one.properties) || one.type === "object" || listOf(one.type).includes("object"),
    );
    const list = all.find(
      (one) => isObject(one.items) || Array.isArray(one.prefixItems) || listOf(one.type).includes("array"),
    );
    const choices = choicesOf(all);
    const wanted: Wanted = {
      kind: holder ? "object" : list ? "list" : "scalar",
      name,
      words: wordsOfName(name),
      description:
        textOf(own.description) || textOf(own.title) || textOf(branches.find((one) => one.description)?.description),
      types: scalarTypes.filter((type) => types.has(type)),
      choices,
      format: textOf(own.format) || textOf(branches.find((one) => one.format)?.format),
      isNullable,
      isRequired,
      fields: [],
      items: null,
    };
    if (wanted.types.length === 0 && choices) wanted.types = typesOfThing(choices);
    if (depth >= maxDepth || fields > maxFields) return wanted;
    if (holder && isObject(holder.properties)) {
      const required = new Set(listOf(holder.required));
      wanted.fields = Object.entries(holder.properties)
        .slice(0, maxFields)
        .map(([key, below]) => read(below, key, required.has(key), depth + 1));
    } else if (list) {
      const items = isObject(list.items) ? list.items : listOf(list.prefixItems ?? list.items)[0];
      wanted.items = read(items ?? {}, name, true, depth + 1);
      wanted.items.description ||= wanted.description;
    }
    return wanted;
  }

  return read(schema, textOf(schema.title), true, 0);
}

function join(one: Schema, other: Schema): Schema {
  const properties = {
    ...(isObject(one.properties) ? one.properties : {}),
    ...(isObject(other.properties) ? other.properties : {}),
  };
  const required = [...listOf(one.required), ...listOf(other.required)];
  return { ...other, ...one, ...(Object.keys(properties).length > 0 ? { properties } : {}), required };
}

function choicesOf(schemas: readonly Schema[]): unknown[] | null {
  const choices = schemas.flatMap((one) => ("const" in one ? [one.const] : listOf(one.enum)));
  return choices.length > 0 ? choices.filter((choice) => choice !== null) : null;
}

function typesOfThing(choices: readonly unknown[]): ScalarType[] {
  return scalarTypes.filter((type) => choices.some((choice) => typeof choice === type));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function decodeStep(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // Taken as it is written.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
