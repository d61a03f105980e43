// Units that names of fields end in: "area_sqft" asks for the area, and for square feet only.

interface Unit {
  names: readonly string[];
  /** How pages write it behind or before a number. */
  written: RegExp;
}

const unit = (names: string, written: RegExp): Unit => ({ names: names.split(" "), written });

const units: readonly Unit[] = [
  unit("sqft sf", /sq\.?\s?(?:ft|feet)|ft²|ft2|square\s(?:feet|foot)|\bsf\b/i),
  unit("sqm m2 qm", /m²|m2|sq\.?\s?m\b|qm|square\smet/i),
  unit("kg kilograms", /kg|kilo/i),
  unit("g grams", /\bg\b|\d\s?g\b|gram/i),
  unit("lb lbs pounds", /lbs?\b|pound/i),
  unit("oz ounces", /oz\b|ounce/i),
  unit("mm", /mm\b/i),
  unit("cm", /cm\b/i),
  unit("km kilometers", /km\b|kilomet/i),
  unit("mi miles", /\bmi\b|\d\s?mi\b|mile/i),
  unit("usd dollars", /\$|usd|dollar/i),
  unit("eur euros", /€|eur/i),
  unit("gbp", /£|gbp/i),
  unit("percent pct", /%|percent|prozent/i),
  unit("mb", /mb\b/i),
  unit("gb", /gb\b/i),
  unit("minutes mins", /\bmin|\d\s?m\b|\bh\b|\d\s?h|hour|stund|heure|hora|^P/i),
];

export function unitOf(word: string): Unit | null {
  return units.find(({ names }) => names.includes(word)) ?? null;
}

/** Whether a text may be in the unit that a name ends in: it says so, or says none at all. */
export function isInUnit(words: readonly string[], text: string): boolean {
  const wanted = words.length > 1 ? unitOf(words.at(-1) ?? "") : null;
  if (!wanted || wanted.written.test(text)) return true;
  return !/[\p{L}\p{Sc}%²]/u.test(text);
}
