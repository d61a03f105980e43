// The stems of a text, as the index stores them: one text, with a space between two. They are put together as bytes, because
// joining thousands of short strings takes as long as finding them.
import { createWordTable, stem } from "../../text/index.ts";

/** Of the text's first words. */
export type TextStemmer = (text: string | Buffer, mostWords?: number) => string;

const maxFieldWords = 300;
/** Rare words push out others and leave their stems behind; beyond so many bytes all are forgotten. */
const mostStemBytes = 4 * 1024 * 1024;
const space = 0x20;
/** Most stems are no longer; they are copied by two moves of four bytes. */
const usualLength = 8;

export function createTextStemmer(): TextStemmer {
  let stems = createStemBytes();
  return (text, mostWords = maxFieldWords) => {
    if (stems.size() > mostStemBytes) stems = createStemBytes();
    return stems.join(text, mostWords);
  };
}

function createStemBytes() {
  const stems = new GrowingBytes();
  const joined = new GrowingBytes();
  const eachStem = createWordTable((word) => {
    const made = Buffer.from(stem(word));
    const start = stems.length;
    stems.makeRoom(made.length);
    stems.bytes.set(made, start);
    stems.length += made.length;
    return [start, made.length];
  });

  function add(start: number, length: number): void {
    joined.makeRoom(length + 1);
    const [from, to, at] = [stems.view, joined.view, joined.length];
    to.setInt32(at, from.getInt32(start));
    to.setInt32(at + 4, from.getInt32(start + 4));
    for (let place = usualLength; place < length; place += 1) to.setUint8(at + place, from.getUint8(start + place));
    to.setUint8(at + length, space);
    joined.length = at + length + 1;
  }

  return {
    size: () => stems.length,
    join(text: string | Buffer, mostWords: number): string {
      joined.length = 0;
      eachStem(text, add, mostWords);
      return Buffer.from(joined.bytes.buffer, 0, Math.max(0, joined.length - 1)).toString();
    },
  };
}

/** Bytes that grow. Behind them there is always room for a stem of the usual length. */
class GrowingBytes {
  length = 0;
  bytes = new Uint8Array(64 * 1024);
  view = new DataView(this.bytes.buffer);

  makeRoom(more: number): void {
    const needed = this.length + more + usualLength;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(2 * needed);
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}
