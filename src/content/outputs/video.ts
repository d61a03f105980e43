import type { ContentFormat } from "./content-format.ts";
import { type PageMedia, readMedia } from "./media.ts";

/** The first URL under the name that clients know, and everything under a name that only Trawl has. */
export const video: ContentFormat<{ video?: string; videos: PageMedia[] }> = {
  fromTree(page) {
    const found = readMedia("video", page);
    const [first] = found;
    return { ...(first ? { video: first.url } : {}), videos: found };
  },
  fromText: () => ({ videos: [] }),
  whenEmpty: ({ videos }) => (videos.length === 0 ? "The page has no video." : null),
};
