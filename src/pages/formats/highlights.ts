import type { FormatRow } from "./format-row.ts";

export const highlights: FormatRow<"highlights"> = {
  source: "answer",
  field: "highlights",
  answer: (format) => ({ highlights: format.query }),
  readsText: "always",
  paidAs: () => "highlights",
};
