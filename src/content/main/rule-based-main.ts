// The main part of a page by general rules: leave out what frames it, take the smallest element that holds nearly all
// of the remaining text, leave out lists of links in it. The shares below and the words in boilerplate.ts were set by
// some forty trials on the 554 pages of the quality set that have full texts, and scored on the same pages: in-sample.
import type { AnyNode, ChildNode, Element } from "domhandler";
import { elementAbove, findBelow, isElement, isText, orderOf, trimmedLength, walk } from "../../html/index.ts";
import { isAnnounced } from "./announced-list.ts";
import { createFraming, neverFrame } from "./boilerplate.ts";

export interface MainContent {
  nodes: ChildNode[];
  dropped: Set<AnyNode>;
  /** It is nearly all of the page's text: there was nothing to choose. */
  isClear: boolean;
  /** Its comments are treated as its subject. */
  isForum: boolean;
  /** How much of the page's text it is, and how much of that outside of links; absent when nothing was measured. */
  shares?: { text: number; plain: number };
}

interface Measure {
  /** Characters of text below, and those of them inside links. */
  text: number;
  link: number;
  /** Characters in blocks that read like sentences. */
  good: number;
  /** First-level headings below, itself included. */
  titles: number;
  /** It is on separate lines. */
  isBlock: boolean;
}

/** A part with more of the page's good text than this is not a frame, whatever its name. */
const frameShare = 0.4;
/** Losing less good text than this does not matter. */
const smallFrame = 200;
/** An element with a weak name is a frame when so much of it is links, or when it is so short. */
const weakLinkShare = 0.35;
const weakLength = 80;
/** Comments are the subject when they are most of the page and little else is there: a forum, not an article. */
const commentShare = 0.6;
const articleLength = 1200;
/** An element holds a page when it has this share of the good text, and this share of all text outside of links. */
const holdShare = 0.85;
const holdTextShare = 0.5;
/** The same for an element that says it is the main part. */
const namedShare = 0.6;
/** In a list of links more of the text than this is links. All such lists together are never most of a page. */
const linkShare = 0.5;
const maxPruned = 0.4;

/** A page is clear when so much of its text outside of links is kept, and when that is so long. */
const clearShare = 0.98;
const clearLength = 1500;

const blocks = new Set(
  (
    "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 header html li main nav ol p pre section summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
/** Parts of a text: the main part is never only one of them. */
const textParts = new Set("h1 h2 h3 h4 h5 h6 p ul ol li table blockquote pre dl".split(" "));
const listLike = new Set(["ul", "ol", "div", "section", "table", "dl"]);
const holdsButtonText = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt", "li", "p"]);

/** The main part. It may be blank: then the caller keeps the whole page. `neverForum`: comments are left out. */
export function findMain(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>, neverForum = false): MainContent {
  const roots = nodes.filter((node): node is Element => isElement(node) && !dropped.has(node));
  const start = roots.find((node) => node.name === "html") ?? (roots.length === 1 ? roots[0] : undefined);
  if (!start) return { nodes: [...nodes], dropped: new Set(dropped), isClear: false, isForum: false };
  const article = new MainFinder(dropped, false);
  const page = article.measure(start, false);
  const comments = article.commentText(start);
  const found = article.find(start, page);
  const isForum = comments > 0 && comments >= page.good * commentShare && found.good <= articleLength;
  if (neverForum || !isForum) return found;
  const forum = new MainFinder(dropped, true);
  return { ...forum.find(start, forum.measure(start, false)), isClear: false, isForum: true };
}

class MainFinder {
  private readonly dropped: Set<AnyNode>;
  private readonly keepsComments: boolean;
  /** By the order of the elements. */
  private readonly measures: Measure[] = [];
  private articles = 0;
  private readonly framing = createFraming();

  constructor(dropped: ReadonlySet<AnyNode>, keepsComments: boolean) {
    this.dropped = new Set(dropped);
    this.keepsComments = keepsComments;
  }

  find(start: Element, page: Measure): MainContent & { good: number } {
    this.dropFrames(start, page, false, false);
    const root = this.narrow(start);
    this.dropLinkLists(root);
    const title = this.of(root).titles === 0 ? this.titleBefore(start, root) : null;
    const { text, link, good } = this.of(root);
    const isNearlyAll = text - link >= clearLength && text - link >= (page.text - page.link) * clearShare;
    const isClear = isNearlyAll && !(this.articles > 1 && hasArticleInArticle(root));
    const shares = { text: text / page.text, plain: (text - link) / (page.text - page.link) };
    return { nodes: title ? [title, root] : [root], dropped: this.dropped, isClear, isForum: false, good, shares };
  }

  measure(element: Element, inLink: boolean): Measure {
    return this.sum(element, inLink, true);
  }

  /** `isFresh`: everything below is measured too; otherwise earlier measures are reused. */
  private sum(element: Element, inLink: boolean, isFresh: boolean): Measure {
    const { name } = element;
    const isBlock = blocks.has(name);
    if (name === "article") this.articles += 1;
    const total: Measure = { text: 0, link: 0, good: 0, titles: name === "h1" ? 1 : 0, isBlock };
    this.measures[orderOf(element)] = total;
    const isLink = inLink || name === "a";
    let ownText = 0;
    let ownLink = 0;
    for (const child of element.children) {
      if (isText(child)) {
        const length = trimmedLength(child.data);
        ownText += length;
        if (isLink) ownLink += length;
      } else if (isElement(child) && !this.dropped.has(child)) {
        const below = isFresh ? this.sum(child, isLink, true) : this.of(child);
        total.good += below.good;
        total.titles += below.titles;
        if (below.isBlock) {
          total.text += below.text;
          total.link += below.link;
        } else {
          ownText += below.text;
          ownLink += below.link;
        }
      }
    }
    total.text += ownText;
    total.link += ownLink;
    if (isBlock) total.good += goodLength(name, ownText, ownLink);
    return total;
  }

  /** Good text in comments, counted at the outermost element that is called so. */
  commentText(element: Element): number {
    let sum = 0;
    for (const child of element.children) {
      if (!isElement(child) || this.dropped.has(child)) continue;
      const { good } = this.of(child);
      if (good === 0) continue;
      const isComments = !neverFrame.has(child.name) && this.framing(child) === "comments";
      sum += isComments ? good : this.commentText(child);
    }
    return sum;
  }

  private of(element: Element): Measure {
    return this.measures[orderOf(element)] as Measure;
  }

  /** True when something below was left out; only elements above it are measured again. */
  private dropFrames(element: Element, page: Measure, inMain: boolean, inLink: boolean): boolean {
    const isLink = inLink || element.name === "a";
    let hasChanged = false;
    for (const child of element.children) {
      if (!isElement(child) || this.dropped.has(child)) continue;
      const measure = this.of(child);
      if (this.isFrame(child, measure, page, inMain)) {
        this.dropped.add(child);
        hasChanged = true;
      } else if (measure.text > 0 && this.dropFrames(child, page, inMain || isNamedMain(child), isLink)) {
        hasChanged = true;
      }
    }
    if (hasChanged) this.sum(element, inLink, false);
    return hasChanged;
  }

  private isFrame(element: Element, measure: Measure, page: Measure, inMain: boolean): boolean {
    const { name } = element;
    if (neverFrame.has(name)) return false;
    const holdsTitle = measure.titles > 0 && measure.titles === page.titles;
    if (name === "header") return !inMain && !holdsTitle && measure.text < page.text * frameShare;
    const framing = this.framing(element);
    if (framing === "none") return false;
    if (name === "button" || name === "label") {
      return !holdsButtonText.has(elementAbove(element)?.name ?? "");
    }
    if (framing === "comments") return !this.keepsComments;
    if (framing === "weak" && measure.link < measure.text * weakLinkShare && measure.text > weakLength) return false;
    if (holdsTitle && name !== "nav") return false;
    return measure.good < page.good * frameShare || measure.good < smallFrame;
  }

  private narrow(start: Element): Element {
    let holder = start;
    for (;;) {
      const next = this.holderBelow(holder);
      if (next === null || textParts.has(next.name)) return holder;
      holder = next;
    }
  }

  private holderBelow(holder: Element): Element | null {
    const whole = this.of(holder);
    for (const child of holder.children) {
      if (!isElement(child) || this.dropped.has(child)) continue;
      const { good, text, link, titles, isBlock } = this.of(child);
      if (!isBlock || good === 0) continue;
      if (isNamedMain(child) && (titles > 0 || whole.titles === 0) && good >= whole.good * namedShare) return child;
      if (good >= whole.good * holdShare && text - link >= (whole.text - whole.link) * holdTextShare) return child;
    }
    return null;
  }

  private dropLinkLists(root: Element): void {
    const found: Element[] = [];
    let sum = 0;
    walk(root, (node) => {
      if (!isElement(node) || this.dropped.has(node) || node.name === "p") return false;
      const measure = this.of(node);
      if (!isLinkList(node, measure) || isAnnounced(node)) return measure.text > 0;
      found.push(node);
      sum += measure.text;
      return false;
    });
    if (sum < this.of(root).text * maxPruned) for (const element of found) this.dropped.add(element);
  }

  /** The heading of the page, when it is outside the part that was found. */
  private titleBefore(start: Element, root: Element): Element | null {
    let title: Element | null = null;
    walk(start, (node) => {
      if (!isElement(node) || this.dropped.has(node)) return false;
      if (node === root) return "stop";
      if (node.name !== "h1" || this.of(node).text === 0) return true;
      title = node;
      return "stop";
    });
    return title;
  }
}

/** Some pages put teasers of other posts into the article that they follow. */
function hasArticleInArticle(root: Element): boolean {
  const isInArticle = (element: Element) => {
    let above = element.name === "article" ? elementAbove(element) : null;
    while (above && above.name !== "article") above = elementAbove(above);
    return above !== null;
  };
  return findBelow(root, isInArticle) !== null;
}

/** How much of a block's own text reads like sentences: long, and not a link. */
function goodLength(name: string, text: number, link: number): number {
  if (name === "pre") return text;
  const plain = text - link;
  if (headings.has(name)) return plain * 0.5;
  if (plain < 20) return 0;
  if (link > text * 0.5) return plain * 0.3;
  return plain < 60 ? plain * 0.5 : plain;
}

function isNamedMain({ name, attribs }: Element): boolean {
  return name === "article" || name === "main" || attribs.role === "main" || attribs.itemprop === "articleBody";
}

function isLinkList({ name }: Element, { text, link, good, titles }: Measure): boolean {
  return listLike.has(name) && link > text * linkShare && text > 10 && good < 100 && titles === 0;
}
