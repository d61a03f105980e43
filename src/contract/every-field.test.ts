// Walks the JSON Schema of every request: a value of a wrong type or outside its bounds must be refused with the
// path of exactly that field, and an unknown field must be named, at any depth.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpoints } from "./operations/all-endpoints.ts";
import { flattenIssues } from "./requests/issues.ts";
import { readRequest } from "./requests/read-request.ts";
import type { Endpoint } from "./table/endpoint.ts";

interface Schema {
  description?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

/** A key, an index, or what the object at this place must have as its type or channel. */
type Step = string | number | { kind: string; key: string };
type Path = Step[];
interface Case {
  path: Path;
  value: unknown;
  why: string;
}

const wrongValues: Record<string, unknown> = {
  string: "text",
  number: 1.5,
  boolean: true,
  object: {},
  array: [],
  null: null,
};

class Walk {
  readonly cases: Case[] = [];
  readonly objects: Path[] = [];
  readonly undescribed: Path[] = [];
  private readonly root: Schema;

  constructor(root: Schema) {
    this.root = root;
  }

  resolve(schema: Schema): Schema {
    if (!schema.$ref) return schema;
    return this.resolve(this.root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {});
  }

  /** The alternatives of a schema; one for a plain schema. */
  alternatives(schema: Schema): Schema[] {
    const resolved = this.resolve(schema);
    const inner = resolved.anyOf ?? resolved.oneOf;
    return inner ? inner.flatMap((one) => this.alternatives(one)) : [resolved];
  }

  typesOf(schema: Schema): string[] {
    if (schema.const !== undefined) return [typeof schema.const];
    return [schema.type ?? []].flat();
  }

  visit(schema: Schema, path: Path): void {
    const alternatives = this.alternatives(schema);
    const types = alternatives.flatMap((one) => this.typesOf(one));
    if (types.length === 0) return;
    for (const [type, value] of Object.entries(wrongValues)) {
      const isTaken = types.includes(type) || (type === "number" && types.includes("integer"));
      if (!isTaken) this.cases.push({ path, value, why: `a value of type ${type}` });
    }
    if (types.includes("integer") && !types.includes("number"))
      this.cases.push({ path, value: 1.5, why: "a fraction" });
    for (const one of alternatives) this.visitBounds(one, path, alternatives.length);
    for (const one of alternatives) this.visitInside(one, path);
  }

  visitBounds(schema: Schema, path: Path, count: number): void {
    const add = (value: unknown, why: string) => this.cases.push({ path, value, why });
    if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER)
      add(schema.minimum - 1, "below minimum");
    if (schema.exclusiveMinimum !== undefined) add(schema.exclusiveMinimum, "at an excluded minimum");
    if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER)
      add(schema.maximum + 1, "above maximum");
    if (schema.minLength !== undefined) add("", "too short");
    if (schema.maxLength !== undefined && count === 1) add("a".repeat(schema.maxLength + 1), "too long");
    if (schema.minItems !== undefined) add([], "too few");
    if (schema.maxItems !== undefined) add(new Array(schema.maxItems + 1).fill("pdf"), "too many");
    if (schema.enum && count === 1) add("no such value", "not one of the values");
  }

  visitInside(schema: Schema, path: Path): void {
    if (schema.items) this.visit(schema.items, [...path, 0]);
    if (!schema.properties) return;
    const key = schema.properties.type?.const === undefined ? "channel" : "type";
    const kind = schema.properties[key]?.const;
    const here: Path = kind === undefined ? path : [...path, { kind: String(kind), key }];
    this.objects.push(here);
    for (const [name, field] of Object.entries(schema.properties)) {
      if (field.const !== undefined) continue;
      if (!(field.description ?? this.resolve(field).description)) this.undescribed.push([...here, name]);
      this.visit(field, [...here, name]);
    }
  }
}

/** Where in a JSON Schema there are lists of any length. */
function endlessLists(schema: unknown, place = "#"): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) => endlessLists(value, `${place}/${key}`));
  const isEndless = "type" in schema && [schema.type].flat().includes("array") && !("maxItems" in schema);
  return isEndless ? [place, ...inner] : inner;
}

/** A body that holds `value` at `path`. */
function place([step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  const inner = place(rest, value);
  if (typeof step === "object") return { [step.key]: step.kind, ...(inner as object) };
  return typeof step === "number" ? [inner] : { [step]: inner };
}

const plain = (path: Path) => path.filter((step) => typeof step !== "object");

function issuesAt(row: Endpoint, part: "query" | "body", value: unknown) {
  // The other parts do not matter: issues of all parts are reported together.
  const reading = readRequest(row, { [part]: value });
  return reading.ok ? [] : reading.issues;
}

const requests = (endpoints as readonly Endpoint[]).flatMap((row) =>
  (["query", "body"] as const).flatMap((part) => {
    const schema = row[part];
    return schema && row.bodyKind !== "raw"
      ? [{ row, part, schema, name: `${part} of ${row.method} ${row.path}` }]
      : [];
  }),
);

describe.each(requests)("$name", ({ row, part, schema }) => {
  const walk = new Walk(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema);
  walk.visitInside(walk.resolve(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema), []);

  test("refuses wrong values with the path of their field", () => {
    const missed = walk.cases.filter(({ path, value }) => {
      const wanted = plain(path).join(".");
      return !issuesAt(row, part, place(path, value)).some((issue) => issue.path.join(".") === wanted);
    });
    expect(missed.map(({ path, why }) => `${plain(path).join(".")}: ${why}`)).toEqual([]);
  });

  test("says what a field takes in words, not in the types of a library", () => {
    const messages = walk.cases.flatMap(({ path, value }) => issuesAt(row, part, place(path, value)));
    const foreign = messages.filter(({ message }) =>
      /^Invalid (?:input|option|discriminator)|^Too (?:big|small)|expected .* received|\b(?:string|boolean|array|enum)\b/.test(
        message,
      ),
    );
    expect(foreign).toEqual([]);
  });

  test("bounds every list", () => {
    expect(endlessLists(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))).toEqual([]);
  });

  test("refuses a list with one entry too many before it looks at the entries", () => {
    for (const { path, value } of walk.cases.filter(({ why }) => why === "too many")) {
      const inside = plain(path).join(".");
      const issues = issuesAt(row, part, place(path, value)).filter((issue) => issue.path.join(".").startsWith(inside));
      expect(issues).toMatchObject([{ code: "too_big", path: plain(path) }]);
    }
  });

  test("says what every field is for", () => {
    expect(walk.undescribed).toEqual([]);
  });

  test("notices unknown fields at any depth", () => {
    const unnoticed = walk.objects.filter((path) => {
      const value = place([...path, "noSuchField"], 1);
      const issues = flattenIssues(schema.safeParse(value).error?.issues ?? [], value);
      return !issues.some(
        (issue) => issue.path.join(".") === plain(path).join(".") && issue.unknownKeys.includes("noSuchField"),
      );
    });
    expect(unnoticed).toEqual([]);
  });
});

test("an endless list is found wherever it hides", () => {
  const hidden = z.object({ a: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional() });
  expect(endlessLists(z.toJSONSchema(hidden))).toEqual(["#/properties/a/additionalProperties/anyOf/1"]);
});

test("the walk reaches nested fields", () => {
  const crawl = requests.find(({ row }) => row.path === "/v2/crawl" && row.method === "POST");
  const json = z.toJSONSchema(crawl?.schema ?? z.never(), { io: "input", unrepresentable: "any" }) as Schema;
  const walk = new Walk(json);
  walk.visitInside(json, []);
  const paths = new Set(walk.cases.map(({ path }) => plain(path).join(".")));
  expect(paths).toContain("scrapeOptions.formats.0.viewport.width");
  expect(paths).toContain("scrapeOptions.actions.0.milliseconds");
  expect(paths).toContain("webhook.events.0");
  expect(paths.size).toBeGreaterThan(80);
});
