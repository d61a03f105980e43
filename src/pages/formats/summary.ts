import type { FormatRow } from "./format-row.ts";

export const summary: FormatRow<"summary"> = {
  source: "answer",
  field: "summary",
  answer: () => ({ summary: true }),
  readsText: "always",
};
