// Values of the wrong type that can only mean one thing: "12" for a number, one item for a list. Nothing is guessed.
import { isObject } from "../base/index.ts";
import type { JsonObject } from "./model.ts";
import { mergeAll, propertiesOf, resolve, schemaTypes } from "./strict-schema.ts";

const maxDepth = 100;

export function coerceTypes(schema: JsonObject): (value: unknown) => unknown {
  return (value) => coerce(value, schema, schema, 0);
}

function coerce(value: unknown, given: unknown, root: JsonObject, depth: number): unknown {
  const schema = mergeAll(resolve(given, root), root);
  if (depth > maxDepth || schema.anyOf !== undefined || schema.oneOf !== undefined) return value;
  const types = schemaTypes(schema);
  if (types.length === 0 || value === null) return value;
  if (Array.isArray(value)) {
    if (types.includes("array")) return value.map((item) => coerce(item, schema.items, root, depth + 1));
    return value.length === 1 && !types.includes("object") ? asType(value[0], types) : value;
  }
  if (isObject(value) && types.includes("object")) {
    const fields = propertiesOf(schema);
    const entries = Object.entries(value).map(([name, below]) => {
      const own = Object.hasOwn(fields, name) ? fields[name] : {};
      return [name, coerce(below, own, root, depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }
  if (types.includes("array") && types.every((type) => type === "array" || type === "null")) {
    return [coerce(value, schema.items, root, depth + 1)];
  }
  return asType(value, types);
}

function asType(value: unknown, types: readonly string[]): unknown {
  const wantsNumber = types.includes("number") || types.includes("integer");
  if (typeof value === "string" && !types.includes("string")) {
    const text = value.trim();
    if (wantsNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
    if (types.includes("boolean") && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
    return value;
  }
  const isScalar = typeof value === "number" || typeof value === "boolean";
  const isWanted = typeof value === "number" ? wantsNumber : types.includes("boolean");
  return isScalar && !isWanted && types.includes("string") ? String(value) : value;
}
