import type { FormatRow } from "./format-row.ts";

export const branding: FormatRow<"branding"> = {
  source: "browser",
  field: "branding",
  fromPage(page) {
    const found = "branding" in page ? page.branding : undefined;
    return found ? { branding: found } : { warning: "How the page looks could not be read." };
  },
  // A cached page was rendered once and is no longer open.
  copies: () => "documents",
};
