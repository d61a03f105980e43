import type { FormatRow } from "./format-row.ts";

export const highlights: FormatRow<"highlights"> = {
  source: "answer",
  field: "highlights",
  answer: ({ query, maxTokens = null }) => ({ highlights: query, highlightTokens: maxTokens }),
  readsText: "always",
  paidAs: () => "highlights",
};
