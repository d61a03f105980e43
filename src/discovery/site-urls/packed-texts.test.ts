import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPackedTexts } from "./packed-texts.ts";
import { UrlBytes } from "./url-bytes.ts";

const bytes = new UrlBytes(65_535);

function push(packed: ReturnType<typeof createPackedTexts>, url: string, pathFrom = 0): void {
  bytes.write({ url, pathFrom });
  packed.push(bytes);
}

describe("packed texts", () => {
  it("come back as they were, whatever their lengths", () => {
    const length = fc.oneof(fc.nat(10), fc.nat(65_535));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "%", "/"), length), { maxLength: 60 }), (parts) => {
        const texts = parts.map(([letter, count]) => letter.repeat(count));
        const packed = createPackedTexts();
        for (const [index, text] of texts.entries()) push(packed, text, index % 3);
        expect(packed.length).toBe(texts.length);
        expect(texts.every((text, index) => packed.at(index) === text)).toBe(true);
        const codes = new Uint16Array(300);
        for (const [index, text] of texts.entries()) {
          const { length } = packed.copy(index, codes);
          expect(String.fromCharCode(...codes.subarray(0, length))).toBe(text.slice(0, 300));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("may be many", () => {
    const packed = createPackedTexts();
    for (let index = 0; index < 50_000; index += 1) {
      push(packed, `https://example.com/page/${index}`);
    }
    expect(packed.at(0)).toBe("https://example.com/page/0");
    expect(packed.at(49_999)).toBe("https://example.com/page/49999");
    expect(packed.sizeBytes).toBeGreaterThan(1_400_000);
  });

  it("are copied in any order, and say how much stayed as it was", () => {
    const part = fc.constantFrom("/a", "/ab", "/abc/", "/b", "x".repeat(100));
    const texts = fc.array(fc.array(part, { maxLength: 5 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(1000), { maxLength: 200 }), (parts, picks) => {
        const packed = createPackedTexts();
        const all = parts.map((one) => one.join(""));
        for (const [index, text] of all.entries()) push(packed, text, index % 2);
        const codes = new Uint16Array(200);
        let before = "";
        for (const pick of picks) {
          const index = pick % all.length;
          const { length, unchanged } = packed.copy(index, codes);
          const text = String.fromCharCode(...codes.subarray(0, length));
          expect(text).toBe((all[index] as string).slice(0, 200));
          expect(text.slice(0, unchanged)).toBe(before.slice(0, unchanged));
          before = text;
        }
      }),
    );
  });
});
