import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinObjects, toJson, withFieldJson } from "./answer-json.ts";

const bytesOf = (value: object) => Buffer.from(JSON.stringify(value));

describe("an answer that carries the JSON of a field", () => {
  it("is written as JSON.stringify writes it", () => {
    const anything = fc.record({ success: fc.boolean(), data: fc.object(), warning: fc.option(fc.string()) });
    fc.assert(
      fc.property(anything, (answer) => {
        const expected = JSON.stringify(answer);
        expect(toJson(withFieldJson(answer, { data: () => bytesOf(answer.data) })).toString()).toBe(expected);
      }),
    );
  });

  it("cannot be changed, and neither can the field: the JSON stays true", () => {
    const data = { markdown: "one" };
    const answer = withFieldJson({ success: true, data }, { data: () => bytesOf(data) });
    expect(() => Object.assign(answer, { success: false })).toThrow(TypeError);
    expect(() => Object.assign(answer.data, { markdown: "two" })).toThrow(TypeError);
  });

  it("does not pass its JSON on to a copy", () => {
    const data = { markdown: "one" };
    const answer = withFieldJson({ data }, { data: () => bytesOf(data) });
    expect(toJson({ ...answer, data: { markdown: "two" } })).toBe('{"data":{"markdown":"two"}}');
  });

  it("leaves out what JSON leaves out", () => {
    const answer = withFieldJson({ data: {}, warning: undefined }, { data: () => bytesOf({}) });
    expect(toJson(answer).toString()).toBe('{"data":{}}');
  });
});

it("any other answer is written by JSON.stringify", () => {
  for (const answer of [null, 5, "text", [1], { one: 1, none: undefined }])
    expect(toJson(answer)).toBe(JSON.stringify(answer));
});

it("joins the JSON of two objects", () => {
  fc.assert(
    fc.property(fc.object(), fc.object(), (one, two) => {
      const [first, second] = [{ one }, { two }];
      expect(JSON.parse(joinObjects(bytesOf(first), JSON.stringify(second)).toString())).toEqual(
        JSON.parse(JSON.stringify({ ...first, ...second })),
      );
    }),
  );
  expect(joinObjects(bytesOf({}), '{"a":1}').toString()).toBe('{"a":1}');
  expect(joinObjects(bytesOf({ a: 1 }), "{}").toString()).toBe('{"a":1}');
});
