import type { FormatRow } from "./format-row.ts";

export const screenshot: FormatRow<"screenshot"> = {
  source: "browser",
  field: "screenshot",
  fromPage(page, collector) {
    const [picture] = "screenshots" in page ? page.screenshots : [];
    return picture ? { screenshot: collector.put(picture) } : {};
  },
  // A cached page was rendered once and is no longer open; pictures of a special look are too rare to keep.
  copies: ({ quality, viewport }) => (quality === undefined && viewport === undefined ? "documents" : "none"),
};
