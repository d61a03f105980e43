import type { FormatRow } from "./format-row.ts";

/** A model is asked at most when there is no extractor for the page's host that fits. */
export const deterministicJson: FormatRow<"deterministicJson"> = {
  source: "answer",
  field: "json",
  answer: (format) => ({ deterministic: format }),
  readsText: "with a model",
  paidAs: () => "json",
};
