// The numbers by which candidates for one field are compared (docs/decisions/0010-extraction-weights.md).
import type { FindingMethod } from "../findings/finding.ts";

/** How far a method is trusted: a candidate's confidence is this times its own share and the fit of its text. */
export const trust: Record<FindingMethod, number> = {
  "json-ld": 0.95,
  microdata: 0.93,
  rdfa: 0.9,
  "page-state": 0.84,
  meta: 0.8,
  table: 0.8,
  "definition-list": 0.8,
  label: 0.78,
  "named-element": 0.7,
  heading: 0.72,
  "repeated-block": 0.65,
  pattern: 0.5,
  title: 0.6,
};

export const weights = {
  /** Below this a candidate is a guess. */
  leastConfidence: 0.3,
  /** Of data or tags that say the contrary of what the page shows. */
  outdated: 0.3,
  /** Things of the structured data lose by their rank, down to the least. */
  lossPerRank: 0.05,
  leastOfRank: 0.5,
  /** Descriptions and names in meta tags are often written for search engines. */
  longMeta: 0.85,
  namesMeta: 0.8,
  /** A label names the page's subject only if it is as sure as this, and then for so much. */
  surestLabel: 0.95,
  titleByLabel: 0.65,
  /** Values of labels without a colon or a table: on the label's line, and below it. */
  besideLabel: 0.9,
  belowLabel: 0.85,
  /** A shown item number that is surer than the first counts as the second: more than the number in a shop's data. */
  likelyItemNumber: 0.65,
  shownItemNumber: 0.96,
  /** Of equal candidates of one method the earlier. */
  lossPerPlace: 0.01,
  /** A list in one element, and a value whose element's name many others share. */
  listInOneElement: 0.8,
  sharedName: 0.75,
  /** How much is lost with the distance from the title, within a span of pieces; pages are full of other things' prices. */
  moneySpan: 150,
  moneyLoss: 0.3,
  leastSpan: 200,
  distanceLoss: 0.2,
  /** In a menu, a footer and the like. */
  inFrame: 0.75,
  /** The page's title for a field that is called a title, but of something else. */
  otherTitle: 0.8,
};
