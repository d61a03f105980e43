import type { FormatRow } from "./format-row.ts";

export const question: FormatRow<"question"> = {
  source: "answer",
  field: "answer",
  answer: (format) => ({ question: format.question, isQuoted: false }),
  readsText: "always",
  paidAs: () => "question",
};
