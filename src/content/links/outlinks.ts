// Where a page leads: its links with their text, its other URLs, its feeds. For finding further pages.
import type { AnyNode, Element } from "domhandler";
import { attribute, isAmong, isElement, isTight, type PageParts, textOf, walk } from "../../html/index.ts";
import { readRelations } from "./page-relations.ts";
import type { PageUrls } from "./page-urls.ts";

export interface Outlink {
  url: string;
  /** The words of the link, "" when it has none. */
  text: string;
}

export interface Outlinks {
  /** Unique, in document order; of links to the same page the first that has words. */
  links: Outlink[];
  /** The canonical URL that the page declares. */
  canonical: string | null;
  /** Its translations. */
  alternates: string[];
  /** RSS and Atom. */
  feeds: string[];
}

const longestText = 300;
const evenlySpaced = /^[!-~]+(?: [!-~]+)*$/;

/** `hidden`: parts that no visitor sees; the targets of their links count, their words do not. */
export function readOutlinks(parts: PageParts, urls: PageUrls, hidden: ReadonlySet<AnyNode>): Outlinks {
  const { canonical, alternates, feeds } = readRelations(parts.relations, urls);
  return { links: readLinksWithText(parts.anchors, urls, hidden), canonical, alternates, feeds };
}

function readLinksWithText(anchors: readonly Element[], urls: PageUrls, hidden: ReadonlySet<AnyNode>): Outlink[] {
  const links = new Map<string, Outlink>();
  for (const { anchor, url } of linksOf(anchors, urls)) {
    const known = links.get(url);
    if (known?.text) continue;
    const text = isAmong(anchor, hidden) ? "" : wordsOf(anchor, hidden);
    if (known) known.text = text;
    else links.set(url, { url, text });
  }
  return [...links.values()];
}

/** http and https only; a link to a place on the page itself is no link. */
export function* linksOf(anchors: readonly Element[], urls: PageUrls): Generator<{ anchor: Element; url: string }> {
  for (const anchor of anchors) {
    const href = attribute(anchor, "href")?.trim();
    const url = !href || href.startsWith("#") ? null : urls.web(href);
    if (url !== null) yield { anchor, url };
  }
}

function wordsOf(anchor: Element, hidden: ReadonlySet<AnyNode>): string {
  const text = tidy(textOf(anchor, hidden));
  if (text !== "") return text;
  const label = tidy(attribute(anchor, "aria-label") ?? attribute(anchor, "title") ?? attribute(anchor, "alt") ?? "");
  return label !== "" ? label : pictureWords(anchor, hidden);
}

function pictureWords(anchor: Element, hidden: ReadonlySet<AnyNode>): string {
  let words = "";
  walk(anchor, (node) => {
    if (hidden.has(node)) return false;
    if (words === "" && isElement(node) && node.name === "img") words = tidy(attribute(node, "alt") ?? "");
    return words === "";
  });
  return words;
}

function tidy(text: string): string {
  if (text.length <= longestText && isTight(text) && evenlySpaced.test(text)) return text;
  return text
    .slice(0, longestText * 4)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longestText);
}
