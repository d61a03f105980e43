import type { FormatRow } from "./format-row.ts";

export const json: FormatRow<"json"> = {
  source: "answer",
  field: "json",
  answer: (format) => ({ json: format }),
  readsText: "with a model",
  paidAs: () => "json",
};
