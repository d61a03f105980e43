// What all alternatives of a schema have is written beside them once: nine channels, each with the same six options.
import type { JsonSchema } from "./json-schema.ts";

interface Alternative extends JsonSchema {
  properties: JsonSchema;
  required?: string[];
}

/** Bytes that it has to save: fields in one place are read faster. */
const leastSaving = 500;

/** The same schemas, with the common fields of alternatives before them. */
export function withCommonFields<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((each) => withCommonFields(each)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const { oneOf } = value as JsonSchema;
  const schema = Array.isArray(oneOf) && oneOf.every(isOpenObject) ? hoisted(value as JsonSchema, oneOf) : value;
  return Object.fromEntries(Object.entries(schema).map(([word, each]) => [word, withCommonFields(each)])) as Value;
}

function isOpenObject(schema: JsonSchema): schema is Alternative {
  return schema.type === "object" && "properties" in schema && !("additionalProperties" in schema);
}

function hoisted(schema: JsonSchema, alternatives: readonly Alternative[]): JsonSchema {
  const common = Object.entries(alternatives[0]?.properties ?? {}).filter(([name, field]) =>
    alternatives.every(({ properties }) => JSON.stringify(properties[name]) === JSON.stringify(field)),
  );
  if (JSON.stringify(common).length * (alternatives.length - 1) < leastSaving) return schema;
  const names = new Set(common.map(([name]) => name));
  const always = [...names].filter((name) => alternatives.every(({ required = [] }) => required.includes(name)));
  const own = alternatives.map(({ properties, required = [], ...rest }) => ({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    required: required.filter((name) => !always.includes(name)),
  }));
  const required = always.length > 0 ? { required: always } : {};
  return { type: "object", ...schema, properties: Object.fromEntries(common), ...required, oneOf: own };
}
