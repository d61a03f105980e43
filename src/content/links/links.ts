// The URLs a page points to, and those of its pictures: absolute, unique, in document order.

import { attribute, type PageParts } from "../../html/index.ts";
import { imageSource, isTrackingPixel } from "./image-source.ts";
import type { PageUrls } from "./page-urls.ts";

/** http and https only; a link to a place on the page itself is no link. */
export function readLinks(parts: PageParts, urls: PageUrls): string[] {
  const links = new Set<string>();
  for (const anchor of parts.anchors) {
    const href = attribute(anchor, "href")?.trim();
    if (!href || href.startsWith("#")) continue;
    const url = urls.web(href);
    if (url !== null) links.add(url);
  }
  return [...links];
}

/** Pictures of the page and the one it shows when shared. Inline data is no URL. */
export function readImages(parts: PageParts, urls: PageUrls): string[] {
  const images = new Set<string>();
  for (const image of parts.images) {
    const poster = image.name === "video" ? urls.web(attribute(image, "poster") ?? "") : null;
    if (poster !== null) images.add(poster);
    if (image.name === "video") continue;
    const source = isTrackingPixel(image) ? null : imageSource(image, urls);
    if (source && !source.isData) images.add(source.url);
  }
  for (const meta of parts.metas) {
    const name = (attribute(meta, "property") ?? attribute(meta, "name") ?? "").toLowerCase();
    if (name !== "og:image" && name !== "og:image:url" && name !== "twitter:image") continue;
    const url = urls.web(attribute(meta, "content") ?? "");
    if (url !== null) images.add(url);
  }
  return [...images];
}
