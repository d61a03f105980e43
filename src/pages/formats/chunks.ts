import type { FormatRow } from "./format-row.ts";

/** Cut after everything else that changes the markdown. */
export const chunks: FormatRow<"chunks"> = {
  source: "text",
  field: "chunks",
  answer: (format) => ({ chunks: format }),
  readsText: "always",
};
