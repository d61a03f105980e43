// Finds many stems in a text at once, by the algorithm of Wu and Manber: after three letters that no stem contains, the search
// skips to where the shortest stem could end. Many times as fast as one regular expression of all stems; every page pays for it.

/** Three letters, in either case, as a number. */
function tripleOf(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
}

const triples = 2 ** 15;

interface Stem {
  codes: number[];
  /** Its first letter, in either case. */
  first: number;
  place: number;
}

/** `visit` gets where a stem begins, and which one it is. */
export type StemSearch = (text: string, visit: (at: number, stem: number) => void) => void;

/** Stems are ASCII in lower case and match in either case. */
export function createStemSearch(stems: readonly string[]): StemSearch {
  const shortest = Math.min(...stems.map(({ length }) => length));
  const last = shortest - 1;
  const shifts = new Uint8Array(triples).fill(last - 1);
  const ending: (Stem[] | undefined)[] = new Array(triples).fill(undefined);
  for (const [place, stem] of stems.entries()) {
    const codes = Array.from(stem, (letter) => letter.charCodeAt(0));
    const tripleAt = (at: number) => tripleOf(...(codes.slice(at - 2, at + 1) as [number, number, number]));
    for (let at = 2; at < shortest; at += 1) {
      const triple = tripleAt(at);
      shifts[triple] = Math.min(shifts[triple] as number, last - at);
    }
    const triple = tripleAt(last);
    ending[triple] = [...(ending[triple] ?? []), { codes, first: (codes[0] as number) & 31, place }];
  }
  /** For texts of the usual length: making room for each takes as long as searching a part of it. */
  const room = Buffer.allocUnsafeSlow(64 * 1024);
  return (text, visit) => {
    // Bytes are read faster than characters. Characters are cut to one byte, so a match is compared with the text itself.
    const { length } = text;
    const bytes = length <= room.length ? room : Buffer.allocUnsafeSlow(length);
    bytes.write(text, "latin1");
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
      for (const stem of ending[triple] as Stem[])
        if (stem.first === first && isAt(text, start, stem.codes)) visit(start, stem.place);
      at += 1;
    }
  };
}

function isAt(text: string, from: number, codes: readonly number[]): boolean {
  for (let index = 0; index < codes.length; index += 1) {
    const code = text.charCodeAt(from + index);
    const lower = code >= 65 && code <= 90 ? code | 32 : code;
    if (lower !== codes[index]) return false;
  }
  return true;
}
