// A page's words for the search index: its main text without markup, its headings, and where its links lead.
import type { AnyNode, ChildNode, Element } from "domhandler";
import { attribute, isElement, isText } from "../../html/index.ts";
import type { Outlink } from "../links/outlinks.ts";
import { collapseSpaces, isPlainText } from "../markdown/escape.ts";

export interface SearchText {
  /** One line a block; headings are among them. */
  text: string;
  headings: string[];
  links: Outlink[];
}

/** More of a page is not searched. */
const maxTextLength = 100_000;
const maxHeadings = 200;
export const maxSearchLinks = 300;

const inline = new Set(
  (
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i img ins kbd label mark picture q rp rt ruby s " +
    "samp small span strike strong sub sup time tt u var wbr"
  ).split(" "),
);
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const unread = new Set(["select", "textarea"]);

export function readSearchText(
  nodes: readonly ChildNode[],
  dropped: ReadonlySet<AnyNode>,
): Pick<SearchText, "text" | "headings"> {
  const reader = new Reader(dropped);
  for (const node of nodes) reader.node(node);
  return { text: reader.parts.join("").trim().slice(0, maxTextLength), headings: reader.headings };
}

class Reader {
  readonly parts: string[] = [];
  readonly headings: string[] = [];
  private readonly dropped: ReadonlySet<AnyNode>;
  private length = 0;
  private isLineStart = true;

  constructor(dropped: ReadonlySet<AnyNode>) {
    this.dropped = dropped;
  }

  node(node: AnyNode): void {
    if (this.length > maxTextLength) return;
    if (isText(node)) this.add(isPlainText(node) ? node.data : collapseSpaces(node.data));
    else if (isElement(node) && !this.dropped.has(node)) this.element(node);
  }

  private element(element: Element): void {
    const { name } = element;
    if (name === "img") this.add(` ${attribute(element, "alt") ?? ""} `);
    else if (inline.has(name)) this.children(element);
    else if (!unread.has(name)) this.block(element);
  }

  private block(element: Element): void {
    this.endLine();
    const from = this.parts.length;
    this.children(element);
    this.endLine();
    if (!headings.has(element.name) || this.headings.length >= maxHeadings) return;
    const heading = this.parts.slice(from).join("").trim();
    if (heading !== "") this.headings.push(heading);
  }

  private children(element: Element): void {
    for (const child of element.children) this.node(child);
  }

  private add(text: string): void {
    if (this.isLineStart && text.trim() === "") return;
    this.parts.push(text);
    this.length += text.length;
    this.isLineStart = false;
  }

  private endLine(): void {
    if (this.isLineStart) return;
    this.parts.push("\n");
    this.isLineStart = true;
  }
}
