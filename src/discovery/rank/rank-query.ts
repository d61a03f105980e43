// A search text as terms, and how strongly a word of a link answers to each of them.
import { foldSpelling, isStopWord, romanize, stem } from "../../text/index.ts";
import { readWords } from "./link-words.ts";

/** One term that a word answers to, and how well: 1 is the word itself. */
export interface Hit {
  readonly term: number;
  readonly weight: number;
}

export interface RankQuery {
  /** How much each term counts before its rarity is known. */
  readonly weights: readonly number[];
  /** For each term the one that follows it in the query, or -1. */
  readonly next: readonly number[];
  /** Whether a word with this first letter and length can answer to any term. */
  wants(firstCode: number, length: number): boolean;
  match(word: string): readonly Hit[] | null;
  /** For labels of a host's name, which are often words run together, or initials. */
  matchLabel(label: string): readonly Hit[] | null;
}

const maxLength = 10_000;
const maxTerms = 32;
/** Words of the query whose neighbours are joined: `pricing plans` finds `pricingplans`. */
const maxSequence = 64;
const maxJoined = 4;
const maxRemembered = 20_000;
const shortestCompound = 8;

/** How well a word answers that is not the term itself, by how it is like it. */
const likenesses = {
  sameStem: 0.85,
  startsWithTerm: 0.55,
  startsTerm: 0.4,
  startsAlike: 0.4,
  inside: 0.7,
  initials: 0.5,
};
const stopWordWeight = 0.1;

interface QueryWord {
  readonly text: string;
  readonly parts: string[];
  readonly romanized: string;
}

type Spellings = Map<string, readonly Hit[]>;

/** Null when the text holds no word. */
export function readQuery(text: string): RankQuery | null {
  const words = readQueryWords(text.slice(0, maxLength));
  const terms = pickTerms(words);
  if (terms.size === 0) return null;
  const spellings = spell(words, terms);
  const stems: Spellings = new Map();
  for (const [spelling, hits] of spellings) {
    const root = stem(spelling);
    if (!stems.has(root)) stems.set(root, scale(hits, likenesses.sameStem));
  }
  const initials = takeInitials(words, terms);
  const single = [...spellings].filter(
    ([word, hits]) => hits.length === 1 && word.length >= 3 && /^[^\d]+$/.test(word),
  );
  const inner = single.filter(([word]) => word.length >= 4 && !isStopWord(word));
  const starts = new Uint8Array(2 ** 16);
  for (const spelling of spellings.keys()) starts[spelling.charCodeAt(0)] = 1;

  const find = (word: string) =>
    spellings.get(word) ??
    stems.get(stem(word)) ??
    findByStart(word, single) ??
    (word.length >= shortestCompound ? findInside(word, inner) : null);
  // The words of one site repeat, so most answers are known already.
  const remembered = new Map<string, readonly Hit[] | null>();
  const match = (word: string) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    if (remembered.size >= maxRemembered) remembered.clear();
    const hits = find(word);
    remembered.set(word, hits);
    return hits;
  };
  return {
    weights: [...terms.keys()].map((term) => (isStopWord(term) ? stopWordWeight : 1)),
    next: findFollowers(words, terms),
    wants: (firstCode, length) => starts[firstCode] === 1 || (length >= shortestCompound && inner.length > 0),
    match,
    matchLabel: (label) => spellings.get(label) ?? initials.get(label) ?? match(label) ?? findInside(label, inner),
  };
}

function readQueryWords(text: string): QueryWord[] {
  const romanized: string[] = [];
  readFolded(romanize(text), (word) => romanized.push(word) > 0);
  const words: QueryWord[] = [];
  let unread = 0;
  let lastPosition = -1;
  readFolded(text, (word, position) => {
    // A word comes first, its parts after it, the first of them at the same place.
    const last = words.at(-1);
    if (last && (position === lastPosition || (unread > 0 && unread < last.text.length))) {
      unread = (position === lastPosition ? last.text.length : unread) - word.length;
      last.parts.push(word);
      if (position === lastPosition) lastPosition = -1;
      return true;
    }
    lastPosition = position;
    unread = 0;
    words.push({ text: word, parts: [], romanized: romanized[words.length] ?? word });
    return false;
  });
  return words;
}

function readFolded(text: string, take: (word: string, position: number) => boolean): void {
  const folded = foldSpelling(text);
  readWords(folded, 0, folded.length, { wants: () => true, take });
}

/** Words of meaning first; those without fill what is left. */
function pickTerms(words: readonly QueryWord[]): Map<string, number> {
  const distinct = [...new Set(words.map((word) => word.text))];
  const isEmpty = (word: string) => isStopWord(word) || /^[a-z]$/.test(word);
  const picked = [...distinct.filter((word) => !isEmpty(word)), ...distinct.filter(isEmpty)].slice(0, maxTerms);
  return new Map(picked.map((word, index) => [word, index]));
}

/** Every way to write a term, alone or joined with its neighbours; the first meaning of a spelling wins. */
function spell(words: readonly QueryWord[], terms: ReadonlyMap<string, number>): Spellings {
  const spellings: Spellings = new Map();
  const learn = (spelling: string, hits: readonly Hit[]) => {
    if (hits.length > 0 && !spellings.has(spelling)) spellings.set(spelling, hits);
  };
  for (const [text, term] of terms) learn(text, [{ term, weight: 1 }]);
  for (const word of words) learn(word.romanized, hitsOf([word], terms));
  for (let from = 0; from < Math.min(words.length, maxSequence); from += 1) {
    for (let count = 2; count <= maxJoined; count += 1) {
      const run = words.slice(from, from + count);
      const joined = run.map((word) => word.romanized).join("");
      if (run.length === count && joined.length > 3) learn(joined, hitsOf(run, terms));
    }
  }
  for (const word of words) {
    for (const part of word.parts) {
      if (part.length >= 3) learn(part, scale(hitsOf([word], terms), part.length / word.text.length));
    }
  }
  return spellings;
}

/** `British Heart Foundation`: bhf. */
function takeInitials(words: readonly QueryWord[], terms: ReadonlyMap<string, number>): Spellings {
  const initials: Spellings = new Map();
  for (let from = 0; from < Math.min(words.length, maxSequence); from += 1) {
    for (let count = 3; count <= 6 && from + count <= words.length; count += 1) {
      const run = words.slice(from, from + count);
      const letters = run.map((word) => word.romanized.charAt(0)).join("");
      if (!initials.has(letters)) initials.set(letters, scale(hitsOf(run, terms), likenesses.initials));
    }
  }
  return initials;
}

function hitsOf(words: readonly QueryWord[], terms: ReadonlyMap<string, number>): Hit[] {
  const found = new Set<number>();
  for (const word of words) {
    const term = terms.get(word.text);
    if (term !== undefined) found.add(term);
  }
  return [...found].map((term) => ({ term, weight: 1 }));
}

function scale(hits: readonly Hit[], factor: number): Hit[] {
  return hits.map(({ term, weight }) => ({ term, weight: weight * factor }));
}

function findFollowers(words: readonly QueryWord[], terms: ReadonlyMap<string, number>): number[] {
  const next = new Array<number>(terms.size).fill(-1);
  let before = -1;
  for (const { text } of words) {
    const term = terms.get(text);
    if (term === undefined || isStopWord(text)) continue;
    if (before >= 0 && before !== term && next[before] === -1) next[before] = term;
    before = term;
  }
  return next;
}

type Candidates = readonly (readonly [string, readonly Hit[]])[];

/** The word begins with a term, a term begins with the word, or both begin alike for most of their length. */
function findByStart(word: string, candidates: Candidates): Hit[] | null {
  if (word.length < 3) return null;
  let best: Hit | null = null;
  for (const [spelling, [hit]] of candidates) {
    if (!hit || spelling.charCodeAt(0) !== word.charCodeAt(0)) continue;
    const weight = hit.weight * compareStarts(spelling, word);
    if (weight > (best?.weight ?? 0)) best = { term: hit.term, weight };
  }
  return best && [best];
}

function compareStarts(term: string, word: string): number {
  const limit = Math.min(term.length, word.length);
  let alike = 0;
  while (alike < limit && term.charCodeAt(alike) === word.charCodeAt(alike)) alike += 1;
  const share = alike / Math.max(term.length, word.length);
  if (alike === term.length) return likenesses.startsWithTerm * Math.sqrt(share);
  if (alike === word.length && alike >= 4) return likenesses.startsTerm * Math.sqrt(share);
  return alike >= 5 && share >= 0.6 ? likenesses.startsAlike * share : 0;
}

/** Terms inside a compound (`kinderzimmer`, `bestsharpeningstones`), each in proportion to what all of them cover. */
function findInside(word: string, candidates: Candidates): Hit[] | null {
  let covered = 0;
  const found: Hit[] = [];
  for (const [spelling, [hit]] of candidates) {
    if (!hit || !word.includes(spelling) || found.some(({ term }) => term === hit.term)) continue;
    covered += spelling.length;
    found.push(hit);
  }
  return found.length > 0 ? scale(found, likenesses.inside * Math.min(1, covered / word.length)) : null;
}
