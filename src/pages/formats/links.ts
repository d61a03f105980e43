import type { FormatRow } from "./format-row.ts";

export const links: FormatRow<"links"> = {
  source: "content",
  field: "links",
  content: () => ({ links: true }),
  whenEmpty: ({ links: found }) => (found?.length === 0 ? "The page has no links." : null),
};
