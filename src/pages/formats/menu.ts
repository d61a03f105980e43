import type { FormatRow } from "./format-row.ts";

export const menu: FormatRow<"menu"> = {
  source: "answer",
  field: "menu",
  answer: () => ({ menu: true }),
  readsText: "with a model",
};
