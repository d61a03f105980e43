// The main part of a page by general rules: leave out what frames it, then take the smallest element that holds nearly
// all of the remaining text, then leave out lists of links in it. A later, learned judge takes this place's interface.
import type { AnyNode, ChildNode, Element } from "domhandler";
import { FramingReader } from "./boilerplate.ts";
import { isElement, isText, walk } from "./nodes.ts";

export interface MainContent {
  nodes: ChildNode[];
  dropped: Set<AnyNode>;
}

interface Measure {
  /** Characters of text below, and those of them inside links. */
  text: number;
  link: number;
  /** Characters in blocks that read like sentences. */
  good: number;
  /** First-level headings below, itself included. */
  titles: number;
}

const env = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const T = {
  frameShare: env("T_FRAME", 0.4),
  commentShare: env("T_COMMENT", 0.6),
  holdShare: env("T_HOLD", 0.85),
  density: env("T_DENS", 0.5),
  holdText: env("T_HTEXT", 0.5),
  articleText: env("T_ART", 1200),
  pruneShare: env("T_PRUNE", 0.4),
};

const neverFrame = new Set([
  "html",
  "body",
  "main",
  "article",
  "p",
  "h1",
  "h2",
  "td",
  "th",
  "tr",
  "tbody",
  "pre",
  "code",
  "b",
  "i",
  "em",
  "strong",
  "a",
  "blockquote",
  "figure",
  "img",
]);
const blocks = new Set(
  "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header html li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

class Finder {
  readonly dropped: Set<AnyNode>;
  private readonly measures = new Map<Element, Measure>();
  private readonly framing = new FramingReader();
  keepsComments = false;

  constructor(dropped: ReadonlySet<AnyNode>) {
    this.dropped = new Set(dropped);
  }

  measure(element: Element, inLink: boolean): Measure {
    const total: Measure = { text: 0, link: 0, good: 0, titles: element.name === "h1" ? 1 : 0 };
    const isLink = inLink || element.name === "a";
    let ownText = 0;
    let ownLink = 0;
    for (const child of element.children) {
      if (isText(child)) {
        const length = visibleLength(child.data);
        total.text += length;
        ownText += length;
        if (isLink) {
          total.link += length;
          ownLink += length;
        }
      } else if (isElement(child) && !this.dropped.has(child)) {
        const below = this.measure(child, isLink);
        total.text += below.text;
        total.link += below.link;
        total.good += below.good;
        total.titles += below.titles;
        if (!blocks.has(child.name)) {
          ownText += below.text;
          ownLink += below.link;
        }
      }
    }
    if (blocks.has(element.name)) total.good += goodOf(ownText, ownLink, element.name);
    this.measures.set(element, total);
    return total;
  }

  of(element: Element): Measure {
    return this.measures.get(element) as Measure;
  }

  /** Good text in comments, counted at the outermost element that is called so. */
  commentText(element: Element): number {
    let sum = 0;
    for (const child of element.children) {
      if (!isElement(child) || this.dropped.has(child)) continue;
      const { good } = this.of(child);
      if (good === 0) continue;
      sum += !neverFrame.has(child.name) && this.framing.of(child) === "comments" ? good : this.commentText(child);
    }
    return sum;
  }

  /** Leaves out frames below an element. */
  dropFrames(element: Element, page: Measure, inMain: boolean): void {
    for (const child of element.children) {
      if (!isElement(child) || this.dropped.has(child)) continue;
      const measure = this.of(child);
      if (this.isFrame(child, measure, page, inMain)) this.dropped.add(child);
      else if (measure.text > 0)
        this.dropFrames(child, page, inMain || child.name === "main" || child.name === "article");
    }
  }

  private isFrame(element: Element, measure: Measure, page: Measure, inMain: boolean): boolean {
    const { name } = element;
    if (neverFrame.has(name)) return false;
    const holdsTitle = measure.titles > 0 && measure.titles === page.titles;
    if (name === "header") return !inMain && !holdsTitle && measure.text < page.text * T.frameShare;
    const framing = this.framing.of(element);
    if (framing === "none") return false;
    if (name === "button" || name === "label") return !isHeading(element.parent);
    if (framing === "comments") return !this.keepsComments;
    if (holdsTitle && name !== "nav") return false;
    return measure.good < page.good * T.frameShare || measure.good < 200;
  }

  /** Goes down while one child holds nearly all good text. */
  find(start: Element, page: Measure): MainContent & { good: number } {
    this.dropFrames(start, page, false);
    this.measure(start, false);
    const root = this.narrow(start);
    this.prune(root);
    const title = this.of(root).titles === 0 ? this.titleBefore(start, root) : null;
    return { nodes: title ? [title, root] : [root], dropped: this.dropped, good: this.of(root).good };
  }

  /** The heading of the page, when it stands outside of the part that was found. */
  private titleBefore(start: Element, root: Element): Element | null {
    let title: Element | null = null;
    let isBefore = true;
    walk(start, (node) => {
      if (!isBefore || !isElement(node) || this.dropped.has(node)) return false;
      if (node === root) isBefore = false;
      else if (node.name === "h1" && this.of(node).text > 0) title ??= node;
      return title === null;
    });
    return title;
  }

  narrow(start: Element): Element {
    let holder = start;
    for (;;) {
      const whole = this.of(holder);
      let next: Element | null = null;
      for (const child of holder.children) {
        if (
          isElement(child) &&
          !this.dropped.has(child) &&
          blocks.has(child.name) &&
          this.of(child).good >= whole.good * T.holdShare && this.of(child).text - this.of(child).link >= (whole.text - whole.link) * T.holdText
        )
          next = child;
      }
      if (
        next === null ||
        next.name === "p" ||
        next.name === "ul" ||
        next.name === "ol" ||
        next.name === "table" ||
        next.name === "li" ||
        next.name === "blockquote" ||
        next.name === "pre"
      )
        return holder;
      holder = next;
    }
  }

  prune(root: Element): void {
    const whole = this.of(root);
    const found: Element[] = [];
    let sum = 0;
    const look = (element: Element) => {
      for (const child of element.children) {
        if (!isElement(child) || this.dropped.has(child)) continue;
        const measure = this.of(child);
        if (measure.text === 0) continue;
        if (blocks.has(child.name) && isLinkList(child, measure)) {
          found.push(child);
          sum += measure.text;
        } else if (child.name !== "p") look(child);
      }
    };
    look(root);
    if (sum < whole.text * T.pruneShare) for (const element of found) this.dropped.add(element);
  }
}

function isLinkList(element: Element, measure: Measure): boolean {
  if (!/^(?:ul|ol|div|section|table|dl)$/.test(element.name)) return false;
  return measure.link > measure.text * T.density && measure.text > 10 && measure.good < 100 && measure.titles === 0;
}

function goodOf(text: number, link: number, name: string): number {
  const plain = text - link;
  if (name === "pre") return text;
  if (/^h[1-6]$/.test(name)) return plain * 0.5;
  if (plain < 20) return 0;
  return link > text * 0.5 ? plain * 0.3 : plain < 60 ? plain * 0.5 : plain;
}

function visibleLength(text: string): number {
  return text.trim().length;
}

function isHeading(node: AnyNode | null): boolean {
  return node !== null && isElement(node) && /^(?:h[1-6]|summary|dt|li|p)$/.test(node.name);
}

/** Never empty when the page has text: what would be lost is kept instead. */
export function findMain(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>): MainContent {
  const roots = nodes.filter((node): node is Element => isElement(node) && !dropped.has(node));
  const start = roots.find((node) => node.name === "html") ?? (roots.length === 1 ? roots[0] : undefined);
  if (!start) return { nodes: [...nodes], dropped: new Set(dropped) };
  const finder = new Finder(dropped);
  const page = finder.measure(start, false);
  const comments = finder.commentText(start);
  const found = finder.find(start, page);
  if (comments === 0 || comments < page.good * T.commentShare || found.good > T.articleText) return found;
  const other = new Finder(dropped);
  other.keepsComments = true;
  return other.find(start, other.measure(start, false));
}
