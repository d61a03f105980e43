// Writes the selectors of values that were chosen, and of no others.
import { elementPlace } from "../page/text-pieces.ts";
import type { RatedCandidate } from "../ranking/candidate.ts";

export function writePlaces({ found, elements, confidence }: RatedCandidate): void {
  const values = found.kind === "list" ? found.items : [found];
  for (const [index, value] of values.entries()) {
    const element = elements[index];
    if (value.kind !== "value") continue;
    value.place.confidence = Math.round(confidence * 100) / 100;
    if (element) Object.assign(value.place, elementPlace(element));
  }
}
