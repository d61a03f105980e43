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
        for (const text of texts) packed.push(text);
        expect(packed.length).toBe(texts.length);
        expect(texts.every((text, index) => packed.at(index) === text)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("may be many", () => {
    const packed = createPackedTexts();
    for (let index = 0; index < 50_000; index += 1) packed.push(`https://example.com/page/${index}`);
    expect(packed.at(0)).toBe("https://example.com/page/0");
    expect(packed.at(49_999)).toBe("https://example.com/page/49999");
    expect(packed.sizeBytes).toBeGreaterThan(1_400_000);
  });
});
