// Removes from values what does not belong to them: words for the page around a name, and other values of the page.

import type { WantedField } from "../fields/wanted-fields.ts";
import type { Found } from "../findings/finding.ts";
import { keyOf, singular } from "../lexicon/names.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import type { FieldCandidate } from "../ranking/candidate.ts";
import { findDate } from "../values/dates.ts";
import { isStructured, withoutLabel } from "./candidate-text.ts";

/** Words behind a name that say what kind of page it is. */
const pageWords = new Set(
  "review reviews overview profile details detail information info page stats biography bio specs specifications home".split(
    " ",
  ),
);

/** Before values are compared. `around`: words for the thing itself. Structured data says what it means, but for the site's name. */
export function shorten(
  field: WantedField,
  { found, method }: FieldCandidate,
  around: readonly string[],
  page: ParsedPage,
): void {
  if (isStructured(method) && method !== "meta") {
    if (field.kind === "title" && found.kind === "value" && typeof found.value === "string")
      found.value = withoutSiteName(found.value, page);
    return;
  }
  if (field.kind === "names")
    for (const name of found.kind === "list" ? found.items : [found]) shortenName(field, name);
  if (found.kind !== "value" || typeof found.value !== "string") return;
  if (field.kind === "title") found.value = withoutPageWords(found.value, around);
  else if (field.kind === "text") found.value = withoutDate(found.value);
}

/** "Author Maren Holt on May 3, 2024 2 comments" -> "Maren Holt". */
function shortenName(field: WantedField, name: Found): void {
  if (name.kind !== "value" || typeof name.value !== "string") return;
  const date = findDate(name.value);
  const until = date && date.iso.length >= 7 ? name.value.indexOf(date.text) : -1;
  const own =
    until > 3 ? name.value.slice(0, until).replace(/(?:[\s,;|·•–—-]|\b(?:on|am|le|el|il|op))+$/i, "") : name.value;
  const bare = withoutLabel(field, own).replace(/^(?:by|von|par|por|di|door|av|af)[:\s]\s*(?=\p{Lu})/iu, "");
  if (/\p{L}{2}/u.test(bare)) name.value = bare;
}

/** Once all are chosen. Values are shortened in place, never replaced by others. */
export function refine(
  taken: ReadonlyMap<WantedField, FieldCandidate>,
  around: readonly string[],
  page: ParsedPage,
): void {
  for (const [field, candidate] of taken) {
    const { found, method } = candidate;
    if (field.kind !== "title" || (isStructured(method) && method !== "meta")) continue;
    if (found.kind !== "value" || typeof found.value !== "string") continue;
    found.value = withoutOthers(found.value, field, taken);
    shorten(field, candidate, around, page);
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

/** "Apple cake | Holt's Kitchen" -> "Apple cake", where the site calls itself so. */
function withoutSiteName(title: string, page: ParsedPage): string {
  const match = title.length > 300 ? null : /^(.{3,}?)\s+[|–—·•»-]\s+([^|–—]+)$/u.exec(title);
  return match?.[1] && match[2] && page.isSiteName(match[2]) ? match[1] : title;
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

/** Where values of a field have a form, those without it are other things of the same name. */
export function ofForm({ pattern }: WantedField, candidates: FieldCandidate[]): FieldCandidate[] {
  const own = pattern
    ? candidates.filter(({ found }) => found.kind === "value" && pattern.test(String(found.value)))
    : [];
  return own.length > 0 ? own : candidates;
}
