import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../test/support/property-runs.ts";
import { splitWords, wholeWords } from "./fold.ts";

describe("splitWords", () => {
  it.each<[string, string, string[]]>([
    ["signs", "C'est l'été: state-of-the-art, v2.0!", ["c", "est", "l", "ete", "state", "of", "the", "art", "v2", "0"]],
    ["accents", "Crème Brûlée ŁÓDŹ", ["creme", "brulee", "lodz"]],
    ["accents as separate marks", "Cre\u0300me", ["creme"]],
    ["letters spelt out", "Straße STRASSE Ærø", ["strasse", "strasse", "aero"]],
    ["Turkish capitals", "İSTANBUL ısı", ["istanbul", "isi"]],
    ["Greek at a word's end", "ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]],
    ["Cyrillic", "Ёлка", ["елка"]],
    ["full width and ligatures", "ＡＢＣ１２ ﬁn", ["abc12", "fin"]],
    ["Chinese", "机器学习AI课", ["机", "器", "学", "习", "ai", "课"]],
    ["kana, whose marks make other letters", "ガード が か", ["ガ", "ー", "ド", "が", "か"]],
    ["half-width kana", "ｶﾞ", ["ガ"]],
    ["Korean", "요금제를", ["요", "금", "제", "를"]],
    ["Thai, with its marks", "ที่นี่", ["ที่", "นี่"]],
    ["Arabic vowel points, hamza and tatweel", "الأَسْعَار ســعر", ["الاسعار", "سعر"]],
    ["Hebrew points", "שָׁלוֹם", ["שלום"]],
    ["Hindi, whose marks are vowels", "हिंदी हद", ["हिंदी", "हद"]],
    ["soft hyphens and joiners", "Wör\u00adter می\u200cخواهم", ["worter", "میخواهم"]],
    ["letters beyond the first plane", "𝐁old 𠮷野", ["bold", "𠮷", "野"]],
    ["nothing", " -!? 😀 \u0000", []],
  ])("%s", (_, text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it("gives letters, digits and marks alone, and the same again for what it gave", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const words = splitWords(text);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(splitWords(words.join(" "))).toEqual(words);
      }),
    );
  });

  it("reads 200,000 characters of any kind in one go", () => {
    for (const unit of ["a", "é", "習", "\u0301", "a\u0301", "ท\u0e35\u0e48", "-", "ab ", "\ud800"]) {
      expect(splitWords(unit.repeat(200_000 / unit.length)).length).toBeLessThanOrEqual(200_000);
    }
  });
});

describe("words of a text", () => {
  it.each([
    ["Chinese", "我喜欢学习经济", "我 喜欢 学习 经济"],
    ["Japanese", "東京の天気", "東京 の 天気"],
    ["Thai", "ภาษาไทย ประเทศ", "ภาษา ไทย ประเทศ"],
    ["several scripts", "Node.js 学习 course", "node js 学习 course"],
    ["Korean by pairs of syllables", "뉴스를", "뉴스 스를"],
    ["a single letter", "a 京 b", "a 京 b"],
  ])("are whole in %s", (_, text, words) => {
    expect(wholeWords(text)).toEqual(words.split(" "));
  });
});
