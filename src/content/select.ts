// Which part of a page the caller gets in `html` and `markdown`.
import type { AnyNode, ChildNode, Document } from "domhandler";
import { findIncluded, findInvisible, isBlank } from "./clean.ts";
import { findMain } from "./main.ts";
import type { PageParts } from "./page-parts.ts";

export interface Selection {
  /** In document order. */
  nodes: ChildNode[];
  /** Left out, with everything below. */
  dropped: Set<AnyNode>;
}

export interface SelectionOptions {
  onlyMainContent: boolean;
  includeTags: readonly string[];
  excludeTags: readonly string[];
}

/** Named tags win over the search for the main part; a page that has any text never becomes empty by our rules. */
export function selectContent(root: Document, parts: PageParts, options: SelectionOptions): Selection {
  const { excludeTags, includeTags, onlyMainContent } = options;
  const whole: ChildNode[] = parts.body ? wholeBody(root, parts) : root.children;
  let dropped = findInvisible(root, { excludeTags, keepNoscript: false, keepHidden: false });
  if (isBlank(whole, dropped)) dropped = findInvisible(root, { excludeTags, keepNoscript: true, keepHidden: false });
  if (isBlank(whole, dropped)) dropped = findInvisible(root, { excludeTags, keepNoscript: true, keepHidden: true });
  if (includeTags.length > 0) return { nodes: findIncluded(root, includeTags), dropped };
  if (!onlyMainContent) return { nodes: whole, dropped };
  const main = findMain(whole, dropped);
  return isBlank(main.nodes, main.dropped) ? { nodes: whole, dropped } : main;
}

/** Broken pages close their body early: what comes after it belongs to it too. */
function wholeBody(root: Document, parts: PageParts): ChildNode[] {
  const body = parts.body as ChildNode;
  return body.next || body.parent === root ? root.children : [body];
}
