// The URLs a page points to: absolute, unique, in document order.
import { linksOf } from "../links/outlinks.ts";
import type { ContentFormat } from "./content-format.ts";

export const links: ContentFormat<{ links: string[] }> = {
  fromTree: ({ parts, urls }) => ({ links: [...new Set(Array.from(linksOf(parts.anchors, urls), ({ url }) => url))] }),
  fromText: ({ links: found }) => ({ links: found }),
  whenEmpty: ({ links: found }) => (found.length === 0 ? "The page has no links." : null),
};
