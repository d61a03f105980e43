import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extendObject, joinObjectTexts, knowJson, toJson } from "./known-json.ts";

const plain = fc.dictionary(
  fc.string().filter((name) => name !== "__proto__"),
  fc.jsonValue(),
  { maxKeys: 5 },
);

describe("an answer with objects whose text is known", () => {
  it("is written as JSON.stringify would write it", () => {
    fc.assert(
      fc.property(plain, plain, (answer, known) => {
        knowJson(known, JSON.stringify(known));
        const whole = { ...answer, known, missing: undefined };
        expect(toJson(whole)).toBe(JSON.stringify(whole));
      }),
    );
  });

  it("is not written anew", () => {
    const known = { long: "text" };
    knowJson(known, '{"kept":1}');
    expect(toJson({ success: true, data: known })).toBe('{"success":true,"data":{"kept":1}}');
  });

  it("is written whole where nothing is known, whatever it is", () => {
    for (const answer of [null, 1, "text", true, [1, { a: 2 }], {}, { a: { b: [] } }]) {
      expect(toJson(answer)).toBe(JSON.stringify(answer));
    }
  });
});

describe("an object that extends a known one", () => {
  it("is known too", () => {
    const known = { a: 1 };
    knowJson(known, '{"a":1}');
    const whole = extendObject(known, { b: "x" });
    expect(whole).toEqual({ a: 1, b: "x" });
    expect(toJson({ whole })).toBe('{"whole":{"a":1,"b":"x"}}');
  });

  it.each([
    ["{}", "{}", "{}"],
    ["{}", '{"a":1}', '{"a":1}'],
    ['{"a":1}', "{}", '{"a":1}'],
    ['{"a":1}', '{"b":2}', '{"a":1,"b":2}'],
  ])("joins %s and %s to %s", (first, second, whole) => {
    expect(joinObjectTexts(first, second)).toBe(whole);
  });
});
