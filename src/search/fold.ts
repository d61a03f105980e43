// Words as search compares them: case and accents folded. Scripts written without spaces between words give one word per
// letter, so that consecutive words are a substring there and whole words everywhere else.

const ascii = /^[\0-\x7f]*$/;
/** Marks that are accents or vowel points. Those of Indic and kana letters make another letter and stay. */
const accents =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g;
const invisible = /\p{Cf}+/gu;
const spelt = /[ßæœøłđıς]/g;
const plain: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" };

// Hangul has spaces, but its particles stick to words.
const unspaced = [
  ...["Han", "Hira", "Kana", "Bopo", "Hang", "Thai", "Laoo", "Khmr", "Mymr"].map((script) => `\\p{scx=${script}}`),
].join("");
const word = new RegExp(
  `(?=[\\p{L}\\p{N}])[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}]\\p{M}*)+`,
  "gu",
);

/** The text in lower case, without accents, compatibility forms (full width, ligatures) and invisible characters. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(accents, "")
    .replace(invisible, "")
    .toLowerCase()
    .replace(spelt, (letter) => plain[letter] ?? letter)
    .normalize("NFC");
}

/** The folded words of a text in their order; each consists of letters, digits and marks alone. */
export function splitWords(text: string): string[] {
  const folded = fold(text);
  return (ascii.test(folded) ? folded.match(/[a-z0-9]+/g) : folded.match(word)) ?? [];
}
