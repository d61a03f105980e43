// A value that one method proposes for a field.
import type { Element } from "domhandler";
import type { FindingMethod, Found } from "../findings/finding.ts";

export interface FieldCandidate {
  method: FindingMethod;
  confidence: number;
  found: Found;
  /** Elements of the values, in their order: selectors are written for what is taken only. */
  elements: Element[];
}
