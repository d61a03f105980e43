// How texts of candidates are read before they become values.

import type { WantedField } from "../fields/wanted-fields.ts";
import type { FindingMethod } from "../findings/finding.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { phraseOf } from "../lexicon/names.ts";
import { tidy } from "../values/coerce.ts";
import type { ListItem } from "./list-items.ts";

/** One text that holds several items: steps in lines, names between commas. */
export function partsOf(field: WantedField, text: string, siblings: number): string[] {
  if (siblings > 1) return [text];
  if (field.kind === "long") return text.split(/\n+/).filter((part) => part.trim() !== "");
  return text.length < 200 ? text.split(/\s*[,;|\n]\s*/).filter((part) => part !== "") : text.split(/\n+/);
}

/** How surely a label means a field when it is not one of its phrases (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** "Wi-Fi" for wifi. */
  sameLetters: 0.95,
  /** "Camera price" for the price, where cameras are wanted. */
  withoutSubject: 0.9,
  /** One word more before or behind: "list price". */
  furtherWord: 0.6,
};

export function labelWeight(field: WantedField, phrase: string, around: readonly string[]): number {
  const whole = field.phrases.get(phrase);
  if (whole !== undefined) return whole;
  const words = phrase.split(" ");
  if (words.length > 1 && words.join("") === phraseOf(field.wanted.words).replaceAll(" ", ""))
    return weights.sameLetters;
  const bare = words.filter((word) => !around.includes(word));
  if (bare.length > 0 && bare.length < words.length) {
    const weight = field.phrases.get(bare.join(" "));
    if (weight !== undefined) return weight * weights.withoutSubject;
  }
  if (words.length > 1 && words.length <= 4) {
    const last = field.phrases.get(words.slice(1).join(" "));
    if (last !== undefined && field.kind !== "title") return last * weights.furtherWord;
    const first = field.phrases.get(words.slice(0, -1).join(" "));
    if (first !== undefined && field.kind !== "title") return first * weights.furtherWord;
  }
  return 0;
}

export function withoutLabel(field: WantedField, text: string): string {
  const colon = /^([^:：]{2,40})[:：]\s*(.+)$/s.exec(text);
  if (colon?.[2]) return colon[2];
  for (const phrase of field.phrases.keys()) {
    if (phrase.length > 2 && text.toLowerCase().startsWith(`${phrase} `) && text.length > phrase.length + 1)
      return tidy(text.slice(phrase.length));
  }
  return text;
}

export function isStructured(method: FindingMethod): boolean {
  return isMachine(method) || method === "microdata" || method === "rdfa";
}

export function isMachine(method: FindingMethod): boolean {
  return method === "json-ld" || method === "page-state" || method === "meta";
}

/** Whether what may be the field's label may be its value, too: "In stock". */
export function isOwnValue(field: WantedField, text: string): boolean {
  return field.kind === "terms" || (field.kind === "availability" && availabilityOf(text) !== null);
}

/** Numbers in data have a decimal point and no thousands: 23.450 is not 23450. */
export function plainNumber(text: string): string {
  return /^\d+\.\d{3,}$/.test(text.trim()) ? String(Number(text)) : text;
}

/** Of several offers, one that is available counts. */
export function inStockFirst(items: readonly ListItem[]): ListItem[] {
  return [...items].sort(
    (one, other) => Number(availabilityOf(other.text) === true) - Number(availabilityOf(one.text) === true),
  );
}
