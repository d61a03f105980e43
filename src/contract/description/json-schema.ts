// Schemas of the contract as JSON Schema, for everything that shows or offers them.
import * as z from "zod";

export interface JsonSchema {
  [key: string]: unknown;
}

/** Shared schemas are in `$defs`; references to them begin with `base`. */
export function jsonSchemaOf(schema: z.ZodType, io: "input" | "output", base = "#/$defs/"): JsonSchema {
  const written = z.toJSONSchema(schema, { io, unrepresentable: "any", override: showDefault });
  return clean(written, base) as JsonSchema;
}

export function fieldNames(schema: z.ZodType | undefined): string[] {
  return schema === undefined ? [] : Object.keys(jsonSchemaOf(schema, "input").properties ?? {});
}

/** The default of a field whose schema transforms its value, as callers write it; zod would omit it. */
function showDefault({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (!("absentMeans" in jsonSchema)) return;
  jsonSchema.default = jsonSchema.absentMeans;
  delete jsonSchema.absentMeans;
}

/** Rewrites references, and drops `additionalProperties: false`: unknown fields are ignored with a warning. */
function clean(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((item) => clean(item, base));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => {
    if (key === "$schema" || key === "$id" || key === "id") return typeof item !== "string";
    if (key === "additionalProperties") return item !== false;
    // Names of properties are strings in any JSON.
    if (key === "propertyNames") return JSON.stringify(item) !== '{"type":"string"}';
    return !((key === "maximum" || key === "minimum") && Math.abs(item) === Number.MAX_SAFE_INTEGER);
  });
  return Object.fromEntries(
    kept.map(([key, item]) => [key, key === "$ref" ? String(item).replace("#/$defs/", base) : clean(item, base)]),
  );
}

/** The same schema with its references replaced by what they name. */
export function withoutReferences({ $defs = {}, ...schema }: JsonSchema): JsonSchema {
  const shared = $defs as Record<string, JsonSchema>;
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...own } = value as JsonSchema;
    const named = typeof $ref === "string" ? shared[$ref.replace("#/$defs/", "")] : undefined;
    return Object.fromEntries(
      Object.entries({ ...named, ...own }).map(([key, item]) => [key, key === "default" ? item : resolve(item)]),
    );
  };
  return resolve(schema) as JsonSchema;
}
