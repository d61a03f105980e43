// Which candidate is taken: the likeliest by the ranker that ships with the code, or none.
import type { WantedField } from "../fields/wanted-fields.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import type { FieldCandidate, RatedCandidate } from "./candidate.ts";
import { featuresOf, isData, valueKey } from "./features.ts";
import { shippedRanker } from "./ranker.ts";

/** How likely each candidate is the field's value. */
export type CandidateRater = (
  field: WantedField,
  candidates: readonly FieldCandidate[],
  page: ParsedPage,
) => readonly number[];

/** Ratings are the ranker's own probabilities, turned into a confidence afterwards. Below this a candidate is a guess. */
const leastRating = 0.2;
/** What a page says of itself to programs is taken unless something else is surer by this much. */
const dataMargin = 0.2;
const sureData = 0.5;

export const rateCandidates: CandidateRater = (field, candidates, page) =>
  featuresOf(field, candidates, page).map((row) => shippedRanker.probability(row));

/** Of candidates with the same value the first is taken: they are ordered by how plainly they say it. */
export function likeliest(
  candidates: readonly FieldCandidate[],
  ratings: readonly number[],
  confidence: (rating: number) => number = shippedRanker.confidence,
): RatedCandidate | null {
  let best = -1;
  let most = 0;
  for (const [place, candidate] of candidates.entries()) {
    const own = ratings[place] ?? 0;
    const score = own + (isData(candidate) && own >= sureData ? dataMargin : 0);
    if (own >= leastRating && score > most) [best, most] = [place, score];
  }
  const chosen = candidates[best];
  if (!chosen) return null;
  const key = valueKey(chosen.found);
  const first = candidates.find(({ found }) => valueKey(found) === key) ?? chosen;
  return { ...first, confidence: confidence(ratings[best] ?? 0) };
}
