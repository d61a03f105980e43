// The parts of words by which a language is told: runs of four bytes, and the beginnings and ends of words.

/** A part of a longer word than this says nothing more. */
const maxWordBytes = 70;
const space = 0x20;

/** Calls `take` with the hash of each part of each word, in order, until so many bytes were read. */
export function wordParts(text: string, maxBytes: number, take: (hash: number) => void): void {
  const room = new Uint8Array(text.length * 3);
  let read = 0;
  let begin = 0;
  let at = 0;
  while (at < text.length) {
    at = endOfLetters(text, at);
    const gap = at;
    at = endOfOthers(text, at);
    // An apostrophe before a letter belongs to its word.
    let next = at;
    while (next > gap && isApostrophe(text.charCodeAt(next - 1))) next -= 1;
    if (next === gap) continue;
    if (gap > begin) read += partsOfWord(text, begin, gap, room, take) + 1;
    if (read > maxBytes) return;
    begin = next;
  }
  if (begin < text.length) partsOfWord(text, begin, text.length, room, take);
}

/** How many bytes of the word were read. */
function partsOfWord(text: string, from: number, to: number, room: Uint8Array, take: (hash: number) => void): number {
  const bytes = writeLowerCase(text, from, to, room);
  const length = Math.min(bytes, maxWordBytes);
  let at = 0;
  for (; at + 4 < length; at += 3) take(hashOf(room, at, at + 4, at === 0, false));
  take(hashOf(room, length === 3 ? 0 : Math.max(0, length - 4), bytes, at === 0, true));
  return length;
}

const encoder = new TextEncoder();

function writeLowerCase(text: string, from: number, to: number, room: Uint8Array): number {
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return encoder.encodeInto(text.slice(from, to).toLowerCase(), room).written;
    room[at - from] = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
  }
  return to - from;
}

function endOfLetters(text: string, from: number): number {
  let at = from;
  for (let length = letterAt(text, at); length > 0; length = letterAt(text, at)) at += length;
  return at;
}

function endOfOthers(text: string, from: number): number {
  let at = from;
  while (at < text.length && letterAt(text, at) === 0) at += 1;
  return at;
}

/** 0: not known yet, 1: a letter, 2: something else. Asking a regular expression of each character takes most of the time. */
const known = new Uint8Array(0x10000);
const letter = /^\p{L}/u;

/** The length of the letter that begins there; 0 where none does. */
function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) {
    const lower = code | 0x20;
    return lower >= 0x61 && lower <= 0x7a ? 1 : 0;
  }
  // Not a number at the end of the text.
  if (!(code >= 0x80)) return 0;
  if (code >= 0xd800 && code < 0xdc00) return letter.test(text.slice(at, at + 2)) ? 2 : 0;
  if (known[code] === 0) known[code] = letter.test(text.charAt(at)) ? 1 : 2;
  return known[code] === 1 ? 1 : 0;
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x60 || code === 0x2019;
}

/** @public for tools/train-text */
export function partHash(bytes: Uint8Array): number {
  return hashOf(bytes, 0, bytes.length, false, false);
}

/** FNV-1a; a part at the beginning or end of its word has a space there. */
function hashOf(bytes: Uint8Array, from: number, to: number, isFirst: boolean, isLast: boolean): number {
  let hash = 0x811c9dc5;
  if (isFirst) hash = Math.imul(hash ^ space, 0x01000193);
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  if (isLast) hash = Math.imul(hash ^ space, 0x01000193);
  return hash >>> 0;
}
