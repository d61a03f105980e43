// The words of URLs and texts of links, in one pass over folded text.

/** Percent-encoded bytes become characters; those that are not UTF-8 become a space. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return " ";
    }
  });
}

/** Who is told of words; positions count from the field's start. */
export interface WordListener {
  /** Cheap question before a word is cut out of the text: can a word with this first letter (lower case) matter? */
  wants(firstCode: number, length: number): boolean;
  /** True when the word was of use; one that was not is offered again in its parts (`getUserInfo`: get, user, info). */
  take(word: string, position: number): boolean;
}

const separator = 0;
const lower = 1;
const upper = 2;
const digit = 3;
const ideograph = 4;

/** Of every code, so that a text is read without a decision for each. */
const kinds = new Uint8Array(2 ** 16).map((_, code) => kindOf(code));

/** Scripts written without spaces between words (and Hangul, whose particles stick to words) are read in pairs. */
function kindOf(code: number): number {
  if (code < 128) return asciiKindOf(code);
  if (code < 0x0e00) return lower;
  if (code <= 0x0eff || (code >= 0x1000 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)) return ideograph;
  return (code >= 0x3040 && code <= 0xd7ff) || (code >= 0xf900 && code <= 0xfaff) ? ideograph : lower;
}

function asciiKindOf(code: number): number {
  if (code >= 48 && code <= 57) return digit;
  if (code >= 65 && code <= 90) return upper;
  return code >= 97 && code <= 122 ? lower : separator;
}

/** Reads the words of folded text between two places; answers how many there are. */
export function readWords(text: string, from: number, to: number, listener: WordListener): number {
  let position = 0;
  let index = from;
  while (index < to) {
    const kind = kinds[text.charCodeAt(index)];
    if (kind === separator) {
      index += 1;
    } else if (kind === ideograph) {
      const end = runEnd(text, index, to);
      const last = Math.max(end - 2, index);
      for (let start = index; start <= last; start += 1) {
        const code = text.charCodeAt(start);
        const length = Math.min(2, end - start);
        if (listener.wants(code, length)) listener.take(text.slice(start, start + length), position);
        position += 1;
      }
      index = end;
    } else {
      const start = index;
      let previous = kind;
      let hasBorder = false;
      for (index += 1; index < to; index += 1) {
        const next = kinds[text.charCodeAt(index)];
        if (next === separator || next === ideograph) break;
        if (next !== previous && !(previous === upper && next === lower && index === start + 1)) hasBorder = true;
        previous = next;
      }
      const isTaken = offer(text, start, index, position, listener);
      position += hasBorder && !isTaken ? readParts(text, start, index, position, listener) : 1;
    }
  }
  return position;
}

function runEnd(text: string, from: number, to: number): number {
  let end = from + 1;
  while (end < to && kinds[text.charCodeAt(end)] === ideograph) end += 1;
  return end;
}

function offer(text: string, start: number, end: number, position: number, listener: WordListener): boolean {
  const first = text.charCodeAt(start);
  if (!listener.wants(first >= 65 && first <= 90 ? first + 32 : first, end - start)) return false;
  return listener.take(text.slice(start, end).toLowerCase(), position);
}

/** The parts of `getUserInfo`, `HTMLParser`, `iphone15`; answers how many. */
function readParts(text: string, from: number, to: number, position: number, listener: WordListener): number {
  let count = 0;
  let start = from;
  for (let index = from + 1; index <= to; index += 1) {
    if (index < to && !isBorder(text, index, to)) continue;
    offer(text, start, index, position + count, listener);
    count += 1;
    start = index;
  }
  return count;
}

function isBorder(text: string, index: number, to: number): boolean {
  const before = kinds[text.charCodeAt(index - 1)];
  const here = kinds[text.charCodeAt(index)];
  if ((before === digit) !== (here === digit)) return true;
  if (here !== upper) return false;
  return before === lower || (index + 1 < to && kinds[text.charCodeAt(index + 1)] === lower);
}
