import type { FormatRow } from "./format-row.ts";

/** The first URL under the name that clients know, and everything under one of its own. */
export const video: FormatRow<"video"> = {
  source: "content",
  field: "video",
  content: () => ({ video: true }),
  fromContent({ video: found = [] }) {
    const [first] = found;
    return { ...(first ? { video: first.url } : {}), videos: found };
  },
  paidAs: () => "video",
  whenEmpty: ({ videos }) => (videos?.length === 0 ? "The page has no video." : null),
};
