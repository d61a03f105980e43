// Which part of a page is returned in `html` and `markdown`.
import type { AnyNode, ChildNode, Document } from "domhandler";
import { isElement, type PageParts } from "../../html/index.ts";
import type { BlockVerdict } from "../main/block-verdicts.ts";
import { findLearnedMain, type Quality } from "../main/learned-main.ts";
import { findMain } from "../main/rule-based-main.ts";
import { ruleQuality, ruleVerdicts } from "../main/rule-quality.ts";
import type { MainModel } from "../main/stored-model.ts";
import { findConsent, findIncluded, findInvisible, isBlank, type Visibility } from "./visibility.ts";

export interface Selection {
  /** In document order. */
  nodes: ChildNode[];
  /** Left out, with everything below. */
  dropped: Set<AnyNode>;
  /** Characters of invisible text that were left out. */
  hiddenText: number;
  /** Both absent unless the main part was looked for and found. */
  quality?: Quality;
  verdicts?: () => BlockVerdict[];
}

export interface SelectionOptions {
  onlyMainContent: boolean;
  includeTags: readonly string[];
  excludeTags: readonly string[];
  /** Given for a file, whose reader has marked what is not main content. */
  file?: object;
}

/** `hiddenParts`: hidden at first sight, and part of the page. Named tags win over the search for the main part; a page that has any text never becomes empty by our rules. */
export function selectContent(
  root: Document,
  parts: PageParts,
  options: SelectionOptions,
  model: MainModel,
  hiddenParts: ReadonlySet<AnyNode> = new Set(),
): Selection {
  const { includeTags, onlyMainContent } = options;
  const whole = wholePage(root, parts);
  const visibility = findVisible(root, whole, options.excludeTags);
  for (const node of hiddenParts) visibility.folded.add(node);
  const { dropped, folded, hiddenText } = visibility;
  if (includeTags.length > 0) return { nodes: findIncluded(root, includeTags), dropped, hiddenText };
  if (options.file) return selectOfFile(whole, onlyMainContent, dropped, hiddenText);
  if (onlyMainContent) {
    const framed = new Set([...dropped, ...findConsent(root, dropped)]);
    const main = findMain(whole, framed);
    if (!main.isClear) {
      const learned = findLearnedMain(whole, framed, folded, parts, main, model);
      if (learned && !isBlank(learned.nodes, learned.dropped)) return { ...learned, hiddenText };
    }
    if (!isBlank(main.nodes, main.dropped)) {
      const { nodes, dropped: leftOut } = main;
      const quality = ruleQuality(parts, main);
      const verdicts = () => ruleVerdicts(whole, framed, main);
      return { nodes, dropped: leftOut, hiddenText, verdicts, ...(quality ? { quality } : {}) };
    }
    return { nodes: whole, dropped, hiddenText };
  }
  const shown = new Set(dropped);
  for (const node of folded) if ("name" in node && node.name === "noscript") shown.add(node);
  for (const element of findConsent(root, shown)) shown.add(element);
  return { nodes: whole, dropped: isBlank(whole, shown) ? dropped : shown, hiddenText };
}

/** Heads and feet of pages and comments of readers are not the main content of a file; nothing else is left out. */
const beside = new Set(["header", "footer", "aside"]);

function selectOfFile(
  whole: ChildNode[],
  onlyMainContent: boolean,
  dropped: Set<AnyNode>,
  hiddenText: number,
): Selection {
  if (!onlyMainContent) return { nodes: whole, dropped, hiddenText };
  const main = new Set(dropped);
  const body = whole.find((node) => isElement(node) && node.name === "body") ?? whole[0];
  for (const node of body && isElement(body) ? body.children : [])
    if (isElement(node) && beside.has(node.name)) main.add(node);
  return { nodes: whole, dropped: isBlank(whole, main) ? dropped : main, hiddenText };
}

/** A page that shows nothing is read as one whose scripts did not run, and then with what it hides. */
function findVisible(root: Document, whole: readonly ChildNode[], excludeTags: readonly string[]): Visibility {
  const first = findInvisible(root, { excludeTags, keepNoscript: false, keepHidden: false });
  if (!isBlank(whole, first.dropped)) return first;
  const second = findInvisible(root, { excludeTags, keepNoscript: true, keepHidden: false });
  if (!isBlank(whole, second.dropped)) return second;
  return findInvisible(root, { excludeTags, keepNoscript: true, keepHidden: true });
}

/** Whether a page shows nothing at all without some of its nodes. */
export function showsNothing(root: Document, parts: PageParts, without: ReadonlySet<AnyNode>): boolean {
  const { dropped } = findInvisible(root, { excludeTags: [], keepNoscript: true, keepHidden: false });
  for (const node of without) dropped.add(node);
  return isBlank(wholePage(root, parts), dropped);
}

/** Broken pages close their body early: what comes after it belongs to it too. @public for tools/train-content */
export function wholePage(root: Document, parts: PageParts): ChildNode[] {
  const body: ChildNode | null = parts.body;
  if (body === null) return root.children;
  return body.next || body.parent === root ? root.children : [body];
}
