// Words of scripts written without spaces between them, as the platform's segmenter cuts them. Everything else passes as it is.
import { splitWords } from "./fold.ts";

/** A folded letter of these scripts, with its marks. */
const unspaced = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]\p{M}*$/u;
/** A syllable of Hangul, too: it has spaces, but its particles stick to words. */
const letter = /^[\u0e00-\u{10ffff}]\p{M}*$/u;
const first = "\u0e00";

let segmenter: Intl.Segmenter | undefined;

/**
 * The letters that `splitWords` made of such texts, put together by words; each other word is alone. Letters that are no word with others
 * say little alone: they count in pairs.
 */
export function groupLetters(words: readonly string[]): string[][] {
  // Nearly all texts are told apart by one comparison a word.
  if (!words.some((word) => word >= first)) return words.map((word) => [word]);
  const groups: string[][] = [];
  for (let at = 0; at < words.length; ) {
    let end = at;
    while (end < words.length && unspaced.test(words[end] as string)) end += 1;
    if (end - at < 2) groups.push([words[at] as string]);
    else groups.push(...cut(words.slice(at, end)));
    at = Math.max(end, at + 1);
  }
  return groups.flatMap((group, place) => {
    if (!isLone(group)) return [group];
    const next = groups[place + 1];
    if (next && isLone(next)) return [[...group, ...next]];
    const before = groups[place - 1];
    return before && isLone(before) ? [] : [group];
  });
}

/** The folded words of a text, whole words in every script. */
export function wholeWords(text: string): string[] {
  return groupLetters(splitWords(text)).map((letters) => letters.join(""));
}

function isLone([word = "", ...others]: readonly string[]): boolean {
  return others.length === 0 && letter.test(word);
}

function cut(letters: readonly string[]): string[][] {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  const groups: string[][] = [];
  let at = 0;
  let length = 0;
  for (const { index, segment } of segmenter.segment(letters.join(""))) {
    const group: string[] = [];
    while (length < index + segment.length && at < letters.length) {
      const letter = letters[at] as string;
      group.push(letter);
      length += letter.length;
      at += 1;
    }
    if (group.length > 0) groups.push(group);
  }
  return groups;
}
