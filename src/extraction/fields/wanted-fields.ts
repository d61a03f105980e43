// A wanted field with everything that identifies it on a page: its phrases, its keys in structured data, its kind of value.
import type { Concept, Kind } from "../lexicon/concepts.ts";
import { concepts } from "../lexicon/concepts.ts";
import { keyOf, phraseOf, phraseOfText, wordsOfName } from "../lexicon/names.ts";
import { unitOf } from "../lexicon/units.ts";
import type { Wanted } from "../schema/wanted.ts";

export interface WantedField {
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
  /** Whether the form of a value is enough: not where the name says whose it is, as in "billing address". */
  isGeneral: boolean;
  /** How 3/4/2024 is read. */
  isDayFirst: boolean;
}

const byName = new Map<string, Concept>();
for (const concept of concepts) {
  for (const name of concept.fields) {
    const phrase = phraseOfText(name);
    if (!byName.has(phrase)) byName.set(phrase, concept);
  }
}

/** Fields that carry the name of what is described, when a schema has none that is called name or title. */
const titleLike = ["model", "product", "headline", "label"];

/** Of the pages of a job, which ask for the same fields. */
const known = new WeakMap<readonly Wanted[], Map<string, readonly WantedField[]>>();

/** The scalar fields and lists of scalars of an object. `around` are words of the object's own name and description. */
export function readFields(
  wanted: readonly Wanted[],
  around: readonly string[],
  isDayFirst: boolean,
): readonly WantedField[] {
  const key = [isDayFirst, ...around].join(" ");
  const own = known.get(wanted) ?? new Map<string, readonly WantedField[]>();
  const fields = own.get(key) ?? readFresh(wanted, around, isDayFirst);
  known.set(wanted, own.set(key, fields));
  return fields;
}

function readFresh(wanted: readonly Wanted[], around: readonly string[], isDayFirst: boolean): WantedField[] {
  const plain = wanted.filter(isScalarField);
  const subject = [...around, ...sharedWord(plain)];
  const fields = plain.map((one) => ({ ...readField(one, subject), isDayFirst }));
  if (!fields.some((field) => field.kind === "title")) {
    const subject = fields.find(({ wanted: { words } }) => titleLike.includes(words.at(-1) ?? ""));
    if (subject) {
      subject.kind = "title";
      subject.isSubject = true;
      for (const key of titleConcept.keys) subject.keys.push([keyOf(key)]);
      subject.metas.push(...titleConcept.metas);
    }
  }
  return fields;
}

const titleConcept = concepts[0] as Concept;

export function isScalarField(wanted: Wanted): boolean {
  return wanted.kind === "scalar" || (wanted.kind === "list" && wanted.items?.kind === "scalar");
}

/** What most names begin with is the thing itself: car_price, car_model. */
function sharedWord(wanted: readonly Wanted[]): string[] {
  const [first] = wanted[0]?.words ?? [];
  const alike = wanted.filter(({ words }) => words.length > 1 && words[0] === first);
  return first !== undefined && alike.length > 1 && alike.length === wanted.length ? [first] : [];
}

/** How surely a phrase means a field that is called otherwise (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** Other names of the field's concept in the lexicon. */
  synonym: 0.95,
  /** Labels of the concept, and those that the lexicon marks as doubtful. */
  label: 0.9,
  doubtfulLabel: 0.65,
  /** "employees" for employee_count. */
  counted: 0.95,
  /** The first words of the field's description, and what it names in brackets. */
  description: 0.85,
  inBrackets: 0.95,
};

function readField(wanted: Wanted, around: readonly string[]): Omit<WantedField, "isDayFirst"> {
  const words = withoutUnit(wanted.words);
  const { concept, isOwn } = conceptOf(words, wanted.description, around);
  const phrases = new Map<string, number>();
  const add = (phrase: string, weight: number) => {
    if (phrase !== "" && (phrases.get(phrase) ?? 0) < weight) phrases.set(phrase, weight);
  };
  add(phraseOf(wanted.words), 1);
  add(phraseOf(words), 1);
  const counted = countedIn(words);
  if (counted) add(phraseOf(counted), weights.counted);
  const told = isOwn ? concept : null;
  for (const name of told?.fields ?? []) add(phraseOfText(name), weights.synonym);
  for (const label of told?.labels ?? [])
    add(phraseOfText(label), label.startsWith("~") ? weights.doubtfulLabel : weights.label);
  for (const phrase of phrasesOfDescription(wanted.description)) add(phrase, weights.description);
  // What the description names in brackets is meant, too: "Price of the car (MSRP)".
  for (const [, named = ""] of wanted.description.matchAll(/\(([^()]{2,30})\)/g))
    add(phraseOfText(named), weights.inBrackets);
  const keys = [wanted.words.join(""), words.join(""), ...(told?.keys ?? []), ...(told?.fields ?? [])];
  return {
    wanted,
    // Another person's name is a text like any other.
    kind: kindOf(wanted, !isOwn && concept === titleConcept ? null : concept),
    isGeneral: isOwn || concept === null,
    phrases,
    keys: [...new Set(keys)].map((key) => key.split(".").map(keyOf)),
    metas: [...(told?.metas ?? [])],
    pattern: told?.pattern ?? null,
    isSubject: told === titleConcept && (wanted.words.length === 1 || around.includes(wanted.words[0] ?? "")),
  };
}

/** Things that schemas put before the names of their fields: "product_price" is the price. */
const things = new Set(
  (
    "product item article book movie film event job company organization organisation business brand store shop restaurant hotel place " +
    "property house home apartment listing car vehicle game song album artist band person player team school university college course " +
    "recipe dish package project repo repository plugin app software library tool page post blog story news paper podcast episode video " +
    "channel show series camera device tour museum park plan service user profile member clinic hospital firm startup festival concert thing"
  ).split(" "),
);

interface Meaning {
  concept: Concept | null;
  /** Whether labels and keys of the concept are the field's own: a "ceo name" is a name, but not the name. */
  isOwn: boolean;
}

function conceptOf(words: readonly string[], description: string, around: readonly string[]): Meaning {
  const full = byName.get(phraseOf(words));
  if (full) return { concept: full, isOwn: true };
  const bare = words.filter((word) => !around.includes(word));
  if (bare.length > 0 && bare.length < words.length) {
    const found = byName.get(phraseOf(bare));
    if (found) return { concept: found, isOwn: true };
  }
  for (let from = 1; from < words.length; from += 1) {
    const found = byName.get(phraseOf(words.slice(from)));
    const isOwn = words.slice(0, from).every((word) => things.has(word) || around.includes(word));
    if (found) return { concept: found, isOwn };
  }
  for (const phrase of phrasesOfDescription(description)) {
    const found = byName.get(phrase);
    if (found) return { concept: found, isOwn: true };
  }
  return { concept: null, isOwn: false };
}

function withoutUnit(words: readonly string[]): readonly string[] {
  return words.length > 1 && unitOf(words.at(-1) ?? "") ? words.slice(0, -1) : words;
}

/** What is counted: employees in "employee_count", "number_of_employees" and "total_employees". */
function countedIn(words: readonly string[]): readonly string[] | null {
  if (words.length < 2) return null;
  if (/^(?:count|total)$/.test(words.at(-1) ?? "")) return words.slice(0, -1);
  if (/^(?:number|num|count|total)$/.test(words[0] ?? "")) return words.slice(words[1] === "of" ? 2 : 1);
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
    return /\bminutes?\b/i.test(`${wanted.description} ${wanted.words.join(" ")}`) ? "minutes" : "number";
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
