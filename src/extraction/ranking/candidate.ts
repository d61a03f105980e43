// A value that one method proposes for a field.
import type { Element } from "domhandler";
import type { FindingMethod, Found } from "../findings/finding.ts";

/** What its method knows of a candidate; what does not apply is absent. */
export interface CandidateSigns {
  /** How surely its label means the field, 0..1. */
  named?: number;
  /** How well its text fits as a value, 0..1. */
  fit?: number;
  /** How many candidates of its method come before it. */
  order?: number;
  /** Place of its thing, and of the key, among those that may hold the field. */
  rank?: number;
  keyRank?: number;
  hasColon?: boolean;
  isBeside?: boolean;
  /** Elements of the same name, or values in the same column. */
  crowd?: number;
  /** The piece of text that names it. */
  at?: number;
  /** Of a total: 1 when its parts add up to it, -1 when one of them is as much. */
  parts?: number;
}

export interface FieldCandidate {
  method: FindingMethod;
  found: Found;
  /** Elements of the values, in their order: selectors are written for what is taken only. */
  elements: Element[];
  signs: CandidateSigns;
}

export interface RatedCandidate extends FieldCandidate {
  /** How likely it is right, 0..1. */
  confidence: number;
}
