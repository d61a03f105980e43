// Which page of a file holds the lines that a language model read.
import type { TextPlace } from "../../content/index.ts";
import type { Passage } from "../../llm/index.ts";
import type { Place } from "../findings/finding.ts";

/** The text of a file, and where its blocks are. */
export interface PlacedText {
  text: string;
  places: readonly TextPlace[];
}

export type Locate = (passage: Passage) => Pick<Place, "page" | "bbox">;

/** `clean` makes of a text what the model was shown of it. */
export function createLocator(
  pages: readonly { url: string; placed?: PlacedText | undefined }[],
  clean: (text: string) => string,
): Locate {
  const files = pages.flatMap(({ url, placed }) => (placed ? [{ url, ...placed }] : []));
  const blocks = new Map<string, { shown: string; place: TextPlace }[]>();
  return ({ url, text }) => {
    const file = files.find((each) => each.url === url);
    if (!file) return {};
    const known =
      blocks.get(url) ?? file.places.map((place) => ({ place, shown: clean(file.text.slice(place.from, place.to)) }));
    blocks.set(url, known);
    const place = known.find(({ shown }) => shown.includes(text))?.place;
    return place ? { page: place.page, ...(place.bbox ? { bbox: place.bbox } : {}) } : {};
  };
}
