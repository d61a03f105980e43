// A document as JSON text. Its outputs are by far the largest part and never change: they are written once, for the store
// and for every answer that shows them.
import { joinObjectTexts } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";

const outputTexts = new WeakMap<Document, string>();

/** Writes the outputs, if that was not done before, for all later answers. */
export function writeOutputs(document: Document): string {
  const known = outputTexts.get(document);
  if (known !== undefined) return known;
  const { metadata: _, warning: __, ...outputs } = document;
  const text = JSON.stringify(outputs);
  outputTexts.set(document, text);
  return text;
}

export function documentText(document: Document): string {
  const { metadata, warning } = document;
  return joinObjectTexts(writeOutputs(document), JSON.stringify({ warning, metadata }));
}

/** The text of `document` with other metadata and warning; null when its outputs were not written before. */
export function textWith(document: Document, rest: Pick<Document, "warning" | "metadata">): string | null {
  const text = outputTexts.get(document);
  return text === undefined ? null : joinObjectTexts(text, JSON.stringify(rest));
}
