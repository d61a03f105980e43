import type { FormatRow } from "./format-row.ts";

export const product: FormatRow<"product"> = {
  source: "answer",
  field: "product",
  answer: () => ({ product: true }),
  readsText: "with a model",
};
