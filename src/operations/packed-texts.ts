// A list of ASCII texts outside the heap: a million addresses take 75 MB and no time of the garbage collector.

const chunkBytes = 1024 * 1024;
const firstCount = 1024;

export function createPackedTexts() {
  const chunks: Buffer[] = [];
  /** Of each text the place of its first byte, counted over all chunks, and its length. */
  let starts = new Uint32Array(firstCount);
  let lengths = new Uint16Array(firstCount);
  let length = 0;
  /** Room is used up to here; a text lies in one chunk. */
  let end = 0;

  function grow(): void {
    const [oldStarts, oldLengths] = [starts, lengths];
    starts = new Uint32Array(length * 2);
    starts.set(oldStarts);
    lengths = new Uint16Array(length * 2);
    lengths.set(oldLengths);
  }

  return {
    get length() {
      return length;
    },
    get sizeBytes() {
      return end;
    },

    /** At most 64 KB long, and 4 GB together. */
    push(text: string): void {
      if (length === starts.length) grow();
      if ((end % chunkBytes) + text.length > chunkBytes || chunks.length === 0) {
        end = chunks.length * chunkBytes;
        chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
      }
      chunks.at(-1)?.write(text, end % chunkBytes, "latin1");
      starts[length] = end;
      lengths[length] = text.length;
      length += 1;
      end += text.length;
    },

    at(index: number): string {
      const start = starts[index] as number;
      const from = start % chunkBytes;
      const chunk = chunks[(start - from) / chunkBytes] as Buffer;
      return chunk.toString("latin1", from, from + (lengths[index] as number));
    },
  };
}
