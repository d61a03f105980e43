// What changed between two readings of a page's text, line by line. Lines in which only rotating or ignored parts differ, or
// numbers within a tolerance, count as the same.
import { diffLines } from "../text/index.ts";
import { isClose, numberOfText } from "./compare-fields.ts";
import { isAdLabel, withoutRotating } from "./rotating-text.ts";

export interface TextReading {
  text: string;
  /** When it was read. */
  at: number;
}

export interface TextRules {
  /** Takes out of a line what the rules ignore. */
  ignore(line: string): string;
  /** Of every number; undefined: none. */
  tolerance: number | undefined;
}

export interface TextComparison {
  /** A unified diff; "" when nothing changed. */
  diff: string;
  /** Of the words of both texts, 0 to 1. */
  changedShare: number;
}

/** Lines that are compared closely; beyond them, any difference counts. */
const mostLines = 5000;
const longestDiff = 500_000;
const numberPattern = /\d[\d.,]*/g;

export function compareTexts(before: TextReading, after: TextReading, rules: TextRules): TextComparison {
  const nothing = { diff: "", changedShare: 0 };
  if (before.text === after.text) return nothing;
  const oldLines = withoutAds(before.text.split("\n"));
  const newLines = withoutAds(after.text.split("\n"));
  const oldSet = new Set(oldLines);
  const newSet = new Set(newLines);
  const looking = { left: mostLines };
  const shape = (line: string, at: number) => {
    looking.left -= 1;
    return looking.left < 0 ? line : rules.ignore(withoutRotating(line, at)).replace(/\s+/g, " ").trim();
  };
  const unmatched = new Map<string, string>();
  for (const line of newLines) if (!oldSet.has(line)) unmatched.set(shape(line, after.at), line);
  const isGone = (line: string, known: ReadonlySet<string>, at: number) =>
    line.trim() !== "" && !known.has(line) && shape(line, at) === "";
  const numbers = rules.tolerance === undefined ? null : byShapeOfNumbers(unmatched.values());
  const old = oldLines
    .filter((line) => !isGone(line, newSet, before.at))
    .map((line) => {
      if (newSet.has(line)) return line;
      return unmatched.get(shape(line, before.at)) ?? closestLine(line, numbers, rules.tolerance) ?? line;
    });
  const now = newLines.filter((line) => !isGone(line, oldSet, after.at));
  const { text, chunks } = diffLines(old.join("\n"), now.join("\n"));
  if (text === "" || isBlank(chunks)) return nothing;
  const changes = chunks.flatMap((chunk) => chunk.changes);
  const wordsOf = (type: "add" | "del") =>
    changes.flatMap((change) => (change.type === type ? words(change.content.slice(1)) : []));
  const total = Math.max(words(before.text).length, words(after.text).length, 1);
  const changed = countDifferent(wordsOf("del"), wordsOf("add"));
  const diff = text.length > longestDiff ? `${text.slice(0, longestDiff)}\n…` : text;
  return { diff, changedShare: Math.min(1, changed / total) };
}

/** A label such as "Advertisement" is removed with the paragraph that follows it. */
function withoutAds(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let isBehindLabel = false;
  for (const line of lines) {
    if (isBehindLabel && line.trim() !== "") {
      isBehindLabel = false;
      if (!line.startsWith("#")) continue;
    }
    if (isAdLabel(line)) {
      isBehindLabel = true;
      continue;
    }
    kept.push(line);
  }
  return kept;
}

/** Only empty lines were added or removed. */
function isBlank(chunks: ReturnType<typeof diffLines>["chunks"]): boolean {
  return chunks.every(({ changes }) =>
    changes.every(({ type, content }) => type === "normal" || content.slice(1).trim() === ""),
  );
}

function byShapeOfNumbers(lines: Iterable<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines) {
    const shape = line.replace(numberPattern, "#");
    if (shape !== line) found.set(shape, [...(found.get(shape) ?? []), line]);
  }
  return found;
}

/** The new line that says the same with numbers that are close enough. */
function closestLine(line: string, lines: Map<string, string[]> | null, tolerance: number | undefined): string | null {
  if (lines === null || tolerance === undefined) return null;
  const numbers = (text: string) => (text.match(numberPattern) ?? []).map((one) => numberOfText(one) ?? Number.NaN);
  const own = numbers(line);
  const candidates = lines.get(line.replace(numberPattern, "#")) ?? [];
  return (
    candidates.find((other) =>
      numbers(other).every((number, at) => isClose(number, own[at] ?? Number.NaN, tolerance)),
    ) ?? null
  );
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words that are in one list only; a replaced word counts once. */
function countDifferent(removed: readonly string[], added: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of removed) left.set(word, (left.get(word) ?? 0) + 1);
  let extra = 0;
  for (const word of added) {
    const count = left.get(word) ?? 0;
    if (count > 0) left.set(word, count - 1);
    else extra += 1;
  }
  const lost = [...left.values()].reduce((sum, count) => sum + count, 0);
  return Math.max(lost, extra);
}
