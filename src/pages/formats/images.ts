import type { FormatRow } from "./format-row.ts";

export const images: FormatRow<"images"> = {
  source: "content",
  field: "images",
  content: () => ({ images: true }),
  whenEmpty: ({ images: found }) => (found?.length === 0 ? "The page has no images." : null),
};
