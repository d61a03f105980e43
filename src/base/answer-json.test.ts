import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinObjectTexts, toJson, withFieldJson } from "./answer-json.ts";

describe("an answer that carries the text of a field", () => {
  it("is written as JSON.stringify writes it", () => {
    const anything = fc.record({ success: fc.boolean(), data: fc.object(), warning: fc.option(fc.string()) });
    fc.assert(
      fc.property(anything, (answer) => {
        const expected = JSON.stringify(answer);
        expect(toJson(withFieldJson(answer, { data: () => JSON.stringify(answer.data) }))).toBe(expected);
      }),
    );
  });

  it("cannot be changed, and neither can the field: the text stays true", () => {
    const answer = withFieldJson({ success: true, data: { markdown: "one" } }, { data: () => '{"markdown":"one"}' });
    expect(() => Object.assign(answer, { success: false })).toThrow(TypeError);
    expect(() => Object.assign(answer.data, { markdown: "two" })).toThrow(TypeError);
  });

  it("does not pass its texts on to a copy", () => {
    const answer = withFieldJson({ data: { markdown: "one" } }, { data: () => '{"markdown":"one"}' });
    expect(toJson({ ...answer, data: { markdown: "two" } })).toBe('{"data":{"markdown":"two"}}');
  });

  it("leaves out what JSON leaves out", () => {
    expect(toJson(withFieldJson({ data: {}, warning: undefined }, { data: () => "{}" }))).toBe('{"data":{}}');
  });
});

it("any other answer is written by JSON.stringify", () => {
  for (const answer of [null, 5, "text", [1], { one: 1, none: undefined }])
    expect(toJson(answer)).toBe(JSON.stringify(answer));
});

it("joins the texts of two objects", () => {
  fc.assert(
    fc.property(fc.object(), fc.object(), (one, two) => {
      const [first, second] = [{ one }, { two }];
      expect(JSON.parse(joinObjectTexts(JSON.stringify(first), JSON.stringify(second)))).toEqual(
        JSON.parse(JSON.stringify({ ...first, ...second })),
      );
    }),
  );
  expect(joinObjectTexts("{}", '{"a":1}')).toBe('{"a":1}');
  expect(joinObjectTexts('{"a":1}', "{}")).toBe('{"a":1}');
});
