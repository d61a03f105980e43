// What a rule is. Rules look only at the surroundings of the words that call for them, so a page without such words costs one
// search. Every repetition in a pattern is bounded, so the cost grows with the text.

/** What a place does: orders to forget orders, words to a model, turns of a conversation, ways out for data, or smuggled text. */
export type InjectionKind = "override" | "address" | "turn" | "leak" | "smuggled";

export interface Rule {
  kind: InjectionKind;
  /** Global. */
  pattern: RegExp;
  /** Whether it counts only as an order: "tells a model to ignore its rules" is a report. */
  isOrder?: boolean;
}

export interface RuleFamily {
  /**
   * Words that call for the rules: one of them stands in every match. Those of the Latin alphabet are ASCII in lower case, of
   * at least six characters, so that a search for all of them can skip most of a text.
   */
  stems: readonly string[];
  rules: readonly Rule[];
}

/** Makes rules of one kind from the sources of their patterns. */
export function ruleMaker(kind: InjectionKind, isOrder = false): (source: string, flags?: string) => Rule {
  return (source, flags = "gi") => ({ kind, pattern: new RegExp(source, flags), isOrder });
}

/** Of a text with bars between them. */
export function words(text: string): string[] {
  return text.split("|");
}
