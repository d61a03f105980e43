import { describe, expect, it } from "vitest";
import { wholeWords } from "./unspaced-words.ts";

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
