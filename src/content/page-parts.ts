// One walk over the whole tree that finds what several outputs need, so that none of them walks it again.
import type { Document, Element } from "domhandler";
import { attribute, isElement, textOf, walk } from "./nodes.ts";

export interface PageParts {
  title: string;
  language: string;
  baseHref: string | null;
  body: Element | null;
  metas: Element[];
  /** `link` elements that say how the page relates to another address. */
  relations: Element[];
  /** Elements with an address to follow: a, area. */
  anchors: Element[];
  images: Element[];
}

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
  };
  walk(root, (node) => (isElement(node) ? note(node, parts) : true));
  return parts;
}

function note(element: Element, parts: PageParts): boolean {
  switch (element.name) {
    case "a":
    case "area":
      parts.anchors.push(element);
      return true;
    case "img":
      parts.images.push(element);
      return true;
    case "meta":
      parts.metas.push(element);
      return true;
    case "link":
      if (/icon|canonical|alternate/i.test(attribute(element, "rel") ?? "")) parts.relations.push(element);
      return true;
    case "base":
      parts.baseHref ??= attribute(element, "href") ?? null;
      return true;
    case "body":
      parts.body ??= element;
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
    case "template":
      return false;
    default:
      return true;
  }
}
