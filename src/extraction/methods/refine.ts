// What the values of a page say about each other, once all are chosen.

import type { WantedField } from "../fields/fields.ts";
import { keyOf, singular } from "../lexicon/names.ts";
import { findDate } from "../values/dates.ts";
import type { FieldCandidate } from "./candidate.ts";

/** Words behind a name that say what kind of page it is. */
const pageWords = new Set(
  "review reviews overview profile details detail information info page stats biography bio specs specifications home".split(
    " ",
  ),
);

/** `around`: words for the thing itself. Values are shortened in place, never replaced by others. */
export function refine(taken: ReadonlyMap<WantedField, FieldCandidate>, around: readonly string[]): void {
  for (const [field, { found, method }] of taken) {
    // Structured data says what it means.
    if (method === "json-ld" || method === "microdata" || method === "rdfa" || method === "page-state") continue;
    if (found.kind !== "value" || typeof found.value !== "string") continue;
    if (field.kind === "title") {
      found.value = withoutPageWords(withoutOthers(found.value, field, taken), around);
    } else if (field.kind === "text") found.value = withoutDate(found.value);
  }
}

/** "Sales Representative: Acme" -> "Sales Representative", when Acme is the value of another field. */
function withoutOthers(title: string, own: WantedField, taken: ReadonlyMap<WantedField, FieldCandidate>): string {
  const match = /^(.{3,}?)\s*(?:[:|–—-]|\bat\b|\bby\b|\bin\b|\()\s+?(\S.*?)\)?$/.exec(title);
  if (!match?.[1] || !match[2]) return title;
  const rest = keyOf(match[2]);
  for (const [field, { found }] of taken) {
    if (field === own) continue;
    const values =
      found.kind === "value"
        ? [found.value]
        : found.kind === "list"
          ? found.items.map((item) => (item.kind === "value" ? item.value : ""))
          : [];
    if (values.some((value) => typeof value === "string" && value.length > 2 && keyOf(value) === rest))
      return match[1].trim();
  }
  return title;
}

function withoutPageWords(written: string, around: readonly string[]): string {
  // "100 Feet (2008)", "Negima! 22 (Paperback)", "David Lee (basketball)".
  const inBrackets = /^(.+?)\s*\(([^()]{1,25})\)$/.exec(written);
  const isKind =
    inBrackets?.[2] &&
    (/^(?:19|20)\d\d$|^(?:paperback|hardcover|hardback|softcover|dvd|blu-?ray|cd|audio|ebook|kindle)/i.test(
      inBrackets[2],
    ) ||
      around.includes(singular(keyOf(inBrackets[2]))));
  const title = isKind && inBrackets[1] ? inBrackets[1] : written;
  const words = title.split(" ");
  let end = words.length;
  while (end > 1 && pageWords.has(keyOf(words[end - 1] ?? ""))) end -= 1;
  // "Abacus Restaurant Review" is a review of Abacus; "Joe's Restaurant" is a name.
  if (end < words.length) while (end > 1 && around.includes(singular(keyOf(words[end - 1] ?? "")))) end -= 1;
  return (
    words
      .slice(0, end)
      .join(" ")
      .replace(/[\s:|–—-]+$/, "") || title
  );
}

/** "St. Martin's Press March 04, 2008" -> "St. Martin's Press". */
function withoutDate(text: string): string {
  const date = findDate(text);
  if (!date || date.iso.length < 7 || !text.endsWith(date.text)) return text;
  const rest = text.slice(0, -date.text.length).replace(/[\s,;(|–—-]+$/, "");
  return /\p{L}{2}/u.test(rest) ? rest : text;
}
