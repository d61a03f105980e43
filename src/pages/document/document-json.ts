// A finished document as JSON text. Its outputs are by far the largest part: they are written at most once, for the store
// and for every answer that shows them. The document is frozen, so the text stays true.
import { joinObjectTexts } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";

export interface DocumentJson {
  /** Writes the outputs unless that was done before. */
  write(): void;
  /** The outputs alone. */
  outputs(): string;
  /** The whole document. */
  whole(): string;
  /** Whether the outputs are written. */
  isWritten(): boolean;
  /** The document with other metadata and warning. */
  with(rest: Pick<Document, "warning" | "metadata">): string;
}

export function createDocumentJson(document: Document): DocumentJson {
  Object.freeze(document);
  let outputs: string | null = null;
  function write(): string {
    if (outputs === null) {
      const { metadata: _, warning: __, ...rest } = document;
      outputs = JSON.stringify(rest);
    }
    return outputs;
  }
  return {
    write: () => void write(),
    outputs: write,
    whole() {
      const { metadata, warning } = document;
      return joinObjectTexts(write(), JSON.stringify({ warning, metadata }));
    },
    isWritten: () => outputs !== null,
    with: ({ warning, metadata }) => joinObjectTexts(write(), JSON.stringify({ warning, metadata })),
  };
}
