// Footnotes: which links are references to a note further down, and which elements are those notes.
import type { AnyNode, Document, Element } from "domhandler";
import { attribute, isElement, orderOf, textOf, walk } from "./nodes.ts";

const referenceNames =
  /(?:^|[\s_-])(?:footnote-?ref|foot-?note|note-?ref|fn-?ref|reference|citation|cite)(?:$|[\s_-])/i;
const backNames = /(?:^|[\s_-])(?:back-?ref|back-?link|footnote-back|return|reversefootnote)(?:$|[\s_-])/i;
const noteNames = new Set(["li", "p", "div", "dd", "aside"]);
const maxLabel = 20;
/** A note is text, not the part of a page that a link happens to lead to. */
const maxNoteLength = 3000;

export class Footnotes {
  private readonly roots: Set<AnyNode>;
  private readonly dropped: ReadonlySet<AnyNode>;
  private readonly labels = new Map<Element, string>();
  private readonly taken = new Set<string>();
  private byId: Map<string, Element> | null = null;
  /** Looked for once: a note may be long and referred to often. */
  private readonly notes = new Map<string, Element | null>();

  constructor(roots: readonly AnyNode[], dropped: ReadonlySet<AnyNode>) {
    this.roots = new Set(roots);
    this.dropped = dropped;
  }

  /** The label of the note that a link refers to, or null when it is no such link or the note is not written after it. */
  reference(link: Element, href: string): string | null {
    if (!href.startsWith("#") || href.length < 2 || !isReference(link)) return null;
    const mark = textOf(link).replace(/[\s[\]()]/g, "");
    if (mark === "" || mark.length > maxLabel || /\p{L}{4}/u.test(mark)) return null;
    const note = this.noteOf(link, href.slice(1));
    if (note === null || orderOf(note) <= orderOf(link)) return null;
    const known = this.labels.get(note);
    if (known !== undefined) return known;
    const label = this.freeLabel(mark, href);
    this.labels.set(note, label);
    this.taken.add(label);
    return label;
  }

  /** The label of a note that was referred to. */
  labelOf(element: Element): string | undefined {
    return this.labels.size > 0 ? this.labels.get(element) : undefined;
  }

  /** The way back from a note to its reference says nothing in a text without pages. */
  isWayBack(element: Element): boolean {
    const names = `${attribute(element, "class") ?? ""} ${attribute(element, "rev") ?? ""}`;
    if (backNames.test(names) || attribute(element, "role") === "doc-backlink") return true;
    return (
      element.name === "a" &&
      attribute(element, "href")?.startsWith("#") === true &&
      !/[\p{L}\p{N}]/u.test(textOf(element))
    );
  }

  private noteOf(link: Element, id: string): Element | null {
    let note = this.notes.get(id);
    if (note === undefined) {
      note = this.findNote(link, id);
      this.notes.set(id, note);
    }
    return note;
  }

  private findNote(link: Element, id: string): Element | null {
    this.byId ??= readIds(rootOf(link));
    let note = this.byId.get(decoded(id)) ?? null;
    // Some put the id on an anchor at the start of the note.
    if (note && !noteNames.has(note.name)) note = parentOf(note);
    if (note === null || !noteNames.has(note.name)) return null;
    return this.isWritten(note) && textOf(note).length <= maxNoteLength ? note : null;
  }

  private isWritten(note: Element): boolean {
    for (let node: AnyNode | null = note; node; node = node.parent) {
      if (this.dropped.has(node)) return false;
      if (this.roots.has(node)) return true;
    }
    return false;
  }

  private freeLabel(mark: string, href: string): string {
    const plain = /^[\w-]+$/.test(mark)
      ? mark
      : href
          .slice(1)
          .replace(/[^\w-]+/g, "-")
          .slice(0, maxLabel) || "note";
    let label = plain;
    for (let count = 2; this.taken.has(label); count += 1) label = `${plain}-${count}`;
    return label;
  }
}

function isReference(link: Element): boolean {
  if (attribute(link, "role") === "doc-noteref") return true;
  const { parent } = link;
  if (parent && isElement(parent) && parent.name === "sup") return true;
  if (link.children.some((child) => isElement(child) && child.name === "sup")) return true;
  return referenceNames.test(attribute(link, "class") ?? "");
}

function parentOf(element: Element): Element | null {
  return element.parent && isElement(element.parent) ? element.parent : null;
}

function rootOf(element: Element): Document | Element {
  let root: Document | Element = element;
  for (let above = element.parent; above; above = above.parent) root = above as Document | Element;
  return root;
}

function readIds(root: Document | Element): Map<string, Element> {
  const byId = new Map<string, Element>();
  walk(root, (node) => {
    if (!isElement(node)) return true;
    const id = attribute(node, "id") ?? (node.name === "a" ? attribute(node, "name") : undefined);
    if (id !== undefined && !byId.has(id)) byId.set(id, node);
    return true;
  });
  return byId;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
