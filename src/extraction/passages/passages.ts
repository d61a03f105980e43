// The best passages of a text by BM25: they replace answers and summaries where no language model is configured.
import { isStopWord, stem, wholeWords } from "../../text/index.ts";

export interface TextPassage {
  /** One line, without markup. */
  text: string;
  score: number;
}

/** Text further down is ignored. */
const maxLength = 400_000;
const maxPassages = 4000;
const longestPassage = 600;
const shortestSentence = 25;
/** The usual values of BM25. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Scripts written without spaces, one word per letter. */
const isWide = (word: string) => /^[^\0-\u0dff]/.test(word);

/** Passages that hold words of the query, best first; empty when none does. */
export function findPassages(markdown: string, query: string, limit = 5): TextPassage[] {
  const words = wholeWords(query);
  // A passage that shares nothing but such words with a question answers nothing.
  const telling = words.filter((one) => !isStopWord(one));
  const wanted = [...new Set((telling.length > 0 ? telling : words).map(stem))];
  if (wanted.length === 0) return [];
  const passages = passagesOf(markdown).map((text) => ({ text, counts: countWords(text) }));
  const weights = weightsOf(
    wanted,
    passages.map(({ counts }) => counts),
  );
  const mean = passages.reduce((sum, { counts }) => sum + counts.total, 0) / Math.max(passages.length, 1);
  const scored = passages.map(({ text, counts }) => {
    let score = 0;
    for (const [one, weight] of weights) {
      const times = counts.of.get(one) ?? 0;
      const length = 1 - lengthShare + (lengthShare * counts.total) / mean;
      if (times > 0) score += (weight * times * (saturation + 1)) / (times + saturation * length);
    }
    return { text, score: Math.round(score * 1000) / 1000 };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit);
}

/** The sentences that say most with the words of the whole text, in the text's order; "" when there is no sentence. */
export function summarise(markdown: string, sentences = 4): string {
  // Headings are not sentences; they count only in a text that has nothing else.
  const said = passagesOf(markdown.replace(/^ {0,3}#{1,6} .*$/gm, "\n")).flatMap(sentencesOf);
  const all = (said.length > 0 ? said : passagesOf(markdown).flatMap(sentencesOf)).slice(0, maxPassages);
  const counted = all.map((text, place) => ({ text, place, counts: countWords(text) }));
  const inAll = new Map<string, number>();
  for (const { counts } of counted) for (const one of counts.of.keys()) inAll.set(one, (inAll.get(one) ?? 0) + 1);
  const scored = counted.map(({ text, place, counts }) => {
    let sum = 0;
    // Words of three letters and fewer are mostly grammar.
    for (const one of counts.of.keys()) if (one.length > 3 || isWide(one)) sum += Math.log(inAll.get(one) ?? 1);
    // Most texts begin with what matters.
    return { text, place, score: (sum / Math.sqrt(Math.max(counts.total, 8))) * (1 + 1 / (1 + place)) };
  });
  const chosen: typeof scored = [];
  for (const one of scored.sort((a, b) => b.score - a.score)) {
    if (chosen.length === sentences) break;
    if (!chosen.some(({ text }) => text === one.text)) chosen.push(one);
  }
  return chosen.sort((a, b) => a.place - b.place).reduce((before, { text }) => joinSentence(before, text), "");
}

/** What does not end as a sentence does, an item of a list for instance, stays on its own line. */
function joinSentence(before: string, text: string): string {
  if (before === "") return text;
  const ends = [before, text].every((one) => /[.!?…。！？]["'”’»)]?$/.test(one));
  return `${before}${ends ? " " : "\n"}${text}`;
}

interface WordCounts {
  of: Map<string, number>;
  total: number;
}

function countWords(text: string): WordCounts {
  const of = new Map<string, number>();
  const words = wholeWords(text).map(stem);
  for (const one of words) of.set(one, (of.get(one) ?? 0) + 1);
  return { of, total: words.length };
}

function weightsOf(wanted: readonly string[], counts: readonly WordCounts[]): Map<string, number> {
  return new Map(
    wanted.map((one) => {
      const holders = counts.filter(({ of }) => of.has(one)).length;
      return [one, Math.log(1 + (counts.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
}

/** Paragraphs, list items and table rows as lines without markup; long ones in pieces of whole sentences. */
function passagesOf(markdown: string): string[] {
  const passages: string[] = [];
  const text = markdown.slice(0, maxLength).replace(/^ {0,3}(?:`{3,}|~{3,})[^`\n]*$/gm, "\n");
  for (const block of text.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.|\|)\s)/)) {
    const line = plainLine(block);
    if (line === "") continue;
    let piece = "";
    for (const sentence of line.length > longestPassage ? sentencesOf(line) : [line]) {
      if (piece !== "" && piece.length + sentence.length > longestPassage) {
        passages.push(piece);
        piece = "";
      }
      piece = piece === "" ? sentence : `${piece} ${sentence}`;
    }
    if (piece !== "") passages.push(piece);
    if (passages.length >= maxPassages) break;
  }
  return passages;
}

export function plainLine(block: string): string {
  return block
    .replace(/!\[[^\]]{0,300}\]\([^)\s]{0,2000}[^)]{0,300}\)/g, " ")
    .replace(/\[([^\]]{0,1000})\]\([^)\s]{0,2000}[^)]{0,300}\)/g, "$1")
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/, "")
    .replace(/^[\s|:-]+$/, "")
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, "$1")
    .replace(/\*\*|__|`/g, "")
    .replace(/\s*\|\s*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function sentencesOf(line: string): string[] {
  const parts = line.split(/(?<=[.!?…]["'”’)]?)\s+(?=[\p{Lu}\p{N}"'“‘(])|(?<=[。！？])/u);
  return parts
    .map((part) => part.trim().slice(0, longestPassage))
    .filter((part) => part.length >= shortestSentence || parts.length === 1);
}
