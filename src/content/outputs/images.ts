// The URLs of a page's pictures: absolute, unique, in document order.
import { attribute, nameOfMeta } from "../../html/index.ts";
import { imageSource, isTrackingPixel } from "../links/image-source.ts";
import type { ContentFormat, HtmlPage } from "./content-format.ts";

export const images: ContentFormat<{ images: string[] }> = {
  fromTree: (page) => ({ images: readImages(page) }),
  fromText: () => ({ images: [] }),
  whenEmpty: ({ images: found }) => (found.length === 0 ? "The page has no images." : null),
};

/** Pictures of the page and its preview image. Inline data has no URL. */
function readImages({ parts, urls }: HtmlPage): string[] {
  const found = new Set<string>();
  for (const image of parts.images) {
    const poster = image.name === "video" ? urls.web(attribute(image, "poster") ?? "") : null;
    if (poster !== null) found.add(poster);
    if (image.name === "video") continue;
    const source = isTrackingPixel(image) ? null : imageSource(image, urls);
    if (source && !source.isData) found.add(source.url);
  }
  for (const meta of parts.metas) {
    const name = nameOfMeta(meta);
    if (name !== "og:image" && name !== "og:image:url" && name !== "twitter:image") continue;
    const url = urls.web(attribute(meta, "content") ?? "");
    if (url !== null) found.add(url);
  }
  return [...found];
}
