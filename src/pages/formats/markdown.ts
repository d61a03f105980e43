import type { FormatRow } from "./format-row.ts";

/** Says itself why it is empty: the content room knows what it left out. */
export const markdown: FormatRow<"markdown"> = {
  source: "content",
  field: "markdown",
  content: () => ({ markdown: true }),
};
