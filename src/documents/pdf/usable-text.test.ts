import { expect, it } from "vitest";
import type { Glyph, PageLayer } from "../layout/page-layer.ts";
import { isBesideImage, isUsable } from "./usable-text.ts";

function layer(text: string, unreadable = 0, images: PageLayer["images"] = []): PageLayer {
  const glyphs = [...text].map(
    (letter, order): Glyph => ({
      text: letter,
      x: order,
      y: 0,
      width: 1,
      size: 10,
      font: 0,
      order,
      isSpaced: false,
      mark: -1,
    }),
  );
  const nothing = { turned: [], horizontal: [], vertical: [], fills: [], fonts: [], links: [], tags: null };
  return { width: 100, height: 100, glyphs, unreadable, images, ...nothing };
}

const sentence = "The harbour was built in the year 1874 and has been enlarged three times. ".repeat(6);
/** Numbers of glyphs in place of letters, as many fonts count them. */
const shifted = [...sentence]
  .map((letter) => String.fromCharCode(letter.charCodeAt(0) - 29))
  .filter((letter) => letter > " ")
  .join("");

function mixed(first: string, second: string): PageLayer {
  const page = layer(first);
  page.glyphs.push(...layer(second).glyphs.map((glyph) => ({ ...glyph, font: 1 })));
  return page;
}

it.each([
  ["a text", layer(sentence), true],
  ["a text with a few signs that mean nothing", layer(sentence, 20), true],
  ["a form with few words", layer("Name of the ship"), true],
  ["Chinese", layer("港口建于一八七四年，此后扩建了三次。".repeat(10)), true],
  ["nothing", layer(""), false],
  ["a page number on a scan", layer("- 17 -"), false],
  ["letters that the file gives no meaning to", layer(sentence, sentence.length), false],
  ["letters that are shifted by their font", layer(shifted), false],
  ["a text of which half is shifted by its font", mixed(sentence, shifted), false],
  ["a text with a few signs of another font", mixed(sentence, "→↔∑"), true],
  ["consonants only", layer("bcdfg hjklm npqrs tvwxz ".repeat(20)), false],
])("%s", (_name, page, isGood) => {
  expect(isUsable(page)).toBe(isGood);
});

const whole = { x0: -2, y0: 0, x1: 102, y1: 100 };
const strips = [0, 1, 2, 3].map((part) => ({ x0: 0, y0: part * 20, x1: 100, y1: (part + 1) * 20 }));

it.each([
  ["a stamp on a scan", layer("Downloaded from the library", 0, [whole]), true],
  ["a stamp on a scan in strips", layer("Downloaded from the library", 0, strips), true],
  ["a caption below a photograph", layer("The harbour", 0, [{ x0: 10, y0: 10, x1: 60, y1: 60 }]), false],
  ["a text with a picture behind it", layer(sentence, 0, [whole]), false],
  ["a short text alone", layer("Name of the ship"), false],
])("%s may hold more text in its image", (_name, page, isMore) => {
  expect(isBesideImage(page)).toBe(isMore);
});
