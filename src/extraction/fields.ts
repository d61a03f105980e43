// A wanted field with everything that tells it on a page: its phrases, its keys in structured data, its kind of value.
import type { Concept, Kind } from "./concept.ts";
import { concepts } from "./lexicon.ts";
import { keyOf, phraseOf, phraseOfText, wordsOfName } from "./names.ts";
import type { Wanted } from "./wanted.ts";

export interface Field {
  wanted: Wanted;
  kind: Kind;
  /** Phrases of labels and of names of elements -> how surely they mean this field, 0..1. */
  phrases: Map<string, number>;
  /** Paths of folded keys in structured data, the surest first. */
  keys: string[][];
  metas: string[];
  /** What a value looks like where nothing names it. */
  pattern: RegExp | null;
  /** The thing the page is about is called so. */
  isSubject: boolean;
}

const byName = new Map<string, Concept>();
for (const concept of concepts) {
  for (const name of concept.fields) {
    const phrase = phraseOfText(name);
    if (!byName.has(phrase)) byName.set(phrase, concept);
  }
}

/** Fields that carry the name of what is described, when a schema has none that is called name or title. */
const standIns = ["model", "product", "headline", "label"];

/** The scalar fields and lists of scalars of an object. `around` are words of the object's own name and description. */
export function readFields(wanted: readonly Wanted[], around: readonly string[]): Field[] {
  const plain = wanted.filter(isPlain);
  const fields = plain.map((one) => readField(one, around));
  if (!fields.some((field) => field.kind === "title")) {
    const standIn = fields.find(({ wanted: { words } }) => standIns.includes(words.at(-1) ?? ""));
    if (standIn) {
      standIn.kind = "title";
      standIn.isSubject = true;
      for (const key of titleConcept.keys) standIn.keys.push([keyOf(key)]);
      standIn.metas.push(...titleConcept.metas);
    }
  }
  return fields;
}

const titleConcept = concepts[0] as Concept;

export function isPlain(wanted: Wanted): boolean {
  return wanted.kind === "scalar" || (wanted.kind === "list" && wanted.items?.kind === "scalar");
}

function readField(wanted: Wanted, around: readonly string[]): Field {
  const concept = conceptOf(wanted, around);
  const phrases = new Map<string, number>();
  const add = (phrase: string, weight: number) => {
    if (phrase !== "" && (phrases.get(phrase) ?? 0) < weight) phrases.set(phrase, weight);
  };
  add(phraseOf(wanted.words), 1);
  for (const name of concept?.fields ?? []) add(phraseOfText(name), 0.95);
  for (const label of concept?.labels ?? []) add(phraseOfText(label), label.startsWith("~") ? 0.65 : 0.9);
  for (const phrase of phrasesOfDescription(wanted.description)) add(phrase, 0.85);
  // What the description names in brackets is meant, too: "Price of the car (MSRP)".
  for (const [, named = ""] of wanted.description.matchAll(/\(([^()]{2,30})\)/g)) add(phraseOfText(named), 0.95);
  const keys = [wanted.words.join(""), ...(concept?.keys ?? []), ...(concept?.fields ?? [])];
  return {
    wanted,
    kind: kindOf(wanted, concept),
    phrases,
    keys: [...new Set(keys)].map((key) => key.split(".").map(keyOf)),
    metas: [...(concept?.metas ?? [])],
    pattern: concept?.pattern ?? null,
    isSubject: concept === titleConcept && (wanted.words.length === 1 || around.includes(wanted.words[0] ?? "")),
  };
}

function conceptOf({ words, description }: Wanted, around: readonly string[]): Concept | null {
  const full = byName.get(phraseOf(words));
  if (full) return full;
  const bare = words.filter((word) => !around.includes(word));
  if (bare.length > 0 && bare.length < words.length) {
    const found = byName.get(phraseOf(bare));
    if (found) return found;
  }
  for (let from = 1; from < words.length; from += 1) {
    const found = byName.get(phraseOf(words.slice(from)));
    if (found) return found;
  }
  for (const phrase of phrasesOfDescription(description)) {
    const found = byName.get(phrase);
    if (found) return found;
  }
  return null;
}

/** "SKU or item number the shop uses" -> sku, item number shop use. */
function phrasesOfDescription(description: string): string[] {
  const [first = ""] = description.split(
    /[.;(]|\bsuch as\b|\bfor example\b|\be\.g\.|\bwithout\b|\bwith\b|\bon this\b/i,
  );
  const parts = first
    .split(/,|\bor\b|\band\b|\//i)
    .flatMap((part) => [part, part.replace(/\b(?:of|in|for|that|which|the shop)\b.*$/i, "")]);
  return [...new Set(parts.map(phraseOfText))].filter((phrase) => phrase !== "" && phrase.split(" ").length <= 4);
}

const numeric = new Set<Kind>(["money", "number", "rating", "minutes"]);

function kindOf(wanted: Wanted, concept: Concept | null): Kind {
  const { format, types } = wanted.kind === "list" && wanted.items ? wanted.items : wanted;
  if (format === "date" || format === "date-time") return "date";
  if (format === "email" || format === "idn-email") return "email";
  if (/^(?:uri|iri|url)/.test(format)) return concept?.kind === "image" ? "image" : "url";
  if (format === "duration") return "minutes";
  const isNumber = types.length > 0 && types.every((type) => type === "number" || type === "integer");
  if (isNumber && !numeric.has(concept?.kind ?? "text"))
    return /\bminutes?\b/i.test(wanted.description) ? "minutes" : "number";
  if (concept) return concept.kind;
  const last = wanted.words.at(-1) ?? "";
  if (last === "date") return "date";
  if (last === "url" || last === "link") return "url";
  return "text";
}

/** Words that name the thing itself and so say nothing in a label: "Camera price". */
export function wordsAround(wanted: Wanted): string[] {
  return [...new Set([...wanted.words, ...wordsOfName(wanted.description)])].filter((word) => word.length > 2);
}
