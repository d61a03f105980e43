// Callers' schemas: which are taken, and that none of them can stop the server.
import { afterAll, describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { createExtractor } from "../threads/extractor.ts";
import { findExcess } from "./schema-bounds.ts";
import { compileSchema } from "./validator.ts";
import { readWanted } from "./wanted.ts";

const extractor = createExtractor();
afterAll(() => extractor.close());

function nested(depth: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = { type: "object", properties: { below: schema } };
  return schema;
}

describe("checkSchema", () => {
  it.each<[string, Record<string, unknown>]>([
    ["no rule at all", {}],
    ["an object", { type: "object", properties: { a: { type: "string", format: "date" } }, required: ["a"] }],
    [
      "the dialect of zod",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
        additionalProperties: false,
      },
    ],
    [
      "draft 7 with definitions",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { a: { type: "number" } },
        properties: { b: { $ref: "#/definitions/a" } },
      },
    ],
    [
      "a schema that holds itself",
      { $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } }, $ref: "#/$defs/node" },
    ],
    ["a pattern that only JavaScript knows", { type: "string", pattern: "^(?!x)(?=.*a).*$" }],
    ["a format nobody knows", { type: "string", format: "colour-of-the-day" }],
  ])("takes %s", async (_, schema) => {
    expect(await extractor.checkSchema(schema)).toEqual({ ok: true });
  });

  it.each<[string, unknown, RegExp]>([
    ["no object", "string", /is an object/],
    ["an unknown type", { type: "text" }, /Not a valid JSON Schema/],
    ["properties that are no object", { type: "object", properties: 5 }, /Not a valid JSON Schema/],
    ["1 MB", { description: "x".repeat(1024 * 1024) }, /at most 262144 characters/],
    ["too many values", { enum: Array.from({ length: 30_000 }, (_, value) => value) }, /at most 20000 values/],
    ["200 levels", nested(200), /nested at most 64/],
    ["a reference to elsewhere", { $ref: "https://example.com/schema.json" }, /within the schema only/],
    ["a reference to a file", { properties: { a: { $ref: "other.json#/a" } } }, /within the schema only/],
    ["a reference to nothing", { $ref: "#/$defs/missing" }, /Not a valid JSON Schema/],
    ["a pattern that is none", { type: "string", pattern: "(" }, /Not a valid JSON Schema/],
  ])("refuses %s", async (_, schema, message) => {
    expect(await extractor.checkSchema(schema)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  it("says where the fault is", () => {
    expect(findExcess({ properties: { a: { $ref: "http://x.test/" } } })).toMatchObject({
      path: ["properties", "a", "$ref"],
    });
  });
});

describe("the validator", () => {
  it.each([
    ["(a+)+$", "linear engine"],
    ["^(?=(a+)+$)b", "engine with a time limit"],
  ])("is not stopped by %s (%s)", (pattern) => {
    const validator = compileSchema({ type: "string", pattern });
    const spentMs = startCpuTimer();
    expect(validator.ok && validator.errorsOf(`${"a".repeat(5000)}!`)).toHaveLength(1);
    expect(spentMs()).toBeLessThan(3000);
  });
});

describe("readWanted", () => {
  it("follows references, joins allOf, and tells nullable fields", () => {
    const wanted = readWanted({
      $defs: { money: { type: "number", description: "Price" } },
      allOf: [
        { properties: { price: { $ref: "#/$defs/money" } } },
        { properties: { tags: { type: "array", items: { type: "string" } } }, required: ["tags"] },
      ],
      properties: { note: { type: ["string", "null"] }, kind: { const: "a" } },
    });
    expect(
      wanted.fields.map(({ name, kind, types, isNullable, isRequired }) => ({
        name,
        kind,
        types,
        isNullable,
        isRequired,
      })),
    ).toEqual([
      { name: "note", kind: "scalar", types: ["string"], isNullable: true, isRequired: false },
      { name: "kind", kind: "scalar", types: ["string"], isNullable: false, isRequired: false },
      { name: "price", kind: "scalar", types: ["number"], isNullable: false, isRequired: false },
      { name: "tags", kind: "list", types: [], isNullable: false, isRequired: true },
    ]);
  });

  it("ends with schemas that hold themselves, and with ones that grow", () => {
    const node = {
      type: "object",
      properties: Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, { $ref: "#" }])),
    };
    const spentMs = startCpuTimer();
    readWanted(node);
    expect(spentMs()).toBeLessThan(2000);
  });
});
