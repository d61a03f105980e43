// A list of URLs outside the heap, where they take no time of the garbage collector. What a text has in common with the
// first one of its group is kept once.

import { UrlBytes } from "./url-bytes.ts";

const chunkBytes = 1024 * 1024;
const firstCount = 1024;
const groupSize = 32;
const maxShared = 255;

export interface CopiedText {
  readonly length: number;
  /** So many codes at the beginning are as they were before. */
  readonly unchanged: number;
}

export function createPackedTexts() {
  const chunks: Buffer[] = [];
  /** Of each text the place of its first own byte, counted over all chunks, and how many own ones follow the shared ones. */
  let starts = new Uint32Array(firstCount);
  let lengths = new Uint16Array(firstCount);
  let shared = new Uint8Array(firstCount);
  let length = 0;
  let sizeBytes = 0;
  /** Room is used up to here; the own bytes of a text lie in one chunk. */
  let end = 0;
  /** The first texts of the group that is being filled and of the one read last. */
  const head = new UrlBytes(maxShared);
  let readHead = { index: -1, text: "" };
  /** What was copied last, and how much of it all texts of its group have that share as much: one object for all. */
  const copied = { length: 0, unchanged: 0, first: -1, cut: 0, codes: null as Uint16Array | null };

  function grow(): void {
    const old = { starts, lengths, shared };
    starts = new Uint32Array(length * 2);
    starts.set(old.starts);
    lengths = new Uint16Array(length * 2);
    lengths.set(old.lengths);
    shared = new Uint8Array(length * 2);
    shared.set(old.shared);
  }

  /** Own bytes of a text from one of them to another; the first would be written at `at`. */
  function copyOwn(index: number, first: number, end: number, codes: Uint16Array, at: number): void {
    const start = starts[index] as number;
    const from = start % chunkBytes;
    const chunk = chunks[(start - from) / chunkBytes] as Buffer;
    for (let place = first; place < end; place += 1) codes[at + place] = chunk[from + place] as number;
  }

  function ownText(index: number): string {
    const start = starts[index] as number;
    const from = start % chunkBytes;
    const chunk = chunks[(start - from) / chunkBytes] as Buffer;
    return chunk.toString("latin1", from, from + (lengths[index] as number));
  }

  return {
    get length() {
      return length;
    },
    /** Of all texts as they are, without what packing saves. */
    get sizeBytes() {
      return sizeBytes;
    },

    /** Adds a text, of 64 KB at most; all may have 4 GB together. */
    push(text: UrlBytes): void {
      if (length === starts.length) grow();
      const isHead = length % groupSize === 0;
      if (isHead) head.copy(text, maxShared);
      const cut = isHead ? 0 : head.countShared(text);
      const ownFrom = text.from + cut;
      const own = text.to - ownFrom;
      if ((end % chunkBytes) + own > chunkBytes || chunks.length * chunkBytes === end) {
        end = chunks.length * chunkBytes;
        chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
      }
      const chunk = chunks[chunks.length - 1] as Buffer;
      const from = end % chunkBytes;
      const { bytes } = text;
      for (let place = 0; place < own; place += 1) chunk[from + place] = bytes[ownFrom + place] as number;
      starts[length] = end;
      lengths[length] = own;
      shared[length] = cut;
      length += 1;
      sizeBytes += cut + own;
      end += own;
    },

    at(index: number): string {
      const cut = shared[index] as number;
      if (cut === 0) return ownText(index);
      const first = index - (index % groupSize);
      if (readHead.index !== first) readHead = { index: first, text: ownText(first) };
      return readHead.text.slice(0, cut) + ownText(index);
    },

    /**
     * Writes as much of a text as there is room for: no string is made of what is only looked at. What the texts of a group share
     * is not written again, so the codes must be as the call before left them.
     */
    copy(index: number, codes: Uint16Array): CopiedText {
      const first = index - (index % groupSize);
      const cut = Math.min(shared[index] as number, codes.length);
      const isSameGroup = copied.codes === codes && copied.first === first;
      const unchanged = isSameGroup ? Math.min(cut, copied.cut) : 0;
      const length = Math.min(cut + (lengths[index] as number), codes.length);
      if (cut > unchanged) copyOwn(first, unchanged, cut, codes, 0);
      copyOwn(index, 0, length - cut, codes, cut);
      // The first text of a group shares all of it.
      copied.cut = index === first ? Math.min(length, maxShared) : cut;
      copied.codes = codes;
      copied.first = first;
      copied.length = length;
      copied.unchanged = unchanged;
      return copied;
    },
  };
}
