// A document as one request is answered with it: others may share it, so what only this request knows is added to a copy.
import type { Document } from "../../contract/index.ts";

/** What one request adds to a document. */
export interface PageFacts {
  facts?: Document["metadata"];
  warnings?: string[];
}

export function assembleDocument(document: Readonly<Document>, { facts, warnings = [] }: PageFacts): Document {
  const whole = { ...document, metadata: Object.assign({}, document.metadata, facts) };
  if (warnings.length > 0) whole.warning = [...warnings, document.warning].filter(Boolean).join(" ");
  return whole;
}
