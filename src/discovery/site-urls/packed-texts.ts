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
  let head = "";
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

    /** At most 64 KB long, and 4 GB together. */
    push(text: string): void {
      if (length === starts.length) grow();
      const isHead = length % groupSize === 0;
      if (isHead) head = text;
      const cut = isHead ? 0 : countShared(head, text);
      const own = cut === 0 ? text : text.slice(cut);
      if ((end % chunkBytes) + own.length > chunkBytes || chunks.length * chunkBytes === end) {
        end = chunks.length * chunkBytes;
        chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
      }
      (chunks[chunks.length - 1] as Buffer).write(own, end % chunkBytes, "latin1");
      starts[length] = end;
      lengths[length] = own.length;
      shared[length] = cut;
      length += 1;
      sizeBytes += text.length;
      end += own.length;
    },

    at(index: number): string {
      const cut = shared[index] as number;
      if (cut === 0) return ownText(index);
      const first = index - (index % groupSize);
      if (readHead.index !== first) readHead = { index: first, text: ownText(first) };
      return readHead.text.slice(0, cut) + ownText(index);
    },
  };
}

function countShared(one: string, other: string): number {
  const most = Math.min(one.length, other.length, maxShared);
  let count = 0;
  while (count < most && one.charCodeAt(count) === other.charCodeAt(count)) count += 1;
  return count;
}
