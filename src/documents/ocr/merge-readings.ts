// Two readings of one image -> the better words of both.
import type { RecognizedWord } from "../file/read-options.ts";

/** What only one of the readings saw is noise unless it is as sure as this. */
const minAlone = 60;

/** Words that cover each other are rivals; those that are surer stay, in the line of the first reading. */
export function mergeReadings(first: readonly RecognizedWord[], second: readonly RecognizedWord[]): RecognizedWord[] {
  const all = [...first, ...second];
  const parent = all.map((_, at) => at);
  const root = (at: number): number => {
    let top = at;
    while (parent[top] !== top) top = parent[top] as number;
    parent[at] = top;
    return top;
  };
  const byTop = second.map((word, at) => ({ word, at: first.length + at })).sort((a, b) => a.word.y0 - b.word.y0);
  const tallest = second.reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0);
  for (const [at, word] of first.entries()) {
    for (let place = firstBelow(byTop, word.y0 - tallest); place < byTop.length; place += 1) {
      const other = byTop[place] as { word: RecognizedWord; at: number };
      if (other.word.y0 > word.y1) break;
      if (areRivals(word, other.word)) parent[root(other.at)] = root(at);
    }
  }
  const groups = new Map<number, { own: RecognizedWord[]; other: RecognizedWord[] }>();
  for (const [at, word] of all.entries()) {
    const group = groups.get(root(at)) ?? { own: [], other: [] };
    (at < first.length ? group.own : group.other).push(word);
    groups.set(root(at), group);
  }
  return [...groups.values()].flatMap(({ own, other }) => {
    const [host] = own;
    if (!host)
      return other.filter((word) => word.confidence >= minAlone).map((word) => ({ ...word, line: `+${word.line}` }));
    if (other.length === 0) return own;
    return sureness(other) > sureness(own) ? other.map((word) => ({ ...word, line: host.line })) : own;
  });
}

function firstBelow(sorted: readonly { word: RecognizedWord }[], y: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as { word: RecognizedWord }).word.y0 < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

function areRivals(a: RecognizedWord, b: RecognizedWord): boolean {
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  return height > 0.5 * Math.min(a.y1 - a.y0, b.y1 - b.y0) && width > 0.3 * Math.min(a.x1 - a.x0, b.x1 - b.x0);
}

function sureness(words: readonly RecognizedWord[]): number {
  let letters = 0;
  let sum = 0;
  for (const { text, confidence } of words) {
    letters += text.length;
    sum += text.length * confidence;
  }
  return sum / Math.max(letters, 1);
}
