// Where values break schemas, as a model is told it.
import { describe, expect, it } from "vitest";
import { findProblems } from "./problems.ts";

const offer = {
  type: "object",
  properties: { price: { type: "number" }, shop: { type: "string" } },
  required: ["price"],
  additionalProperties: false,
};
const schema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    "a/b~c": { type: "integer" },
    offers: { type: "array", items: offer, maxItems: 2 },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true },
    contact: {
      anyOf: [
        { type: "object", required: ["email"] },
        { type: "object", required: ["phone"] },
      ],
    },
    size: { oneOf: [{ type: "number" }, { enum: ["small", "large"] }] },
  },
  required: ["name"],
};

describe("problems of a value", () => {
  it.each<[string, unknown, unknown[]]>([
    ["none", { name: "Lamp", offers: [{ price: 1 }], size: "small" }, []],
    ["a required field that is absent", {}, [{ path: ["name"], kind: "missing" }]],
    [
      "one within a list",
      { name: "Lamp", offers: [{ price: 1 }, { shop: "A" }] },
      [{ path: ["offers", 1, "price"], kind: "missing" }],
    ],
    ["a wrong type", { name: "Lamp", offers: [{ price: "1" }] }, [{ path: ["offers", 0, "price"], kind: "wrong" }]],
    ["a field too many", { name: "Lamp", offers: [{ price: 1, x: 2 }] }, [{ path: ["offers", 0, "x"], kind: "wrong" }]],
    [
      "items too many",
      { name: "Lamp", offers: [{ price: 1 }, { price: 2 }, { price: 3 }, { price: 4 }] },
      [
        { path: ["offers", 2], kind: "wrong" },
        { path: ["offers", 3], kind: "wrong" },
      ],
    ],
    ["an item twice", { name: "Lamp", tags: ["a", "b", "a"] }, [{ path: ["tags", 2], kind: "wrong" }]],
    ["a name with signs of its own", { name: "Lamp", "a/b~c": "x" }, [{ path: ["a/b~c"], kind: "wrong" }]],
    ["no alternative fits", { name: "Lamp", size: "huge" }, [{ path: ["size"], kind: "wrong" }]],
    [
      "no alternative fits, because something is absent",
      { name: "Lamp", contact: {} },
      [
        { path: ["contact", "email"], kind: "missing" },
        { path: ["contact", "phone"], kind: "missing" },
      ],
    ],
    ["another kind of value", "Lamp", [{ path: [], kind: "wrong" }]],
  ])("%s", (_what, value, problems) => {
    const found = findProblems({ schema, value });
    expect(found).toEqual(problems.map((problem) => ({ ...(problem as object), message: expect.any(String) })));
  });
});
