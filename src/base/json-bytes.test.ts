import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonBytes } from "./json-bytes.ts";

const characters = ["a", "b ", '"', "\\", "\n", "\t", "\r", "\b", "\f", "é", "語", "😀", "\u007f", "\u0080", "\u2028"];
const rare = ["\u0000", "\u001f", "\u000b", "\ud83d", "\udc00"];
const long = (signs: readonly string[]) =>
  fc.array(fc.constantFrom(...signs), { minLength: 600, maxLength: 900 }).map((each) => each.join(""));
const values = fc.oneof(
  long(characters),
  long([...characters, ...rare]),
  fc.string(),
  fc.jsonValue(),
  fc.constant(undefined),
);

it("JSON as bytes is what JSON.stringify writes", () => {
  const names = fc.oneof(fc.string(), fc.constantFrom("toString", "constructor", "__proto__"));
  const objects = fc.dictionary(names, values, { maxKeys: 5 });
  fc.assert(
    fc.property(objects, (object) => {
      expect(jsonBytes(object).toString()).toBe(JSON.stringify(object));
    }),
    { numRuns: 300 },
  );
});

it("every character below 0x300 is written as JSON.stringify writes it, wherever it stands", () => {
  for (let code = 0; code < 0x300; code += 1) {
    for (let before = 0; before < 4; before += 1) {
      const object = { text: `${"x".repeat(600 + before)}${String.fromCharCode(code)}${"y".repeat(5)}` };
      expect(jsonBytes(object).toString()).toBe(JSON.stringify(object));
    }
  }
});

it("texts beyond the room are written, too", () => {
  const object = { markdown: "語\n".repeat(40_000), html: '"'.repeat(64 * 1024) };
  expect(jsonBytes(object).toString()).toBe(JSON.stringify(object));
});
