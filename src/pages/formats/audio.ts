import type { FormatRow } from "./format-row.ts";

/** The first URL under the name that clients know, and everything under one of its own. */
export const audio: FormatRow<"audio"> = {
  source: "content",
  field: "audio",
  content: () => ({ audio: true }),
  fromContent({ audio: found = [] }) {
    const [first] = found;
    return { ...(first ? { audio: first.url } : {}), audios: found };
  },
  paidAs: () => "audio",
  whenEmpty: ({ audios }) => (audios?.length === 0 ? "The page has no audio." : null),
};
