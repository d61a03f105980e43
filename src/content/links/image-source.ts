// Which URL an <img> really shows: lazy loading and srcset hide it in other attributes.
import type { Element } from "domhandler";
import { attribute, elementAbove, elementAfter, elementBefore, findBelow, isElement } from "../../html/index.ts";
import type { PageUrls } from "./page-urls.ts";

const lazyNames = [
  "data-src",
  "data-original",
  "data-lazy-src",
  "data-lazy",
  "data-url",
  "data-full-src",
  "data-hi-res-src",
  "data-image",
];
const lazySets = ["data-srcset", "data-lazy-srcset", "data-original-set", "data-bgset"];
/** Other loaders use other attributes that hold a picture's URL. */
const lazyLike = /^(?:data|nitro)-.*(?:src|original|lazy|image|img|hires|media|file|breeze|echo)/;
const pictureFile = /^[^\s,]{1,2000}\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]\S*)?$/i;
const placeholder =
  /(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|loading|lazy|1x1)[\w-]*\.(?:gif|png|svg|jpe?g)/i;

export interface ImageSource {
  /** Absolute URL, or the data URI itself. */
  url: string;
  isData: boolean;
}

/** What an image shows, or null when it shows nothing that can be named. */
export function imageSource(image: Element, urls: PageUrls): ImageSource | null {
  const src = attribute(image, "src")?.trim() ?? "";
  const isData = /^data:/i.test(src);
  const written =
    largestOf(attribute(image, "srcset")) ??
    firstOf(image, lazySets, largestOf) ??
    firstOf(image, lazyNames, (value) => value || null) ??
    (src !== "" && !isData && !placeholder.test(src) ? src : null) ??
    largestOfPicture(image) ??
    noscriptSource(image) ??
    otherLazy(image) ??
    src;
  const url = urls.web(written);
  if (url !== null) return { url, isData: false };
  return isData ? { url: src, isData: true } : null;
}

/** The candidate of a srcset with the greatest width or density. */
function largestOf(srcset: string | undefined): string | null {
  if (srcset === undefined || srcset.length > 20_000) return null;
  let best: string | null = null;
  let bestSize = -1;
  // URLs may hold commas: a candidate ends at a comma that is followed by whitespace or ends a descriptor.
  for (const candidate of srcset.split(/,\s+|(?<=\s[\d.]{1,9}[wx]),/)) {
    const [url = "", size = "1x"] = candidate.trim().split(/\s+/, 2);
    const value = Number.parseFloat(size) || 0;
    if (url !== "" && !/^data:/i.test(url) && value > bestSize) {
      best = url;
      bestSize = value;
    }
  }
  return best;
}

function firstOf(
  element: Element,
  names: readonly string[],
  read: (value: string | undefined) => string | null | undefined,
): string | null {
  for (const name of names) {
    const value = attribute(element, name);
    const found = value === undefined ? null : read(value);
    if (found && !/^data:/i.test(found)) return found;
  }
  return null;
}

function otherLazy(image: Element): string | null {
  for (const [name, value] of Object.entries(image.attribs)) {
    if (lazyLike.test(name) && pictureFile.test(value.trim())) return value.trim();
  }
  return null;
}

function largestOfPicture(image: Element): string | null {
  const picture = elementAbove(image);
  if (picture?.name !== "picture") return null;
  for (const source of picture.children) {
    if (!isElement(source) || source.name !== "source") continue;
    const found = largestOf(attribute(source, "srcset") ?? attribute(source, "data-srcset"));
    if (found) return found;
  }
  return null;
}

/** Lazy loaders put the real image into a <noscript> beside the placeholder. */
function noscriptSource(image: Element): string | null {
  let around: Element | null = image;
  for (let level = 0; level < 2 && around !== null; level += 1) {
    const next = elementAfter(around);
    const prev = elementBefore(around);
    const found = pictureIn(next) ?? pictureIn(prev);
    if (found !== null) return found;
    around = next === null && prev === null ? elementAbove(around) : null;
  }
  return null;
}

function pictureIn(node: Element | null): string | null {
  if (node?.name !== "noscript") return null;
  const picture = findBelow(node, "img");
  return picture === null ? null : (attribute(picture, "src") ?? null);
}

/** Pixels that count visitors. */
export function isTrackingPixel(image: Element): boolean {
  const { width, height } = image.attribs;
  return /^[01](?:px)?$/.test(width ?? "") || /^[01](?:px)?$/.test(height ?? "");
}
