import type { ContentFormat } from "./content-format.ts";
import { type PageMedia, readMedia } from "./media.ts";

/** The first URL under the name that clients know, and everything under a name that only Trawl has. */
export const audio: ContentFormat<{ audio?: string; audios: PageMedia[] }> = {
  fromTree(page) {
    const found = readMedia("audio", page);
    const [first] = found;
    return { ...(first ? { audio: first.url } : {}), audios: found };
  },
  fromText: () => ({ audios: [] }),
  whenEmpty: ({ audios }) => (audios.length === 0 ? "The page has no audio." : null),
};
