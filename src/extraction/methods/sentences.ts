// Values that a sentence says of a field by name: "it costs $12,000", "founded in 1920", "has 35 employees".

import type { WantedField } from "../fields/wanted-fields.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { findDate } from "../values/dates.ts";
import { findMoney, numberAtEnd, numberAtStart } from "../values/numbers.ts";
import type { UnnamedValue } from "./unnamed.ts";

/** How many pieces after the title are read. */
const reach = 200;
/** Shorter texts are labels and values, which other methods read, except for what directly follows its name. */
const shortest = 40;
const longest = 5000;
/** At most this much may separate a name from its value: "is about". */
const gap = 24;

/** Of sentences (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** A phrase as sure as this is the name of the field. */
  ownName: 0.95,
  /** Of what a pattern is trusted with. */
  said: 0.7,
};

/** Nothing when sentences contradict each other: to choose between them would be a guess. */
export function findSaid(page: ParsedPage, field: WantedField): UnnamedValue[] {
  if (field.kind !== "money" && field.kind !== "date" && field.kind !== "number") return [];
  const names = namePattern(field);
  if (!names) return [];
  const found = new Map<string, UnnamedValue>();
  for (const { text, element } of page.text.pieces.slice(page.titleAt, page.titleAt + reach)) {
    if (text.length > longest || !/\d/.test(text)) continue;
    const isSentence = text.length >= shortest;
    for (const { index, 0: name } of text.matchAll(names)) {
      const behind = text.slice(index + name.length, index + name.length + gap + 40);
      const value =
        (isSentence || field.kind === "date" ? said(field, sentenceStart(behind), isSentence ? gap : 4) : null) ??
        (field.kind === "number" ? numberAtEnd(text.slice(0, index)) : null);
      if (value !== null) found.set(value, { text: value, element, weight: weights.said });
    }
  }
  return found.size === 1 ? [...found.values()] : [];
}

/** The field's own names as nouns and as verbs: cost, costs. */
function namePattern({ phrases }: WantedField): RegExp | null {
  const names = [...phrases]
    .filter(([phrase, weight]) => weight >= weights.ownName && /^[a-z][a-z ]{2,30}$/.test(phrase))
    .map(([phrase]) => phrase);
  return names.length > 0 ? new RegExp(`\\b(?:${names.join("|")})(?:e?s|e?d)?\\b`, "gi") : null;
}

/** The rest of the clause: "up to the end. Of this" -> "up to the end". */
function sentenceStart(text: string): string {
  return text.split(/[.!?;](?=\s|$)|[,:](?=\s)/, 1)[0] ?? "";
}

function said({ kind }: WantedField, behind: string, widest: number): string | null {
  const value =
    kind === "money"
      ? findMoney(behind)?.text
      : kind === "date"
        ? findDate(behind)?.text
        : numberAtStart(behind.replace(/^\D*/, ""));
  if (value === undefined || value === null) return null;
  const before = behind.slice(0, behind.indexOf(value));
  return before.length <= widest && !/\d/.test(before) ? value : null;
}
