// JSON as UTF-8 bytes, for objects whose values are long texts. JSON.stringify looks at every character by itself and makes a
// string that has to be turned into bytes after all; here four bytes are looked at and copied at a time: half of the CPU.

/** Shorter texts are not worth it. */
const leastLength = 512;
/** A longer text would need more room than a process should keep. */
const mostLength = 64 * 1024;
/** A character of a string takes three bytes at most, and a byte two when it is escaped. */
const written = new ArrayBuffer(3 * mostLength);
const writtenBytes = Buffer.from(written);
const writtenWords = new Int32Array(written);
const escaped = new ArrayBuffer(2 * written.byteLength + 2);
const escapedBytes = Buffer.from(escaped);
const escapedView = new DataView(escaped);

const quote = 0x22;
const backslash = 0x5c;
/** What stands behind the backslash; 1 for a byte that takes more than that. */
const signOf = new Uint8Array(256).fill(1, 0, 0x20);
for (const [sign, meant] of Object.entries({ b: 8, t: 9, n: 10, f: 12, r: 13 })) signOf[meant] = sign.charCodeAt(0);
signOf[quote] = quote;
signOf[backslash] = backslash;

/** What JSON.stringify gives for a plain object. `known`: the JSON of some of its properties. */
export function jsonBytes(value: object, known: Readonly<Record<string, () => Buffer>> = {}): Buffer {
  const parts: Buffer[] = [];
  let text = "";
  let separator = "{";
  for (const [name, inner] of Object.entries(value)) {
    // Asked for its own: a property may be called toString.
    const own = Object.hasOwn(known, name) ? known[name] : undefined;
    const bytes = own?.() ?? (typeof inner === "string" ? stringBytes(inner) : null);
    const short = bytes === null ? JSON.stringify(inner) : "";
    if (short === undefined) continue;
    text += `${separator}${JSON.stringify(name)}:${short}`;
    separator = ",";
    if (bytes === null) continue;
    parts.push(Buffer.from(text), bytes);
    text = "";
  }
  parts.push(Buffer.from(separator === "{" ? "{}" : `${text}}`));
  return Buffer.concat(parts);
}

/** Null where JSON.stringify has to do it: the text is short or very long, or has characters that are rare. */
function stringBytes(text: string): Buffer | null {
  if (text.length < leastLength || text.length > mostLength || !isWellFormed(text)) return null;
  const length = writtenBytes.write(text);
  const words = length >> 2;
  escapedBytes[0] = quote;
  let at = 1;
  for (let place = 0; place < words; place += 1) {
    const word = writtenWords[place] as number;
    if (isAsWritten(word)) {
      escapedView.setInt32(at, word, isLittleEndian);
      at += 4;
    } else {
      at = escapeInto(at, 4 * place, 4 * place + 4);
    }
    if (at === -1) return null;
  }
  at = escapeInto(at, 4 * words, length);
  if (at === -1) return null;
  escapedBytes[at] = quote;
  return Buffer.from(escapedBytes.subarray(0, at + 1));
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * Whether none of four bytes has to be escaped. A subtraction sets the highest bit of a byte that is too small for it: 32 from one
 * that is a control character, 1 from one that is 0 because it equals the sign looked for. The byte above may be flagged as well,
 * which only costs time.
 */
function isAsWritten(word: number): boolean {
  const controls = word - 0x20202020;
  const quotes = (word ^ 0x22222222) - 0x01010101;
  const backslashes = (word ^ 0x5c5c5c5c) - 0x01010101;
  return ((controls | quotes | backslashes) & ~word & 0x80808080) === 0;
}

/** Where the next byte goes; -1 for a control character without a sign of its own. */
function escapeInto(start: number, from: number, to: number): number {
  let at = start;
  for (let place = from; place < to; place += 1) {
    const byte = writtenBytes[place] as number;
    const sign = signOf[byte] as number;
    if (sign === 1) return -1;
    if (sign !== 0) {
      escapedBytes[at] = backslash;
      at += 1;
    }
    escapedBytes[at] = sign === 0 ? byte : sign;
    at += 1;
  }
  return at;
}

/** Halves of characters have no bytes; JSON.stringify escapes them. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
