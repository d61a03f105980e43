// The text at the learned place of a field: one more candidate, and evidence for candidates that say the same.
import type { Element } from "domhandler";
import type { FindingMethod } from "../findings/finding.ts";
import type { FieldCandidate } from "../ranking/candidate.ts";
import { valueKey } from "../ranking/features.ts";

export interface LearnedText {
  text: string;
  element: Element;
  method: FindingMethod;
  /** Whether it counts as evidence: not where the place says the same on every page. */
  isTelling: boolean;
}

/** A candidate made of it. */
export type LearnedCandidate = FieldCandidate & Pick<LearnedText, "isTelling">;

/** The rules of a host on one page. */
export interface LearnedTexts {
  at(path: readonly string[]): LearnedText | null;
  /** What was taken for a field, and what its place gave; null: nothing that is a value of it. */
  note(path: readonly string[], taken: Pick<FieldCandidate, "found">, learned: LearnedCandidate | null): void;
}

/** How much the place adds to the odds, as a logarithm, and what it comes to at least (docs/decisions/0020-extraction.md). */
const evidence = 2.5;
const least = 0.5;
const most = 0.98;

export function rateLearned(
  candidates: readonly FieldCandidate[],
  ratings: readonly number[],
  learned: FieldCandidate,
): readonly number[] {
  const key = valueKey(learned.found);
  return candidates.map(({ found }, place) => {
    const own = ratings[place] ?? 0;
    return valueKey(found) === key ? Math.max(own, least, Math.min(most, raised(own))) : own;
  });
}

function raised(rating: number): number {
  const odds = (rating / (1 - rating)) * Math.exp(evidence);
  return odds / (1 + odds);
}

export function isSameValue(one: Pick<FieldCandidate, "found">, other: Pick<FieldCandidate, "found">): boolean {
  return valueKey(one.found) === valueKey(other.found);
}
