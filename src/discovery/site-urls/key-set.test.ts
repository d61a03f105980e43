import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeySet } from "./key-set.ts";

describe("a set of keys", () => {
  it("answers as a set of texts does", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000 }), (texts) => {
        const [keys, set] = [createKeySet(), new Set<string>()];
        for (const text of texts) {
          const cut = Math.floor(text.length / 2);
          expect(keys.add([text.slice(0, cut), text.slice(cut)])).toBe(!set.has(text));
          set.add(text);
        }
      }),
    );
  });

  it("tells 200,000 URLs apart that differ in a digit or two", () => {
    const keys = createKeySet();
    for (const host of ["example.com", "example.org"]) {
      for (let page = 0; page < 100_000; page += 1) expect(keys.add([host, `/product/${page}`])).toBe(true);
    }
    for (let page = 0; page < 100_000; page += 1) expect(keys.add(["example.com/", `product/${page}`])).toBe(false);
  });
});
