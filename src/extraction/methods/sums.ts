// The total time of a page that shows its parts: preparation and cooking add up to it, and neither of them is it.
import type { WantedField } from "../fields/wanted-fields.ts";
import type { FieldCandidate } from "../ranking/candidate.ts";

export interface FieldWithCandidates {
  field: WantedField;
  candidates: FieldCandidate[];
}

/** A phrase as sure as this is the field's own name. */
const ownName = 0.95;

/** Says of the candidates for a total whether the parts add up to them, and proposes the sum where nothing else does. */
export function compareWithParts(all: readonly FieldWithCandidates[]): void {
  const fieldOf = (name: string) => all.find(({ field }) => (field.phrases.get(name) ?? 0) >= ownName);
  const total = fieldOf("total time");
  const parts = [fieldOf("prep time"), fieldOf("cook time")].map((part) => (part ? plainest(part.candidates) : null));
  if (total?.field.kind !== "minutes" || total.field.wanted.kind !== "scalar") return;
  const [first, second] = parts;
  const sum = first && second ? minutesOf(first) + minutesOf(second) : 0;
  const most = Math.max(0, ...parts.map((part) => (part ? minutesOf(part) : 0)));
  for (const candidate of total.candidates) {
    const own = minutesOf(candidate);
    candidate.signs.parts = sum > most && own === sum ? 1 : own <= most ? -1 : 0;
  }
  if (!first || !second || sum <= most || total.candidates.some((one) => minutesOf(one) === sum)) return;
  const texts = [first, second].map(({ found }) => (found.kind === "value" ? found.place.text : ""));
  const place = { method: "pattern", selector: "", text: texts.join(" + "), confidence: 0 } as const;
  const named = Math.min(first.signs.named ?? 1, second.signs.named ?? 1);
  total.candidates.push({
    method: "pattern",
    elements: first.elements.slice(0, 1),
    found: { kind: "value", value: sum, place },
    signs: { named, fit: 1, parts: 1 },
  });
}

/** Data comes first; of what is shown, what is named most surely. */
function plainest(candidates: readonly FieldCandidate[]): FieldCandidate | null {
  let best: FieldCandidate | null = null;
  for (const one of candidates) if (!best || (one.signs.named ?? 0) > (best.signs.named ?? 1)) best = one;
  return best && minutesOf(best) > 0 ? best : null;
}

function minutesOf({ found }: FieldCandidate): number {
  return found.kind === "value" && typeof found.value === "number" ? found.value : 0;
}
