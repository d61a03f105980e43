// Pieces of markdown that need nothing but their element: pictures, raised numbers, videos.
import type { AnyNode, Element } from "domhandler";
import { attribute, classOf, findBelow, isElement, isText, textOf, walk } from "../../html/index.ts";
import { imageSource, isTrackingPixel } from "../links/image-source.ts";
import type { PageUrls } from "../links/page-urls.ts";
import { escapeText, linkTarget, linkTitle } from "./escape.ts";

/** Longer inline data is a real image; shorter data is the placeholder of a lazy loader. */
const placeholderLength = 200;

/** Markdown of an image, or null when it shows nothing. */
export function imageMarkdown(image: Element, urls: PageUrls, removeBase64Images: boolean): string | null {
  const source = imageSource(image, urls);
  if (source === null || isTrackingPixel(image)) return null;
  const alt = escapeText((attribute(image, "alt") ?? "").replace(/\s+/g, " ").trim(), false, true);
  if (!source.isData) return `![${alt}](${linkTarget(source.url)}${linkTitle(attribute(image, "title"))})`;
  if (!removeBase64Images) return `![${alt}](${linkTarget(source.url)})`;
  return alt !== "" || source.url.length > placeholderLength ? `![${alt}](<Base64-Image-Removed>)` : null;
}

const plain = [..."0123456789+-−=()"];
const raisedCharacters = {
  sup: new Map(plain.map((char, index) => [char, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾"][index]])),
  sub: new Map(plain.map((char, index) => [char, [..."₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"][index]])),
};
/** Ordinals, trade marks and footnote signs read well without being raised. */
const readsFlat = /^(?:st|nd|rd|th|er|e|o|a|ª|º|®|™|©|\*|†|‡|\[[^\]]*\])$/i;

const longRaised = 100;
/** Elements that only shape a text. */
const shaping = new Set(["b", "strong", "i", "em", "span", "var", "small", "sub", "sup", "font", "u"]);

/** Numbers as the characters Unicode has for them; `flat` text stays; the rest needs the inline HTML GitHub reads. */
export function raised(element: Element, dropped: ReadonlySet<AnyNode>): { characters: string } | "flat" | "html" {
  const isShaped = !element.children.every(isText);
  if (isShaped && !isShortAndShaped(element)) return "flat";
  const text = textOf(element, dropped).trim();
  if (text === "" || text.length > longRaised || readsFlat.test(text)) return "flat";
  const table = element.name === "sub" ? raisedCharacters.sub : raisedCharacters.sup;
  const characters = [...text].map((char) => table.get(char));
  const isNested = isShaped && (findBelow(element, "sub") !== null || findBelow(element, "sup") !== null);
  return !isNested && characters.every((char) => char !== undefined) ? { characters: characters.join("") } : "html";
}

/** Stops early: raised texts nest, and each would be read again for every one around it. */
function isShortAndShaped(element: Element): boolean {
  let isShort = true;
  let length = 0;
  let nodes = 0;
  walk(element, (node) => {
    nodes += 1;
    if (isText(node)) length += node.data.length;
    isShort = length <= longRaised && nodes <= longRaised && (isText(node) || shaping.has(node.name));
    return isShort || "stop";
  });
  return isShort;
}

/** Documents pasted from a word processor are wrapped in a <b> that is not bold. */
export function usualWeight({ attribs }: Element): boolean {
  return attribs.style !== undefined && /font-(?:weight:\s*(?:normal|400)|style:\s*normal)/i.test(attribs.style);
}

const players =
  /^(?:https?:)?\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed\/|player\.vimeo\.com\/video\/|dailymotion\.com\/embed\/|geo\.dailymotion\.com\/player|fast\.wistia\.(?:net|com)\/embed\/|player\.twitch\.tv\/|clips\.twitch\.tv\/embed|loom\.com\/embed\/|embed\.ted\.com\/|ted\.com\/talks\/embed|player\.bilibili\.com\/|tiktok\.com\/embed|facebook\.com\/plugins\/video|streamable\.com\/[eos]\/|rumble\.com\/embed\/|players\.brightcove\.net\/|cdn\.jwplayer\.com\/players\/|play\.vidyard\.com\/|archive\.org\/embed\/|odysee\.com\/.{0,4}embed\/|rutube\.ru\/play\/embed\/|vk\.com\/video_ext|[^/]+\/videos\/embed\/)/;
const frameSources = ["src", "data-src", "data-lazy-src", "data-litespeed-src", "data-cfsrc", "data-url"];

export function isVideoFrame(frame: Element): boolean {
  return frameSource(frame) !== null;
}

function frameSource(frame: Element): string | null {
  for (const name of frameSources) {
    const source = attribute(frame, name)?.trim();
    if (source !== undefined && players.test(source)) return source;
  }
  return null;
}

/** A video or recording that readers can start; those that start by themselves are decoration. */
export function isPlayer(media: Element): boolean {
  return attribute(media, "controls") !== undefined && playedSource(media) !== null;
}

function playedSource(media: Element): string | null {
  const sources = media.children.filter((child) => isElement(child) && child.name === "source") as Element[];
  return [media, ...sources].map((element) => attribute(element, "src")?.trim()).find((source) => source) ?? null;
}

/** The page of a video, or the file that is played; null when nothing is. */
export function mediaUrl(media: Element, urls: PageUrls): string | null {
  const id = attribute(media, "videoid")?.trim();
  if (id !== undefined && /^[\w-]{6,20}$/.test(id))
    return videoPage(`//www.${media.name.slice(5)}.com/embed/${id}`, urls);
  const isFrame = media.name === "iframe";
  return videoPage((isFrame ? frameSource(media) : playedSource(media)) ?? "", urls);
}

/** A player's URL -> the page of its video. */
const pages: [player: RegExp, page: string][] = [
  [
    /youtube(?:-nocookie)?\.com\/embed\/(?:videoseries)?\?(?:.*&)?list=([\w-]{6,60})/,
    "https://www.youtube.com/playlist?list=",
  ],
  [/youtube(?:-nocookie)?\.com\/embed\/(?!videoseries)([\w-]{6,20})/, "https://www.youtube.com/watch?v="],
  [/vimeo\.com\/(?:video|embed)\/(\d+)/, "https://vimeo.com/"],
  [/dailymotion\.com\/embed\/video\/(\w+)/, "https://www.dailymotion.com/video/"],
  [/loom\.com\/embed\/(\w+)/, "https://www.loom.com/share/"],
  [/player\.twitch\.tv\/\?(?:.*&)?video=v?(\d+)/, "https://www.twitch.tv/videos/"],
  [/player\.bilibili\.com\/player\.html\?(?:.*&)?bvid=(\w+)/, "https://www.bilibili.com/video/"],
];

function videoPage(written: string, urls: PageUrls): string | null {
  const url = urls.web(written);
  if (url === null) return null;
  for (const [player, page] of pages) {
    const [, id] = player.exec(url) ?? [];
    if (id !== undefined) return page + id;
  }
  return url;
}

const screenReaderNames = /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|mw-editsection)(?:\s|$)/;

export function isForScreenReaders({ attribs }: Element): boolean {
  return screenReaderNames.test(attribs.class ?? "");
}

const permalinkNames =
  /(?:^|[\s_-])(?:(?:header|heading|hash|direct|anchor|section)-?link|permalink|anchor)(?:$|[\s_-])/i;

/**
 * A link from a heading to the heading itself: a sign, or words for those who do not see it.
 * `headingLength` is that of the heading's text, null outside of headings.
 */
export function isPermalink(link: Element, headingLength: number | null): boolean {
  if (!link.attribs.href?.includes("#")) return false;
  const classes = classOf(link);
  if (headingLength === null && !/header-?link|permalink/i.test(classes)) return false;
  const text = textOf(link).trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return findBelow(link, "img") === null;
  return headingLength !== null && permalinkNames.test(classes) && headingLength > text.length;
}
