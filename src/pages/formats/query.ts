import type { FormatRow } from "./format-row.ts";

/** A question under an older name: both fill `answer`, so both together are paid once. */
export const query: FormatRow<"query"> = {
  source: "answer",
  field: "answer",
  answer: ({ prompt, mode }) => ({ question: prompt, isQuoted: mode === "directQuote" }),
  readsText: "always",
  paidAs: () => "question",
};
