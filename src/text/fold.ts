// Text as words are compared: case and accents folded. Scripts written without spaces between words give one word per
// letter, so that consecutive words are a substring there and whole words everywhere else.
import { isAscii as isAsciiBytes } from "node:buffer";

/** Only these runs need Unicode tables; the rest is read four to six times as fast. */
const foreignRun = /[^\0-\x7f]+(?: [^\0-\x7f]+)*/g;
/** Accents, vowel points and tatweel. The marks of Indic, Thai and kana letters make another letter and stay. */
const accents =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each mark is meant alone
  /\u0640|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]/g;
const invisible = /\p{Cf}+/gu;
/** A capital sigma goes too: JavaScript makes it another letter at the end of a word than inside. */
const spelt = /[ßæœøłđıςẞÆŒØŁĐΣ]/g;
const plain: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" },
  ...{ ẞ: "SS", Æ: "AE", Œ: "OE", Ø: "O", Ł: "L", Đ: "D", Σ: "σ" },
};
const signs = /[^\p{L}\p{N}\p{M}]+/gu;
const foreignSigns = /[^\p{L}\p{N}\p{M}\p{ASCII}]+/gu;
/** Hangul has spaces, but its particles stick to words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]\p{M}*/gu;
const word = /[a-z0-9\u0080-\uffff]+/g;

/** Without accents, in plain letters where possible. Keeps case and punctuation. */
export function foldLetters(text: string): string {
  return isAscii(text) ? text : foldForeign(text);
}

/** The same, with a space for punctuation beyond ASCII: what remains beyond ASCII belongs to words. */
export function foldSpelling(text: string): string {
  return isAscii(text) ? text : foldForeign(text).replace(foreignSigns, " ");
}

/** A text in which words are runs of small letters, digits and whatever is beyond ASCII. */
export function foldText(text: string): string {
  return text.replace(foreignRun, foldRun).toLowerCase();
}

/** The same in UTF-8. ASCII capitals stay, so most texts are returned unchanged: a reader of bytes can fold capitals itself. */
export function foldBytes(text: string | Buffer): Buffer {
  const utf8 = typeof text === "string" ? Buffer.from(text) : text;
  return isAsciiBytes(utf8) ? utf8 : Buffer.from(text.toString().replace(foreignRun, foldRun));
}

/** The folded words of a text in their order; each consists of letters, digits and marks alone. */
export function splitWords(text: string): string[] {
  return foldText(text).match(word) ?? [];
}

/** A folded letter of scripts without spaces, with its marks. */
const unspacedLetter = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]\p{M}*$/u;
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
    while (end < words.length && unspacedLetter.test(words[end] as string)) end += 1;
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

/** Whether a character of a folded text belongs to a word. */
export function isOfWord(code: number): boolean {
  return (code >= 97 && code <= 122) || code > 127 || (code >= 48 && code <= 57);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}

function foldRun(run: string): string {
  return foldForeign(run).toLowerCase().replace(signs, " ").replace(unspaced, " $& ");
}

/** Back to NFC, because NFKD takes Hangul syllables apart too. */
function foldForeign(text: string): string {
  return text
    .normalize("NFKD")
    .replace(accents, "")
    .replace(invisible, "")
    .replace(spelt, (letter) => plain[letter] ?? letter)
    .normalize("NFC");
}

/** How URLs spell letters that they avoid: ü as ue, and Cyrillic in Latin letters. */
export function romanize(text: string): string {
  if (isAscii(text)) return text;
  return text.normalize("NFC").replace(/[äöüåøÄÖÜÅØ\u0400-\u045f]/g, (letter) => roman[letter.toLowerCase()] ?? letter);
}

const roman: Record<string, string> = Object.fromEntries(
  (
    "ä:ae ö:oe ü:ue å:aa ø:oe " +
    "а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:h ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: " +
    "э:e ю:yu я:ya і:i ї:yi є:ye"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
