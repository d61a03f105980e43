// The stems of a text, as the index stores them: one text, with a space between two. They are put together as bytes, because
// joining thousands of short strings takes as long as finding them.
import { createWordMemory, stem } from "../../words/index.ts";

/** Of the text's first words. */
export type TextStemmer = (text: string | Buffer, mostWords?: number) => string;

const maxFieldWords = 300;
/** Rare words push out others and leave their stems behind; beyond so many bytes all are forgotten. */
const mostStemBytes = 4 * 1024 * 1024;
const space = 0x20;

export function createTextStemmer(): TextStemmer {
  let stems = createStemBytes();
  return (text, mostWords = maxFieldWords) => {
    if (stems.size() > mostStemBytes) stems = createStemBytes();
    return stems.join(text, mostWords);
  };
}

function createStemBytes() {
  let bytes = new Uint8Array(64 * 1024);
  /** Where the stems end in `bytes`, by their numbers; each begins where the one before it ends. */
  const ends: number[] = [];
  let size = 0;
  const eachNumber = createWordMemory((word) => {
    const made = Buffer.from(stem(word));
    bytes = withRoom(bytes, size + made.length);
    bytes.set(made, size);
    size += made.length;
    return ends.push(size) - 1;
  });
  let text = new Uint8Array(64 * 1024);
  let length = 0;

  function add(number: number): void {
    const start = number === 0 ? 0 : (ends[number - 1] as number);
    const end = ends[number] as number;
    if (text.length < length + end - start + 1) text = withRoom(text, length + end - start + 1);
    const [from, to] = [bytes, text];
    let at = length;
    for (let place = start; place < end; place += 1, at += 1) to[at] = from[place] as number;
    to[at] = space;
    length = at + 1;
  }

  return {
    size: () => size,
    join(from: string | Buffer, mostWords: number): string {
      length = 0;
      eachNumber(from, add, mostWords);
      return Buffer.from(text.buffer, 0, Math.max(0, length - 1)).toString();
    },
  };
}

function withRoom(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  const larger = new Uint8Array(2 * length);
  larger.set(bytes);
  return larger;
}
