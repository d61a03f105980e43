// One walk over the whole tree that finds what several outputs need, so that none of them walks it again.
import type { Document, Element } from "domhandler";
import { attribute, isElement, isText, noAttributes, textOf, walkElements } from "./nodes.ts";

export interface PageParts {
  title: string;
  language: string;
  baseHref: string | null;
  body: Element | null;
  metas: Element[];
  /** `link` elements that say how the page relates to another URL. */
  relations: Element[];
  /** Elements with a URL to follow: a, area. */
  anchors: Element[];
  /** Pictures, and videos that show one before they play. */
  images: Element[];
  /** Scripts that hold data about the page (JSON-LD). */
  data: Element[];
  /** `time` elements: the first ones. */
  times: Element[];
  /** The page's own style sheets. */
  styles: Element[];
  /** True when there are style sheets that are not part of the page. */
  hasForeignStyles: boolean;
  /** True when a script is there that draws formulas from TeX in the text. */
  hasTex: boolean;
  /** True when an element has the attribute in which forums keep the posts that their scripts show. */
  hasEmbeddedData: boolean;
}

/** The attribute in which Discourse forums carry their posts as data. */
export const embeddedMark = "data-preloaded";

const maxData = 20;
const maxTimes = 50;
/** Settings are at the start of a script. */
const longSettings = 2000;

export function findParts(root: Document): PageParts {
  const parts: PageParts = {
    title: "",
    language: "",
    baseHref: null,
    body: null,
    metas: [],
    relations: [],
    anchors: [],
    images: [],
    data: [],
    times: [],
    styles: [],
    hasForeignStyles: false,
    hasTex: false,
    hasEmbeddedData: false,
  };
  walkElements(root, (element) => note(element, parts));
  return parts;
}

/** The others are most elements of a page. */
const noted = new Set(
  "a area img amp-img video meta link style script time base body html title svg math template".split(" "),
);

function note(element: Element, parts: PageParts): boolean {
  if (!noted.has(element.name)) {
    if (element.attribs !== noAttributes && element.attribs[embeddedMark] !== undefined) parts.hasEmbeddedData = true;
    return true;
  }
  switch (element.name) {
    case "a":
    case "area":
      parts.anchors.push(element);
      return true;
    case "img":
    case "amp-img":
      parts.images.push(element);
      return true;
    case "video":
      if (attribute(element, "poster")) parts.images.push(element);
      return true;
    case "meta":
      parts.metas.push(element);
      return true;
    case "link":
      if (/icon|canonical|alternate|next|prev|first|last|start|begin|end|\bup\b/i.test(attribute(element, "rel") ?? ""))
        parts.relations.push(element);
      else parts.hasTex ||= /katex[\w.-]*\.css/i.test(attribute(element, "href") ?? "");
      parts.hasForeignStyles ||= /stylesheet/i.test(attribute(element, "rel") ?? "");
      return true;
    case "style":
      parts.styles.push(element);
      return false;
    case "script":
      parts.hasTex ||= drawsTex(element);
      if (isLinkedData(attribute(element, "type")) && parts.data.length < maxData) parts.data.push(element);
      return false;
    case "time":
      if (parts.times.length < maxTimes) parts.times.push(element);
      return true;
    case "base":
      parts.baseHref ??= attribute(element, "href") ?? null;
      return true;
    case "body":
      if (!isInHead(element)) parts.body ??= element;
      return true;
    case "html":
      parts.language ||= (attribute(element, "lang") ?? attribute(element, "xml:lang") ?? "").trim();
      return true;
    case "title":
      parts.title ||= textOf(element).replace(/\s+/g, " ").trim();
      return false;
    // Their titles name pictures and formulas; their links are drawings' links.
    case "svg":
    case "math":
      return false;
    default:
      return element.name === "template" && attribute(element, "shadowrootmode") !== undefined;
  }
}

/** By the URL of a script, or by the settings for one that is loaded later. */
function drawsTex(script: Element): boolean {
  const source = attribute(script, "src");
  if (source !== undefined) return /mathjax|katex|tex-(?:mml|chtml|svg)/i.test(source);
  const [first] = script.children;
  const code = first !== undefined && isText(first) ? first.data.slice(0, longSettings) : "";
  return /\bMathJax\b|\brenderMathInElement\b|\bkatex\.render/.test(code);
}

function isLinkedData(type: string | undefined): boolean {
  return type === "application/ld+json" || (type !== undefined && /^\s*application\/ld\+json/i.test(type));
}

/** Broken pages have a whole page in their head, pasted there. */
function isInHead(element: Element): boolean {
  for (let above = element.parent; above && isElement(above); above = above.parent)
    if (above.name === "head") return true;
  return false;
}

/** What a \`meta\` element is about, in lower case; "" when it does not say. */
export function nameOfMeta(meta: Element): string {
  return (attribute(meta, "property") ?? attribute(meta, "name") ?? "").toLowerCase();
}

/** What the \`meta\` elements of a page say, the first of each name. */
export function readMetaValues({ metas }: PageParts): Map<string, string> {
  const values = new Map<string, string>();
  for (const meta of metas) {
    const name = nameOfMeta(meta);
    const content = attribute(meta, "content");
    if (name !== "" && content !== undefined && !values.has(name)) values.set(name, content);
  }
  return values;
}

/**
 * The attribute that tells in the HTML of a rendered page what a person does not see: how an element is hidden, or "text" when
 * only its own text is. The browser writes it, the content room reads it.
 */
export const hiddenMark = "data-trawl-hidden";
