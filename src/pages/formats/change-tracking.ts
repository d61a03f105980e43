import { type PageFormat, readerInput } from "./page-format.ts";

/** Compares the page with its last scrape, so a cached copy says nothing. */
export const changeTracking: PageFormat<"changeTracking"> = {
  copies: () => "none",
  // Following the changes of data takes the same work as answering them.
  paidAs: ({ modes }) => (modes.includes("json") ? "json" : null),
  wants: readerInput,
};
