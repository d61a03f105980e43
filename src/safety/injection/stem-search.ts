// Finds many stems in a text at once, by the algorithm of Wu and Manber: after three letters that no stem contains, the search
// skips to where the shortest stem could end. Many times as fast as one regular expression of all stems; every page pays for it.

/** Three letters, in either case, as a number. */
function tripleOf(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
}

const triples = 2 ** 15;

/** A part of a stem that is as long as the shortest stem: the search looks for it, and then for the stem around it. */
interface Window {
  /** Where it begins in the stem. */
  offset: number;
  /** Its first letter, in either case. */
  first: number;
  codes: number[];
  place: number;
}

/** `visit` gets where a stem begins, and which one it is, in the order of the text. */
export type StemSearch = (text: string, visit: (at: number, stem: number) => void) => void;

/** Stems are ASCII in lower case and match in either case. */
export function createStemSearch(stems: readonly string[]): StemSearch {
  const shortest = Math.min(...stems.map(({ length }) => length));
  const last = shortest - 1;
  const shifts = new Uint8Array(triples).fill(last - 1);
  const ending: (Window[] | undefined)[] = new Array(triples).fill(undefined);
  const shortFirst = Array.from(stems.keys()).sort(
    (one, other) => (stems[one] as string).length - (stems[other] as string).length || one - other,
  );
  for (const place of shortFirst) {
    const codes = Array.from(stems[place] as string, (letter) => letter.charCodeAt(0));
    const tripleAt = (at: number) => tripleOf(...(codes.slice(at - 2, at + 1) as [number, number, number]));
    const offset = rarestWindow(codes, shortest, (at) => ending[tripleAt(at)] !== undefined);
    for (let at = 2; at < shortest; at += 1) {
      const triple = tripleAt(offset + at);
      shifts[triple] = Math.min(shifts[triple] as number, last - at);
    }
    const triple = tripleAt(offset + last);
    ending[triple] = [...(ending[triple] ?? []), { offset, first: (codes[offset] as number) & 31, codes, place }];
  }
  /** For texts of the usual length: making room for each takes as long as searching a part of it. */
  const room = Buffer.allocUnsafeSlow(64 * 1024);
  return (text, visit) => {
    // Bytes are read faster than characters. Characters are cut to one byte, so a match is compared with the text itself.
    const { length } = text;
    const bytes = length <= room.length ? room : Buffer.allocUnsafeSlow(length);
    bytes.write(text, "latin1");
    const found: [at: number, place: number][] = [];
    let at = last;
    while (at < length) {
      const triple = tripleOf(bytes[at - 2] as number, bytes[at - 1] as number, bytes[at] as number);
      const shift = shifts[triple] as number;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - last;
      const first = (bytes[start] as number) & 31;
      for (const window of ending[triple] as Window[])
        if (window.first === first && isAt(text, start - window.offset, window.codes))
          found.push([start - window.offset, window.place]);
      at += 1;
    }
    found.sort(([one, place], [other, otherPlace]) => one - other || place - otherPlace);
    for (const [start, place] of found) visit(start, place);
  };
}

/** Letters from the most frequent one on, of texts in Latin letters. */
const byFrequency = " eaionrtsldcumpghbvfyqkwzxj";

/** Each triple at which a window ends stops the search wherever a text has it: best is one that stops it already, then a rare one. */
function rarestWindow(codes: readonly number[], length: number, stopsAlready: (at: number) => boolean): number {
  let best = 0;
  let leastRank = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset + length <= codes.length; offset += 1) {
    const end = offset + length - 1;
    if (stopsAlready(end)) return offset;
    const rank = codes.slice(end - 2, end + 1).reduce((sum, code) => sum - rarityOf(code), 0);
    if (rank < leastRank) [best, leastRank] = [offset, rank];
  }
  return best;
}

function rarityOf(code: number): number {
  const rank = byFrequency.indexOf(String.fromCharCode(code));
  return rank < 0 ? byFrequency.length : rank;
}

function isAt(text: string, from: number, codes: readonly number[]): boolean {
  for (let index = 0; index < codes.length; index += 1) {
    const code = text.charCodeAt(from + index);
    const lower = code >= 65 && code <= 90 ? code | 32 : code;
    if (lower !== codes[index]) return false;
  }
  return true;
}
