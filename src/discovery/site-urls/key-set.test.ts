import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeySet } from "./key-set.ts";

const add = (keys: ReturnType<typeof createKeySet>, host: string, rest: string) =>
  keys.add({ host, restFrom: 0, skipped: -1 }, Buffer.from(rest), rest.length);

describe("a set of keys", () => {
  it("answers as a set of texts does", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000 }), (texts) => {
        const [keys, set] = [createKeySet(), new Set<string>()];
        for (const text of texts) {
          const cut = Math.floor(text.length / 2);
          expect(add(keys, text.slice(0, cut), text.slice(cut))).toBe(!set.has(text));
          set.add(text);
        }
      }),
    );
  });

  it("tells 200,000 URLs apart that differ in a digit or two", () => {
    const keys = createKeySet();
    const pages = Array.from({ length: 100_000 }, (_, page) => page);
    const addAll = (host: string, folder: string) => pages.filter((page) => add(keys, host, `${folder}${page}`)).length;
    expect([addAll("example.com", "/product/"), addAll("example.org", "/product/")]).toEqual([100_000, 100_000]);
    expect(addAll("example.com/", "product/")).toBe(0);
  });

  it("leaves out the slash that makes no difference", () => {
    const keys = createKeySet();
    const addUrl = (url: string, skipped: number) =>
      keys.add({ host: "example.com", restFrom: 19, skipped }, Buffer.from(url), url.length);
    expect(addUrl("https://example.com/a/?b=/", 21)).toBe(true);
    expect(addUrl("https://example.com/a?b=/", -1)).toBe(false);
    expect(addUrl("https://example.com/a/?b=", 21)).toBe(true);
  });
});
