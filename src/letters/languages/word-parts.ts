// The parts of words by which a language is told: runs of four bytes, and the beginnings and ends of words.

/** A part of a longer word than this says nothing more. */
const maxWordBytes = 70;
const separators = /[^\p{L}]+(?<!['`’])/gu;
const space = 0x20;

/** Calls `take` with the hash of each part of each word, in order, until so many bytes were read. */
export function wordParts(text: string, maxBytes: number, take: (hash: number) => void): void {
  let read = 0;
  for (const word of wordsOf(text)) {
    const bytes = Buffer.from(word.toLowerCase());
    const length = Math.min(bytes.length, maxWordBytes);
    let at = 0;
    for (; at + 4 < length; at += 3) take(hashOf(bytes, at, at + 4, at === 0, false));
    take(hashOf(bytes, length === 3 ? 0 : Math.max(0, length - 4), bytes.length, at === 0, true));
    read += length + 1;
    if (read > maxBytes) return;
  }
}

/** One after the other: mostly a part of the text is enough. */
function* wordsOf(text: string): Generator<string> {
  let begin = 0;
  for (const { 0: gap, index } of text.matchAll(separators)) {
    if (index > begin) yield text.slice(begin, index);
    begin = index + gap.length;
  }
  if (begin < text.length) yield text.slice(begin);
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
