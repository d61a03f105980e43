// What is left for a model to read, and what it said as findings.
import { describe, expect, it } from "vitest";
import type { FilledData } from "../findings/finding.ts";
import { foundOf } from "./model-values.ts";
import { findOpenParts, splitLists } from "./open-parts.ts";

const item = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
    items: { type: "array", items: item },
  },
  required: ["name", "items"],
  additionalProperties: false,
  minProperties: 2,
};

function filled(data: unknown, confidences: Record<string, number>, missing: string[] = []): FilledData {
  const place = { url: "u", method: "label", selector: "", text: "" } as const;
  const evidence = Object.fromEntries(
    Object.entries(confidences).map(([path, confidence]) => [path, { ...place, confidence }]),
  );
  return { data, evidence, sources: {}, missing };
}

const whole = { name: "A", address: { street: "S", city: "C" }, items: [{ name: "x", price: 1 }] };
const sure = { name: 0.9, "address.street": 0.8, "address.city": 0.8, "items[0].name": 0.7, "items[0].price": 0.7 };

describe("open parts of a schema", () => {
  it("are empty when every value is there and sure", () => {
    expect(findOpenParts(schema, filled(whole, sure))).toBeNull();
  });

  it("are fields that are missing or doubtful, whole, without rules about the others", () => {
    const missing = findOpenParts(schema, filled({ ...whole, address: { city: "C" } }, sure, ["address.street"]));
    expect(missing).toEqual({
      schema: {
        type: "object",
        properties: { address: schema.properties.address },
        required: [],
        additionalProperties: false,
      },
      doubtful: [],
    });
    const doubtful = findOpenParts(schema, filled(whole, { ...sure, name: 0.4, "items[0].name": 0.3 }));
    expect(doubtful).toMatchObject({ schema: { required: ["name", "items"] }, doubtful: ["items"] });
    expect(Object.keys(doubtful?.schema.properties as object)).toEqual(["name", "items"]);
  });

  it("are lists most of whose items lack the same field", () => {
    const items = [{ name: "x" }, { name: "y" }, { name: "z", price: 3 }];
    const open = findOpenParts(schema, filled({ ...whole, items }, sure));
    expect(Object.keys(open?.schema.properties as object)).toEqual(["items"]);
    const most = [{ name: "x", price: 1 }, { name: "y", price: 2 }, { name: "z" }];
    expect(findOpenParts(schema, filled({ ...whole, items: most }, sure))).toBeNull();
  });

  it("are the whole of a schema that is put together of others, or of a list", () => {
    const composed = { allOf: [schema] };
    expect(findOpenParts(composed, filled(whole, sure))).toBeNull();
    expect(findOpenParts(composed, filled({}, {}, ["name"]))).toEqual({ schema: composed, doubtful: [] });
    const list = { type: "array", items: item };
    expect(findOpenParts(list, filled([{ name: "x", price: 1 }], sure))).toBeNull();
    expect(findOpenParts(list, filled([], {}, ["everything"]))).toEqual({ schema: list, doubtful: [] });
  });

  it("are told apart into lists and the rest", () => {
    const { lists, rest } = splitLists(schema);
    expect(lists).toMatchObject({ properties: { items: schema.properties.items }, required: ["items"] });
    expect(Object.keys(rest?.properties as object)).toEqual(["name", "address"]);
    const list = { type: "array", items: item };
    expect(splitLists(list)).toEqual({ lists: list, rest: null });
  });
});

describe("what a model said", () => {
  it("has its passage as evidence; nulls, empty texts and empty objects are nothing", () => {
    const value = { a: "x", b: null, c: "", list: [{}, { d: true }, { d: null }] };
    const passage = { url: "p", text: "x stands here" };
    expect(foundOf(value, { a: passage })).toEqual({
      kind: "object",
      fields: {
        a: { kind: "value", value: "x", place: { method: "model", selector: "", confidence: 0.7, ...passage } },
        list: {
          kind: "list",
          items: [
            {
              kind: "object",
              fields: {
                d: { kind: "value", value: true, place: { method: "model", selector: "", text: "", confidence: 0.5 } },
              },
            },
          ],
        },
      },
    });
    expect(foundOf({ a: null, list: [] }, {})).toBeNull();
    expect(foundOf(JSON.parse('{"__proto__": {"a": 1}}'), {})).toMatchObject({ kind: "object" });
  });
});
