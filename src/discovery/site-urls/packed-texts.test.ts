import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPackedTexts } from "./packed-texts.ts";

describe("packed texts", () => {
  it("come back as they were, whatever their lengths", () => {
    const length = fc.oneof(fc.nat(10), fc.nat(65_535));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "%", "/"), length), { maxLength: 60 }), (parts) => {
        const texts = parts.map(([letter, count]) => letter.repeat(count));
        const packed = createPackedTexts();
        for (const text of texts) packed.push(Buffer.from(text), text.length);
        expect(packed.length).toBe(texts.length);
        expect(texts.every((text, index) => packed.at(index) === text)).toBe(true);
        const codes = new Uint16Array(300);
        for (const [index, text] of texts.entries()) {
          const size = packed.copy(index, codes);
          expect(String.fromCharCode(...codes.subarray(0, size))).toBe(text.slice(0, 300));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("may be many", () => {
    const packed = createPackedTexts();
    for (let index = 0; index < 50_000; index += 1) {
      const text = Buffer.from(`https://example.com/page/${index}`);
      packed.push(text, text.length);
    }
    expect(packed.at(0)).toBe("https://example.com/page/0");
    expect(packed.at(49_999)).toBe("https://example.com/page/49999");
    expect(packed.sizeBytes).toBeGreaterThan(1_400_000);
  });
});
