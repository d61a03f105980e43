// Pieces of markdown that need nothing but their element: pictures, raised numbers, videos.
import type { AnyNode, Element } from "domhandler";
import type { Addresses } from "./addresses.ts";
import { imageSource, isTrackingPixel } from "./image-source.ts";
import { linkTarget, linkTitle } from "./markdown-escape.ts";
import { attribute, findBelow, isText, textOf } from "./nodes.ts";

/** Longer inline data is an image somebody wants to see; shorter is a placeholder of a lazy loader. */
const placeholderLength = 200;

/** Markdown of an image, or null when it shows nothing. */
export function imageMarkdown(image: Element, addresses: Addresses, removeBase64Images: boolean): string | null {
  const source = imageSource(image, addresses);
  if (source === null || isTrackingPixel(image)) return null;
  const alt = (attribute(image, "alt") ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[[\]\\]/g, "\\$&");
  if (!source.isData) return `![${alt}](${linkTarget(source.address)}${linkTitle(attribute(image, "title"))})`;
  if (!removeBase64Images) return `![${alt}](${linkTarget(source.address)})`;
  return alt !== "" || source.address.length > placeholderLength ? `![${alt}](<Base64-Image-Removed>)` : null;
}

const plain = [..."0123456789+-−=()"];
const raisedCharacters = {
  sup: new Map(plain.map((char, index) => [char, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾"][index]])),
  sub: new Map(plain.map((char, index) => [char, [..."₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"][index]])),
};
/** Ordinals, trade marks and footnote signs read well without being raised. */
const readsFlat = /^(?:st|nd|rd|th|er|e|o|a|ª|º|®|™|©|\*|†|‡|\[[^\]]*\])$/i;

/** Numbers as the characters Unicode has for them; `flat` text stays; the rest needs the inline HTML GitHub reads. */
export function raised(element: Element, dropped: ReadonlySet<AnyNode>): { characters: string } | "flat" | "html" {
  if (!element.children.every(isText)) return "flat";
  const text = textOf(element, dropped).trim();
  if (text === "" || text.length > 100 || readsFlat.test(text)) return "flat";
  const table = element.name === "sub" ? raisedCharacters.sub : raisedCharacters.sup;
  const characters = [...text].map((char) => table.get(char));
  return characters.every((char) => char !== undefined) ? { characters: characters.join("") } : "html";
}

const players =
  /^(?:https?:)?\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed\/|player\.vimeo\.com\/video\/|(?:www\.)?dailymotion\.com\/embed\/|fast\.wistia\.net\/embed\/|player\.twitch\.tv\/|www\.loom\.com\/embed\/)/;

export function isVideoFrame(frame: Element): boolean {
  return players.test((attribute(frame, "src") || attribute(frame, "data-src") || "").trim());
}

/** The page of a video that a frame plays, or null when it plays none. */
export function videoAddress(frame: Element, addresses: Addresses): string | null {
  const address = isVideoFrame(frame)
    ? addresses.web(attribute(frame, "src") || attribute(frame, "data-src") || "")
    : null;
  if (address === null) return null;
  const [, youtube] = /youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,20})/.exec(address) ?? [];
  if (youtube !== undefined && youtube !== "videoseries") return `https://www.youtube.com/watch?v=${youtube}`;
  const [, vimeo] = /player\.vimeo\.com\/video\/(\d+)/.exec(address) ?? [];
  return vimeo === undefined ? address : `https://vimeo.com/${vimeo}`;
}

/** A link in a heading to the heading itself: a sign, no text. */
export function isPermalink(link: Element): boolean {
  const href = attribute(link, "href") ?? "";
  return href.includes("#") && !/[\p{L}\p{N}]/u.test(textOf(link)) && findBelow(link, "img") === null;
}
