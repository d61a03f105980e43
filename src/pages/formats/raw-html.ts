import type { FormatRow } from "./format-row.ts";

export const rawHtml: FormatRow<"rawHtml"> = {
  source: "content",
  field: "rawHtml",
  content: () => ({ rawHtml: true }),
  whenEmpty: ({ rawHtml: text }) => (text === "" ? "The page is empty." : null),
};
