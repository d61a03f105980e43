import type { FormatRow } from "./format-row.ts";

export const html: FormatRow<"html"> = {
  source: "content",
  field: "html",
  content: () => ({ html: true }),
  // What the content room already explained is not said twice.
  whenEmpty: ({ html: text, warning }) => (text === "" && warning === undefined ? "The page is empty." : null),
};
