import { type PageBranding, readLookText } from "./branding-script.ts";
import type { PageFormat } from "./page-format.ts";

export const branding: PageFormat<"branding"> = {
  browserTasks: () => ({ scripts: { branding: readLookText } }),
  fromPage(page) {
    const found = "scripts" in page ? (page.scripts.branding as PageBranding | undefined) : undefined;
    return found ? { branding: found } : { warning: "Branding could not be extracted from this page." };
  },
  // A cached page was rendered once and is no longer open.
  copies: () => "documents",
  withoutBrowser: "SCRAPE_BRANDING_NOT_SUPPORTED",
};
