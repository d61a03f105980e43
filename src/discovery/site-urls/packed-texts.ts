// A list of ASCII texts outside the heap, where they take no time of the garbage collector. What a text has in common with the
// first one of its group is kept once.

const chunkBytes = 1024 * 1024;
const firstCount = 1024;
const groupSize = 32;
const maxShared = 255;

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
  let head = Buffer.alloc(0);
  let readHead = { index: -1, text: "" };

  function grow(): void {
    const old = { starts, lengths, shared };
    starts = new Uint32Array(length * 2);
    starts.set(old.starts);
    lengths = new Uint16Array(length * 2);
    lengths.set(old.lengths);
    shared = new Uint8Array(length * 2);
    shared.set(old.shared);
  }

  function copyOwn(index: number, count: number, codes: Uint16Array, at: number): void {
    const start = starts[index] as number;
    const from = start % chunkBytes;
    const chunk = chunks[(start - from) / chunkBytes] as Buffer;
    for (let place = 0; place < count; place += 1) codes[at + place] = chunk[from + place] as number;
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

    /** Adds a text of so many bytes, at most 64 KB; all may have 4 GB together. */
    push(bytes: Buffer, size: number): void {
      if (length === starts.length) grow();
      const isHead = length % groupSize === 0;
      if (isHead) head = Buffer.from(bytes.subarray(0, Math.min(size, maxShared)));
      const cut = isHead ? 0 : countShared(head, bytes, size);
      const own = size - cut;
      if ((end % chunkBytes) + own > chunkBytes || chunks.length * chunkBytes === end) {
        end = chunks.length * chunkBytes;
        chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
      }
      const chunk = chunks[chunks.length - 1] as Buffer;
      const from = end % chunkBytes;
      for (let place = 0; place < own; place += 1) chunk[from + place] = bytes[cut + place] as number;
      starts[length] = end;
      lengths[length] = own;
      shared[length] = cut;
      length += 1;
      sizeBytes += size;
      end += own;
    },

    at(index: number): string {
      const cut = shared[index] as number;
      if (cut === 0) return ownText(index);
      const first = index - (index % groupSize);
      if (readHead.index !== first) readHead = { index: first, text: ownText(first) };
      return readHead.text.slice(0, cut) + ownText(index);
    },

    /** Writes as much of a text as there is room for and answers how much that is: no string is made of what is only looked at. */
    copy(index: number, codes: Uint16Array): number {
      const cut = shared[index] as number;
      const length = Math.min(cut + (lengths[index] as number), codes.length);
      copyOwn(index - (index % groupSize), cut, codes, 0);
      copyOwn(index, length - cut, codes, cut);
      return length;
    },
  };
}

function countShared(head: Buffer, bytes: Buffer, size: number): number {
  const most = Math.min(head.length, size);
  let count = 0;
  while (count < most && head[count] === bytes[count]) count += 1;
  return count;
}
