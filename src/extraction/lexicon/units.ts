// Units that names of fields end in: "area_sqft" asks for the area, and for square feet only.
import stored from "./unit-names.json" with { type: "json" };

interface Unit {
  names: readonly string[];
  /** How pages write it behind or before a number. */
  written: RegExp;
}

const units: readonly Unit[] = Object.entries(stored).map(([names, written]) => ({
  names: names.split(" "),
  written: new RegExp(written, "i"),
}));

export function unitOf(word: string): Unit | null {
  return units.find(({ names }) => names.includes(word)) ?? null;
}

/** Whether a text may be in the unit that a name ends in: it says so, or says none at all. */
export function isInUnit(words: readonly string[], text: string): boolean {
  const wanted = words.length > 1 ? unitOf(words.at(-1) ?? "") : null;
  if (!wanted || wanted.written.test(text)) return true;
  return !/[\p{L}\p{Sc}%²]/u.test(text);
}
