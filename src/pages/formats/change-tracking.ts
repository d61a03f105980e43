import type { FormatRow } from "./format-row.ts";

/** Compares the page with its last scrape, so a cached copy says nothing. */
export const changeTracking: FormatRow<"changeTracking"> = {
  source: "history",
  field: "changeTracking",
  copies: () => "none",
  // Following the changes of data takes the same work as answering them.
  paidAs: ({ modes }) => (modes.includes("json") ? "json" : null),
};
