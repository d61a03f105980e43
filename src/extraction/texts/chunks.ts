// Markdown in parts that fit an embedding model: cut at headings, then between paragraphs, and inside a paragraph only where it
// is too long. Each part is a literal slice of the markdown.
import type { CountTokens } from "../../text/index.ts";
import { plainLine } from "../passages/passages.ts";
import type { MarkdownFormat } from "./markdown-format.ts";

export interface ChunkOptions {
  maxTokens: number;
  /** Tokens at the end of a part that the next part of its section begins with. */
  overlap: number;
}

export interface TextChunk {
  /** From 1. */
  position: number;
  /** The headings above it, the outermost first. */
  headings: string[];
  text: string;
  tokens: number;
  /** Its position in the markdown. */
  markdownSpan: [from: number, to: number];
}

export const chunks: MarkdownFormat<ChunkOptions, { chunks: TextChunk[] }> = {
  make(markdown, options, { countTokens }) {
    const warnings =
      markdown.length > maxLength
        ? ["The text is too long for the output chunks, so its end is missing from them."]
        : [];
    return { chunks: cutIntoChunks(markdown.slice(0, maxLength), options, countTokens), warnings };
  },
};

/** More is a book: cutting it would keep others waiting. */
const maxLength = 4_000_000;
const longestHeading = 300;

/** A piece that is not divided further. */
interface Unit {
  from: number;
  to: number;
  tokens: number;
  /** Of a heading; 0 for everything else. */
  level: number;
  endsBlock: boolean;
}

function cutIntoChunks(text: string, { maxTokens, overlap }: ChunkOptions, countTokens: CountTokens): TextChunk[] {
  const unitTokens = overlap > 0 ? Math.min(maxTokens, overlap) : maxTokens;
  const found: TextChunk[] = [];
  const path: Unit[] = [];
  for (const section of sectionsOf(unitsOf(text, unitTokens, countTokens))) {
    for (const unit of section) {
      if (unit.level === 0) continue;
      while ((path.at(-1)?.level ?? 0) >= unit.level) path.pop();
      path.push(unit);
    }
    const headings = path.map(({ from, to }) => plainLine(text.slice(from, to)).slice(0, longestHeading));
    for (const { from, to, tokens } of packed(section, { text, maxTokens, overlap, countTokens })) {
      const chunk = { headings, text: text.slice(from, to), tokens };
      found.push({ position: found.length + 1, ...chunk, markdownSpan: [from, to] });
    }
  }
  return found;
}

/** A section begins with its headings and ends before the next one. */
function sectionsOf(units: readonly Unit[]): Unit[][] {
  const sections: Unit[][] = [];
  let before: Unit | undefined;
  for (const unit of units) {
    const isNew = unit.level > 0 && before?.level === 0;
    if (isNew || sections.length === 0) sections.push([]);
    sections.at(-1)?.push(unit);
    before = unit;
  }
  return sections;
}

interface Packing {
  text: string;
  maxTokens: number;
  overlap: number;
  countTokens: CountTokens;
}

function* packed(units: readonly Unit[], { text, maxTokens, overlap, countTokens }: Packing) {
  let start = 0;
  while (start < units.length) {
    let end = endOf(units, start, maxTokens);
    const measure = () => {
      const [from, to] = [units[start]?.from ?? 0, units[end - 1]?.to ?? 0];
      return { from, to, tokens: countTokens(text.slice(from, to)) };
    };
    let chunk = measure();
    // What a tokenizer makes of the joints is not the sum of its parts.
    while (chunk.tokens > maxTokens && end > start + 1) {
      end -= 1;
      chunk = measure();
    }
    yield chunk;
    if (end >= units.length) return;
    start = overlapStart(units, start, end, overlap);
  }
}

/** The end of a chunk: as much as fits, back to the end of a paragraph where that leaves at least half of it. */
function endOf(units: readonly Unit[], start: number, maxTokens: number): number {
  let end = start;
  let sum = 0;
  let paragraphEnd = -1;
  while (end < units.length) {
    const { tokens, endsBlock } = units[end] as Unit;
    if (end > start && sum + tokens + 1 > maxTokens) break;
    sum += tokens + 1;
    end += 1;
    if (endsBlock && sum >= maxTokens / 2) paragraphEnd = end;
  }
  return end < units.length && paragraphEnd > start ? paragraphEnd : end;
}

function overlapStart(units: readonly Unit[], start: number, end: number, overlap: number): number {
  let first = end;
  let sum = 0;
  while (first - 1 > start) {
    const { tokens, level } = units[first - 1] as Unit;
    sum += tokens + 1;
    if (sum > overlap || level > 0) break;
    first -= 1;
  }
  return first;
}

function unitsOf(text: string, maxTokens: number, countTokens: CountTokens): Unit[] {
  const units: Unit[] = [];
  for (const [from, to] of blocksOf(text)) {
    const level = /^ {0,3}(#{1,6})\s/.exec(text.slice(from, from + 10))?.[1]?.length ?? 0;
    const pieces = cut(text, from, to, maxTokens, countTokens, 0);
    for (const [index, piece] of pieces.entries())
      units.push({ ...piece, level: index === 0 ? level : 0, endsBlock: index === pieces.length - 1 });
  }
  return units;
}

/** Paragraphs, lists, tables and headings: what blank lines divide, and headings. Fenced code stays whole. */
function* blocksOf(text: string): Generator<[from: number, to: number]> {
  let from = -1;
  let fence = "";
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(at, Math.min(end, at + 200));
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    const isHeading = fence === "" && /^ {0,3}#{1,6}\s/.test(line);
    const isBlank = fence === "" && line.trim() === "" && text.slice(at, end).trim() === "";
    if ((isBlank || isHeading) && from >= 0) {
      yield [from, at - 1];
      from = -1;
    }
    if (isHeading) yield [at, end];
    else if (!isBlank && from < 0) from = at;
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    at = end + 1;
  }
  if (from >= 0) yield [from, from + text.slice(from).trimEnd().length];
}

type Piece = Pick<Unit, "from" | "to" | "tokens">;

/** Where a long block is divided, the best places first: lines, sentences, words. */
const joints = [/\n+/g, /(?<=[.!?…。！？]["'”’»)]?)\s*(?=\S)/gu, /\s+/g];

/** Pieces of at most `maxTokens`; text without any joint is cut by length. */
function cut(
  text: string,
  from: number,
  to: number,
  maxTokens: number,
  countTokens: CountTokens,
  depth: number,
): Piece[] {
  const part = text.slice(from, to);
  // A token is rarely longer than forty characters, so a very long part is too long without counting.
  const tokens = part.length > maxTokens * longestToken ? Number.POSITIVE_INFINITY : countTokens(part);
  if (tokens <= maxTokens) return part.trim() === "" ? [] : [{ from, to, tokens }];
  const joint = joints[depth];
  if (!joint) return cutByLength(text, from, to, maxTokens, countTokens);
  const pieces: Piece[] = [];
  let start = 0;
  for (const match of [...part.matchAll(joint), null]) {
    const end = match?.index ?? part.length;
    if (end > start) pieces.push(...cut(text, from + start, from + end, maxTokens, countTokens, depth + 1));
    start = end + (match?.[0].length ?? 0);
  }
  return depth === joints.length - 1 ? together(text, pieces, maxTokens, countTokens) : pieces;
}

/** Tokens of this many characters are rare even in prose. */
const longestToken = 40;

/** Words one by one would be far too many pieces: as many as fit stay together. */
function together(text: string, words: readonly Piece[], maxTokens: number, countTokens: CountTokens): Piece[] {
  const pieces: Piece[] = [];
  for (const word of words) {
    const last = pieces.at(-1);
    if (last && last.tokens + word.tokens + 1 <= maxTokens) {
      last.to = word.to;
      last.tokens += word.tokens + 1;
    } else pieces.push({ ...word });
  }
  return pieces.map(({ from, to }) => ({ from, to, tokens: countTokens(text.slice(from, to)) }));
}

function cutByLength(text: string, from: number, to: number, maxTokens: number, countTokens: CountTokens): Piece[] {
  const pieces: Piece[] = [];
  for (let start = from; start < to; ) {
    let end = Math.min(to, start + maxTokens);
    // No pair of surrogates is divided.
    if (end < to && /[\udc00-\udfff]/.test(text.charAt(end))) end += end > start + 1 ? -1 : 1;
    let tokens = countTokens(text.slice(start, end));
    while (tokens > maxTokens && end > start + 2) {
      end = start + Math.ceil((end - start) / 2);
      if (/[\udc00-\udfff]/.test(text.charAt(end))) end += 1;
      tokens = countTokens(text.slice(start, end));
    }
    pieces.push({ from: start, to: end, tokens });
    start = end;
  }
  return pieces;
}
