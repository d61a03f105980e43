// Words as numbers: a text is read once, and every later question about its words compares integers.

const start = 0x811c9dc5 | 0;
const prime = 0x01000193;

/** Letters and digits are parts of words; so is every character beyond Latin-1 that is no punctuation. */
function isBeyondAscii(code: number): boolean {
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code < 0x2000) return code !== 0xd7 && code !== 0xf7;
  if (code < 0x2c00) return code >= 0x2070 && code < 0x2190;
  return !(
    (code >= 0x3000 && code < 0x3040 && code !== 0x3005) ||
    (code >= 0xff00 && code < 0xff10) ||
    code === 0xfeff
  );
}

/** The kind of each ASCII character: 0 parts words, 1 letter, 2 capital, 3 digit or underscore. */
const kinds = new Uint8Array(128);
for (let code = 48; code < 58; code += 1) kinds[code] = 3;
for (let code = 65; code < 91; code += 1) kinds[code] = 2;
for (let code = 97; code < 123; code += 1) kinds[code] = 1;
kinds[95] = 3;

export function kindOfLetter(code: number): number {
  if (code < 128) return kinds[code] as number;
  if (!isBeyondAscii(code)) return 0;
  if (code < 0x250) return code >= 0xc0 && code <= 0xde ? 2 : 1;
  if (code >= 0x400 && code < 0x430) return 2;
  return code >= 0x2e80 && code < 0xac00 ? 4 : 1;
}

/** One more character of a word; capitals count as their small letters. */
export function addLetter(hash: number, code: number, kind: number): number {
  return Math.imul(hash ^ (kind === 2 ? (code >= 0x400 && code < 0x410 ? code + 80 : code + 32) : code), prime);
}

export const emptyWord = start;

/** A whole word's number: so small that the engine keeps it without a box. */
export function wordNumber(hash: number): number {
  return hash & 0x3fffffff;
}

/** Of two words side by side. */
export function pairOf(first: number, second: number): number {
  return (Math.imul(first, 31) ^ second) & 0x3fffffff;
}

/** The words of a text, in their order. */
export function wordsOf(text: string): number[] {
  const words: number[] = [];
  let hash = start;
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = kindOfLetter(code);
    if (kind === 0) {
      if (length > 0) words.push(wordNumber(hash));
      hash = start;
      length = 0;
    } else {
      hash = addLetter(hash, code, kind);
      length += 1;
    }
  }
  if (length > 0) words.push(wordNumber(hash));
  return words;
}

/** Longer names are mostly several words written as one: `relatedposts` is also known by how it begins. */
const beginning = 7;

/** Words of a class or id: parted where small letters meet capitals, digits left out. */
export function nameWordsOf(name: string): number[] {
  const words: number[] = [];
  let hash = start;
  let length = 0;
  let wasSmall = false;
  for (let at = 0; at <= name.length; at += 1) {
    const code = at < name.length ? name.charCodeAt(at) : 32;
    const kind = code < 128 ? (kinds[code] as number) : 0;
    const isLetter = kind === 1 || kind === 2;
    if (length > 0 && (!isLetter || (kind === 2 && wasSmall))) {
      if (length > 1) words.push(wordNumber(hash));
      hash = start;
      length = 0;
    }
    if (isLetter) {
      if (length === beginning) words.push(wordNumber(hash));
      hash = addLetter(hash, code, kind);
      length += 1;
    }
    wasSmall = kind === 1;
  }
  return words;
}
