// A caller's schema as services want it on the wire (every field required and nullable, nothing additional, rules that
// they do not know in words), and the way back. Every field may be null, so that a model can say that a page lacks it.
import { isObject } from "../base/index.ts";
import type { JsonObject } from "./model.ts";

export interface WireSchema {
  schema: JsonObject;
  /** What the caller's schema means by an answer to the wire's. */
  fromWire(value: unknown): unknown;
}

const scalar: JsonObject = { type: ["string", "number", "boolean", "null"] };
const longestRule = 300;
/** References that lead only to each other end here. */
const maxReferences = 20;

export function toWireSchema(root: JsonObject): WireSchema {
  const names = new Map<string, string>();
  const definitions: Record<string, JsonObject> = {};

  /** A definition is rewritten once, however often it is used, itself included. */
  function refer(pointer: string): JsonObject {
    const known = names.get(pointer);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = `d${names.size}`;
    names.set(pointer, name);
    definitions[name] = rewrite(at(root, pointer));
    return { $ref: `#/$defs/${name}` };
  }

  function rewrite(given: unknown): JsonObject {
    if (!isObject(given)) return scalar;
    if (typeof given.$ref === "string") return refer(given.$ref);
    const schema = mergeAll(given, root);
    const description = describe(schema);
    const common = description === "" ? {} : { description };
    const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
    if (branches !== undefined) return { ...common, anyOf: branches.map(rewrite) };
    const choices = choicesOf(schema);
    if (choices !== null) return { ...common, enum: choices };
    const types = schemaTypes(schema);
    if (types.includes("object")) return { ...common, ...withNull(types, rewriteObject(schema)) };
    if (types.includes("array")) return { ...common, ...withNull(types, rewriteList(schema)) };
    if (types.length === 0) return { ...common, ...scalar };
    return { ...common, type: types.length === 1 ? types[0] : types };
  }

  function rewriteObject(schema: JsonObject): JsonObject {
    const pairs = pairsOf(schema);
    if (pairs !== null) {
      const item = { key: { type: "string" }, value: pairs === true ? scalar : rewrite(pairs) };
      const items = { type: "object", properties: item, required: ["key", "value"], additionalProperties: false };
      return { type: "array", items, description: "One entry for each field." };
    }
    const entries = Object.entries(propertiesOf(schema));
    return {
      type: "object",
      properties: Object.fromEntries(entries.map(([name, below]) => [name, nullable(rewrite(below))])),
      required: entries.map(([name]) => name),
      additionalProperties: false,
    };
  }

  function rewriteList(schema: JsonObject): JsonObject {
    const tuple = tupleOf(schema);
    if (tuple === null) return { type: "array", items: rewrite(schema.items) };
    return { type: "array", items: { anyOf: tuple.map(rewrite) } };
  }

  const isWrapped =
    !schemaTypes(mergeAll(resolve(root, root), root)).includes("object") || pairsOf(resolve(root, root)) !== null;
  const whole = isWrapped ? rewriteObject({ properties: { value: root } }) : rewrite(root);
  const schema = isObject(whole) && typeof whole.$ref === "string" ? (definitions.d0 as JsonObject) : whole;
  return {
    schema: names.size === 0 ? schema : { ...schema, $defs: definitions },
    fromWire: (value) => {
      const own = isWrapped && isObject(value) && "value" in value ? value.value : value;
      return readBack(own, root, root);
    },
  };
}

/** Nulls that stood for absent are removed, as are fields that the schema does not ask for; pairs are fields again. */
function readBack(value: unknown, given: unknown, root: JsonObject): unknown {
  const schema = mergeAll(resolve(given, root), root);
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray)?.map((each) => mergeAll(resolve(each, root), root));
  const all = branches ?? [schema];
  if (Array.isArray(value)) {
    const pairs = all.map(pairsOf).find((each) => each !== null);
    const isList = all.some((each) => schemaTypes(each).includes("array"));
    if (pairs !== undefined && !isList) return readPairs(value, pairs, root);
    const list = all.find((each) => schemaTypes(each).includes("array")) ?? {};
    const items = tupleOf(list);
    return value.flatMap((item, place) => {
      const below = items === null ? list.items : items[place];
      return item === null && !allowsNull(below, root) ? [] : [readBack(item, below, root)];
    });
  }
  if (!isObject(value)) return value;
  const isOpen = all.some(
    (each) => isObject(each.additionalProperties) || Object.keys(propertiesOf(each)).length === 0,
  );
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, below]): [string, unknown][] => {
      const holder = all.find((each) => Object.hasOwn(propertiesOf(each), name));
      // The caller did not ask for it.
      if (holder === undefined && !isOpen) return [];
      const own = holder && propertiesOf(holder)[name];
      return below === null && !allowsNull(own, root) ? [] : [[name, readBack(below, own, root)]];
    }),
  );
}

function readPairs(value: readonly unknown[], schema: unknown, root: JsonObject): unknown {
  return Object.fromEntries(
    value.flatMap((pair): [string, unknown][] =>
      isObject(pair) && typeof pair.key === "string" && pair.value !== null
        ? [[pair.key, readBack(pair.value, schema, root)]]
        : [],
    ),
  );
}

function allowsNull(given: unknown, root: JsonObject): boolean {
  const schema = resolve(given, root);
  if (!isObject(schema)) return false;
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (branches !== undefined) return branches.some((each) => allowsNull(each, root));
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  return schema.const === null || schema.nullable === true || schemaTypes(schema).includes("null");
}

/** Follows references within the schema. */
export function resolve(given: unknown, root: JsonObject): JsonObject {
  let schema = given;
  for (let steps = 0; steps < maxReferences && isObject(schema) && typeof schema.$ref === "string"; steps += 1) {
    schema = at(root, schema.$ref);
  }
  return isObject(schema) ? schema : {};
}

function at(root: JsonObject, pointer: string): unknown {
  let found: unknown = root;
  for (const part of pointer.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, name) ? (found as JsonObject)[name] : {};
  }
  return found;
}

/** allOf as one schema: fields together, of other rules the last. */
export function mergeAll(schema: JsonObject, root: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const parts = [schema, ...schema.allOf.map((each) => resolve(each, root))];
  const merged = Object.assign({}, ...parts.slice(1), { ...schema, allOf: undefined }) as Record<string, unknown>;
  const properties = parts.map(propertiesOf);
  if (properties.some((each) => Object.keys(each).length > 0)) merged.properties = Object.assign({}, ...properties);
  return merged;
}

/** What a schema says about types, or what its other rules imply. */
export function schemaTypes(schema: JsonObject): string[] {
  const { type } = schema;
  if (Array.isArray(type)) return type.map(String);
  if (typeof type === "string") return schema.nullable === true ? [type, "null"] : [type];
  if (isObject(schema.properties) || schema.additionalProperties !== undefined) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function withNull(types: readonly string[], schema: JsonObject): JsonObject {
  return types.includes("null") ? nullable(schema) : schema;
}

function nullable(schema: JsonObject): JsonObject {
  const { description, ...rest } = schema;
  const { type } = schema;
  if (Array.isArray(schema.enum))
    return schema.enum.includes(null) ? schema : { ...schema, enum: [...schema.enum, null] };
  if (Array.isArray(type)) return type.includes("null") ? schema : { ...schema, type: [...type, "null"] };
  if (typeof type === "string" && type !== "object" && type !== "array") return { ...schema, type: [type, "null"] };
  if (Array.isArray(schema.anyOf)) {
    const hasNull = schema.anyOf.some((each) => isObject(each) && each.type === "null");
    return hasNull ? schema : { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  }
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: "null" }] };
}

function choicesOf(schema: JsonObject): unknown[] | null {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) && schema.enum.length > 0 ? schema.enum : null;
}

/** Of an object whose field names are not fixed: the schema of its values, true when that is free, null otherwise. */
function pairsOf(schema: JsonObject): JsonObject | true | null {
  if (!schemaTypes(schema).includes("object") || Object.keys(propertiesOf(schema)).length > 0) return null;
  if (isObject(schema.additionalProperties)) return schema.additionalProperties;
  return schema.additionalProperties === false ? null : true;
}

function tupleOf({ prefixItems, items }: JsonObject): unknown[] | null {
  return ([prefixItems, items].find((each) => Array.isArray(each) && each.length > 0) as unknown[] | undefined) ?? null;
}

export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

/** Rules that services refuse or ignore. */
const rules = [
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "patternProperties",
  "dependentRequired",
  "not",
  "if",
  "then",
  "else",
];

function describe(schema: JsonObject): string {
  const own = [schema.description, schema.title].find((each) => typeof each === "string" && each !== "");
  const told = rules
    .filter((rule) => schema[rule] !== undefined)
    .map((rule) => `${rule}: ${JSON.stringify(schema[rule]).slice(0, longestRule)}`);
  return [own ?? "", told.length === 0 ? "" : `(${told.join(", ")})`].filter(Boolean).join(" ");
}
