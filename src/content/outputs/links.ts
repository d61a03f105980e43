// The URLs a page points to: absolute, unique, in document order.
import { attribute } from "../../html/index.ts";
import type { ContentFormat, HtmlPage } from "./content-format.ts";

export const links: ContentFormat<{ links: string[] }> = {
  fromTree: (page) => ({ links: readLinks(page) }),
  fromText: ({ links: found }) => ({ links: found }),
  whenEmpty: ({ links: found }) => (found.length === 0 ? "The page has no links." : null),
};

/** http and https only; a link to a place on the page itself is no link. */
function readLinks({ parts, urls }: HtmlPage): string[] {
  const found = new Set<string>();
  for (const anchor of parts.anchors) {
    const href = attribute(anchor, "href")?.trim();
    if (!href || href.startsWith("#")) continue;
    const url = urls.web(href);
    if (url !== null) found.add(url);
  }
  return [...found];
}
