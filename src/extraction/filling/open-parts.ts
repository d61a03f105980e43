// What the pages' own data leaves open in a schema: fields without a value or with a doubtful one, lists with gaps.
import { isObject } from "../../base/index.ts";
import type { FilledData } from "../findings/finding.ts";

export type Schema = Record<string, unknown>;

export interface OpenParts {
  /** What is still missing, as a schema. */
  schema: Schema;
  /** Names of lists that were found, but give way to better ones. */
  doubtful: string[];
}

/** Values that are found with less confidence are asked for again. */
const leastConfidence = 0.5;
/** The keywords of an object that hold for any part of its fields. */
const kept = ["type", "title", "description", "additionalProperties", "$schema", "$defs", "definitions"];
const composed = ["$ref", "allOf", "anyOf", "oneOf"];

/** Null when nothing is left open. */
export function findOpenParts(schema: Schema, filled: FilledData): OpenParts | null {
  const { properties } = schema;
  if (!isObject(properties) || composed.some((keyword) => keyword in schema)) {
    const isOpen = filled.missing.length > 0 || isDoubtful("", filled) || lacksValues(filled.data, schema);
    return isOpen ? { schema, doubtful: [] } : null;
  }
  const data = isObject(filled.data) ? filled.data : {};
  const names = Object.keys(properties).filter((name) => {
    const isMissing = filled.missing.some((path) => path === name || path.startsWith(`${name}.`));
    return isMissing || isDoubtful(name, filled) || lacksValues(data[name], properties[name]);
  });
  if (names.length === 0) return null;
  return {
    schema: partOf(schema, properties, names),
    doubtful: names.filter((name) => Array.isArray(data[name]) && isDoubtful(name, filled)),
  };
}

/** The schema in two: its lists, which can be read part by part, and the rest; null for one without fields. */
export function splitLists(schema: Schema): { lists: Schema | null; rest: Schema | null } {
  const { properties } = schema;
  if (!isObject(properties)) return isList(schema) ? { lists: schema, rest: null } : { lists: null, rest: schema };
  const names = Object.keys(properties);
  const ofLists = names.filter((name) => isList(properties[name]));
  const others = names.filter((name) => !ofLists.includes(name));
  return {
    lists: ofLists.length > 0 ? partOf(schema, properties, ofLists) : null,
    rest: others.length > 0 ? partOf(schema, properties, others) : null,
  };
}

function partOf(schema: Schema, properties: Schema, names: readonly string[]): Schema {
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => names.includes(name)) : [];
  return {
    ...Object.fromEntries(kept.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]]] : []))),
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
    required,
  };
}

/** Whether a value of the field, or one below it, was found with little confidence. */
function isDoubtful(name: string, { evidence }: FilledData): boolean {
  return Object.entries(evidence).some(([path, { confidence }]) => {
    if (confidence >= leastConfidence || !path.startsWith(name)) return false;
    const next = path.charAt(name.length);
    return name === "" || next === "" || next === "." || next === "[";
  });
}

/** Whether most items of a list lack the same field. */
function lacksValues(list: unknown, schema: unknown): boolean {
  if (!Array.isArray(list) || list.length === 0 || !isObject(schema) || !isObject(schema.items)) return false;
  const { properties } = schema.items;
  if (!isObject(properties)) return false;
  return Object.keys(properties).some((name) => {
    const holders = list.filter((item) => isObject(item) && item[name] !== undefined && item[name] !== null);
    return holders.length * 2 < list.length;
  });
}

function isList(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const types = [schema.type].flat();
  return types.includes("array") && !types.includes("object");
}
