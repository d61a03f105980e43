// A value that one method proposes for a field.
import type { Element } from "domhandler";
import type { Found, Method } from "../findings/finding.ts";

export interface Candidate {
  method: Method;
  confidence: number;
  found: Found;
  /** Elements of the values, in their order: selectors are written for what is taken only. */
  elements: Element[];
}
