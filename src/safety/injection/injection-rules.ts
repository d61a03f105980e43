// The rules for prompt injections, which are data. Rules look only at the surroundings of their stems, so a page without stems
// costs one search. Every repetition in a pattern is bounded, so the cost is linear in the length of the text.
import { patternOf } from "../patterns/stored-pattern.ts";
import stored from "./injection-rules.json" with { type: "json" };

/** What a place does: orders to forget orders, words to a model, turns of a conversation, leaks of data, or smuggled text. */
export type InjectionKind = "override" | "address" | "turn" | "leak" | "smuggled";

export interface Rule {
  kind: InjectionKind;
  /** Global. */
  pattern: RegExp;
  /** It counts only as an order: "tells a model to ignore its rules" is a report. */
  isOrder?: boolean;
}

export interface RuleFamily {
  /** One of them is in every match. */
  stems: readonly string[];
  rules: readonly Rule[];
}

interface StoredFamily {
  stems: readonly string[];
  rules: readonly { kind: string; isOrder?: boolean; pattern: string }[];
}

/** In the Latin alphabet. */
export const latinFamilies = stored.latin.map(readFamily);
/** In all others. */
export const otherFamilies = stored.others.map(readFamily);

function readFamily({ stems, rules }: StoredFamily): RuleFamily {
  const readRule = ({ kind, pattern, isOrder = false }: StoredFamily["rules"][number]): Rule => ({
    kind: kind as InjectionKind,
    pattern: patternOf(pattern, "gi", stored.parts),
    isOrder,
  });
  return { stems, rules: rules.map(readRule) };
}
