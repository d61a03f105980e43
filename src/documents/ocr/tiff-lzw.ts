// Unpacks the LZW strips of a TIFF: damaged ones keep the decoder of the library in an endless loop.

/** Fields of a page, by the library's names: how it is packed, and where its strips or tiles start and end. */
const packing = "t259";
const places = [
  ["t273", "t279"],
  ["t324", "t325"],
] as const;
const lzw = 5;
const unpacked = 1;

type Page = Record<string, unknown>;

/** The file with the unpacked strips of a page behind it; the page's fields are changed to them. At most `most` bytes are added. */
export function unpackStrips(file: ArrayBuffer, page: Page, most: number): ArrayBuffer {
  const numbers = (name: string) => (page[name] ? Array.from(page[name] as ArrayLike<number>) : []);
  if (numbers(packing)[0] !== lzw) return file;
  const bytes = new Uint8Array(file);
  const parts: Uint8Array[] = [bytes];
  let length = bytes.length;
  for (const [starts, lengths] of places) {
    const from = numbers(starts);
    const sizes = numbers(lengths);
    if (from.length === 0) continue;
    const strips = from.map((start, at) => unpack(bytes.subarray(start, start + (sizes[at] ?? 0)), most / from.length));
    page[lengths] = strips.map((strip) => strip.length);
    page[starts] = strips.map((strip) => {
      const start = length;
      parts.push(strip);
      length += strip.length;
      return start;
    });
  }
  page[packing] = [unpacked];
  const result = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result.buffer;
}

const clear = 256;
const end = 257;
const maxCodes = 4096;

/** Stops where the data end, say so, or make no sense. */
function unpack(data: Uint8Array, most: number): Uint8Array {
  const output: number[] = [];
  // Each code is an earlier code followed by one byte.
  const before = new Int16Array(maxCodes).fill(-1);
  const last = new Uint8Array(maxCodes);
  for (let code = 0; code < clear; code += 1) last[code] = code;
  let count = end + 1;
  let width = 9;
  let previous = -1;
  let bits = 0;
  let held = 0;
  const spelled = (code: number): number[] => {
    const letters: number[] = [];
    for (let at = code; at >= 0 && letters.length < maxCodes; at = before[at] as number)
      letters.push(last[at] as number);
    return letters.reverse();
  };
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >>> bits) & ((1 << width) - 1);
    if (code === end || output.length > most) break;
    if (code === clear) {
      count = end + 1;
      width = 9;
      previous = -1;
      continue;
    }
    if (code > count || (previous < 0 && code > clear)) break;
    const letters = code < count ? spelled(code) : spelled(previous);
    if (code === count) letters.push(letters[0] as number);
    for (const letter of letters) output.push(letter);
    if (previous >= 0 && count < maxCodes) {
      before[count] = previous;
      last[count] = letters[0] as number;
      count += 1;
      if (count === (1 << width) - 1 && width < 12) width += 1;
    }
    previous = code;
  }
  return Uint8Array.from(output);
}
