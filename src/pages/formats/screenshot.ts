import type { PageFormat } from "./page-format.ts";

export const screenshot: PageFormat<"screenshot"> = {
  browserTasks: (format) => ({ screenshots: [format] }),
  fromPage(page, put) {
    const [picture] = "screenshots" in page ? page.screenshots : [];
    return picture ? { screenshot: put(picture) } : {};
  },
  // A cached page was rendered once and is no longer open; pictures of a special look are too rare to keep.
  copies: ({ quality, viewport }) => (quality === undefined && viewport === undefined ? "documents" : "none"),
};
