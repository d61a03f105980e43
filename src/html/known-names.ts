// Names of tags and attributes come thousands of times on a page, and there are few of them: each is cut out of a source once
// and then found by its letters. V8 compares and looks up texts that exist once by their place.

const slots = 1024;
/** Longer ones are rare and not kept. */
const longest = 32;

const names: (string | undefined)[] = new Array(slots).fill(undefined);

/** The hash of a name so far and its next character. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

/** The name from one place to another, whose hash was made on the way. A name that falls on another's slot takes it over. */
export function nameAt(source: string, start: number, end: number, hash: number): string {
  const slot = (hash ^ (hash >>> 10)) & (slots - 1);
  const known = names[slot];
  if (known !== undefined && known.length === end - start && source.startsWith(known, start)) return known;
  const name = source.slice(start, end);
  if (name.length > longest) return name;
  names[slot] = unique(name);
  return names[slot];
}

/** Property names exist once. */
export function unique(name: string): string {
  return Object.keys({ [name]: 0 })[0] as string;
}
