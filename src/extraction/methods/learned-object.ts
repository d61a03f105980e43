// An object whose every field is at its learned place: nothing else is searched.
import { isScalarField, readFields, type WantedField, wordsAround } from "../fields/wanted-fields.ts";
import type { Found } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import type { FieldCandidate } from "../ranking/candidate.ts";
import type { Wanted } from "../schema/wanted.ts";
import type { Chooser } from "./candidate-chooser.ts";
import { refine } from "./refine.ts";
import { writePlaces } from "./write-places.ts";

/** Of a value at its learned place, on a page that was not searched. */
const confidence = 0.9;

interface Above {
  page: ParsedPage;
  /** Words for the thing itself. */
  around: readonly string[];
  path: readonly string[];
}

/** Null unless every field is at its learned place. */
export function readWhole(chooser: Chooser, wanted: Wanted, { page, around, path }: Above): Found | null {
  const own = [...new Set([...around, ...wordsAround(wanted)])];
  const taken = new Map<WantedField, FieldCandidate>();
  for (const field of readFields(wanted.fields, own, page.isDayFirst)) {
    const learned = chooser.learned(field, own, path);
    // What every page calls the same is not what it is about.
    if (!learned || (field.kind === "title" && !learned.isTelling)) return null;
    taken.set(field, learned);
  }
  refine(taken, own, page);
  const found: Record<string, Found> = {};
  for (const [field, learned] of taken) {
    writePlaces({ ...learned, confidence });
    define(found, field.wanted.name, learned.found);
  }
  for (const field of wanted.fields) {
    if (isScalarField(field)) continue;
    const at = { page, around: own, path: [...path, field.name] };
    const below = field.kind === "object" ? readWhole(chooser, field, at) : null;
    if (!below) return null;
    define(found, field.name, below);
  }
  return wanted.fields.length > 0 ? { kind: "object", fields: found } : null;
}
