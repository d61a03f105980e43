// The words of URLs and texts of links, in one pass over folded text. The text comes as numbers: an array of them is read several
// times as fast as the characters of a string.

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

const noRoom = new Uint16Array(0);

/** A text as numbers, in `room` where it has enough. */
export function codesOf(text: string, room: Uint16Array = noRoom): Uint16Array {
  const codes = text.length > room.length ? new Uint16Array(text.length) : room;
  for (let index = 0; index < text.length; index += 1) codes[index] = text.charCodeAt(index);
  return codes;
}

export function textOfCodes(codes: Uint16Array, from: number, to: number): string {
  let text = "";
  for (let index = from; index < to; index += 1) text += String.fromCharCode(codes[index] as number);
  return text;
}

/** Reads the words of folded text between two places; answers how many there are. */
export function readWords(codes: Uint16Array, from: number, to: number, listener: WordListener): number {
  let position = 0;
  let index = from;
  while (index < to) {
    const kind = kinds[codes[index] as number];
    if (kind === separator) {
      index += 1;
    } else if (kind === ideograph) {
      const end = runEnd(codes, index, to);
      const last = Math.max(end - 2, index);
      for (let start = index; start <= last; start += 1) {
        const code = codes[start] as number;
        const length = Math.min(2, end - start);
        if (listener.wants(code, length)) listener.take(textOfCodes(codes, start, start + length), position);
        position += 1;
      }
      index = end;
    } else {
      const start = index;
      let previous = kind;
      let hasBorder = false;
      for (index += 1; index < to; index += 1) {
        const next = kinds[codes[index] as number];
        if (next === separator || next === ideograph) break;
        if (next !== previous && !(previous === upper && next === lower && index === start + 1)) hasBorder = true;
        previous = next;
      }
      const isTaken = offer(codes, start, index, position, listener);
      position += hasBorder && !isTaken ? readParts(codes, start, index, position, listener) : 1;
    }
  }
  return position;
}

function runEnd(codes: Uint16Array, from: number, to: number): number {
  let end = from + 1;
  while (end < to && kinds[codes[end] as number] === ideograph) end += 1;
  return end;
}

function offer(codes: Uint16Array, start: number, end: number, position: number, listener: WordListener): boolean {
  const first = codes[start] as number;
  if (!listener.wants(first >= 65 && first <= 90 ? first + 32 : first, end - start)) return false;
  return listener.take(textOfCodes(codes, start, end).toLowerCase(), position);
}

/** The parts of `getUserInfo`, `HTMLParser`, `iphone15`; answers how many. */
function readParts(codes: Uint16Array, from: number, to: number, position: number, listener: WordListener): number {
  let count = 0;
  let start = from;
  for (let index = from + 1; index <= to; index += 1) {
    if (index < to && !isBorder(codes, index, to)) continue;
    offer(codes, start, index, position + count, listener);
    count += 1;
    start = index;
  }
  return count;
}

function isBorder(codes: Uint16Array, index: number, to: number): boolean {
  const before = kinds[codes[index - 1] as number];
  const here = kinds[codes[index] as number];
  if ((before === digit) !== (here === digit)) return true;
  if (here !== upper) return false;
  return before === lower || (index + 1 < to && kinds[codes[index + 1] as number] === lower);
}
