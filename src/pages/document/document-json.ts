// A finished document as JSON, in bytes. Its outputs are by far the largest part: they are written at most once, for the store
// and for every answer that shows them. The document is frozen, so the JSON stays true.
import { joinObjects } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import { withoutPictureNamesIn } from "../media/pictures.ts";

export interface DocumentJson {
  /** Writes the outputs unless that was done before. */
  write(): void;
  /** The outputs alone. */
  outputs(): Buffer;
  /** The outputs without what differs from reading to reading. */
  comparable(): Buffer;
  /** The whole document. */
  whole(): Buffer;
  /** Whether the outputs are written. */
  isWritten(): boolean;
  /** The document with other metadata and warning. */
  with(rest: Pick<Document, "warning" | "metadata">): Buffer;
}

export function createDocumentJson(document: Document): DocumentJson {
  Object.freeze(document);
  let outputs: Buffer | null = null;
  function write(): Buffer {
    if (outputs === null) {
      const { metadata: _, warning: __, ...rest } = document;
      outputs = Buffer.from(JSON.stringify(rest));
    }
    return outputs;
  }
  return {
    write: () => void write(),
    outputs: write,
    comparable: () => withoutPictureNamesIn(write()),
    whole() {
      const { metadata, warning } = document;
      return joinObjects(write(), JSON.stringify({ warning, metadata }));
    },
    isWritten: () => outputs !== null,
    with: ({ warning, metadata }) => joinObjects(write(), JSON.stringify({ warning, metadata })),
  };
}
