import type { FormatRow } from "./format-row.ts";

export const tables: FormatRow<"tables"> = {
  source: "content",
  field: "tables",
  content: () => ({ tables: true }),
  whenEmpty: ({ tables: found }) => (found?.length === 0 ? "The page has no tables of data." : null),
};
