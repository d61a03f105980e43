// Footnotes: which links are references to a note further down, and which elements are those notes.
import type { AnyNode, Document, Element } from "domhandler";
import { attribute, classOf, elementAbove, elementAfter, isElement, orderOf, textOf, walk } from "../../html/index.ts";
import type { PageUrls } from "../links/page-urls.ts";

const referenceNames =
  /(?:^|[\s_-])(?:footnote-?ref|foot-?note(?:-anchor)?|note-?ref|fn-?ref|reference|citation|cite)(?:$|[\s_-])/i;
const backNames = /(?:^|[\s_-])(?:back-?ref|back-?link|footnote-back|return|reversefootnote)(?:$|[\s_-])/i;
const noteNames = new Set(["li", "p", "div", "dd", "aside"]);
/** Elements that collect the notes of a page. */
const noteSections = /(?:^|[\s_-])(?:footnotes?|endnotes|references)(?:$|[\s_-])/i;
/** Fragments that word processors give to notes, whose links are then like any other. */
const noteFragment = /^_?(?:ftn|edn|fn|footnote|endnote)[-_:.]?\w{0,8}\d$/i;
const maxLabel = 20;
/** A note is text, not the part of a page that a link happens to lead to. */
const maxNoteLength = 3000;

export class Footnotes {
  private readonly roots: Set<AnyNode>;
  private readonly dropped: ReadonlySet<AnyNode>;
  private readonly urls: PageUrls;
  private readonly labels = new Map<Element, string>();
  /** The text of the reference to each label: "1", "*", "note 2". */
  private readonly marks = new Map<string, string>();
  private byId: Map<string, Element> | null = null;
  /** Each is looked up once: a note may be long and referred to often. */
  private readonly notes = new Map<string, Element | null>();

  constructor(roots: readonly AnyNode[], dropped: ReadonlySet<AnyNode>, urls: PageUrls) {
    this.roots = new Set(roots);
    this.dropped = dropped;
    this.urls = urls;
  }

  /** The label of the note that a link refers to; null for other links, and for notes that come before their reference. */
  reference(link: Element, href: string): string | null {
    if (!href.includes("#") || !isReference(link, href)) return null;
    const id = href.startsWith("#") ? href.slice(1) : this.urls.placeOnPage(href);
    const mark = bareMark(textOf(link));
    if (!id || mark === "" || mark.length > maxLabel || /\p{L}{4}(?!\p{L}{0,6}\d)/u.test(mark)) return null;
    const note = this.noteOf(link, id);
    if (note === null || orderOf(note) <= orderOf(link)) return null;
    const known = this.labels.get(note);
    if (known !== undefined) return known;
    const label = this.freeLabel(mark, id);
    this.labels.set(note, label);
    this.marks.set(label, mark);
    return label;
  }

  /** True for the nodes that were passed in, not for those below them. */
  isRoot(node: AnyNode): boolean {
    return this.roots.has(node);
  }

  /** The label of a note that was referred to. */
  labelOf(element: Element): string | undefined {
    return this.labels.size > 0 ? this.labels.get(element) : undefined;
  }

  /** True for the term of a note that is the definition after it. */
  isLabel(term: Element): boolean {
    const note = this.labels.size > 0 ? definitionAfter(term) : null;
    return note !== null && this.labels.has(note);
  }

  /** The line above the notes, which readers of markdown draw themselves. */
  isDivider(rule: Element): boolean {
    if (this.labels.size === 0) return false;
    const around = elementAbove(rule);
    if (noteSections.test(attribute(rule, "class") ?? "")) return true;
    return (
      attribute(around ?? rule, "role") === "doc-endnotes" || (around !== null && noteSections.test(classOf(around)))
    );
  }

  /** True for the sign at the start of a note that repeats its reference. */
  isOwnMark(element: Element, label: string): boolean {
    const text = textOf(element);
    return text.length <= maxLabel && bareMark(text).replace(/[.:]$/, "") === this.marks.get(label);
  }

  /** The text at the start of a note without such a sign. */
  withoutMark(text: string, label: string): string {
    const [sign = ""] = /^\s*(?:\[[^\]\s]{1,10}\]|\([^)\s]{1,10}\)|\S{1,10}[.:)]|[*†‡§]+)(?=\s)/.exec(text) ?? [];
    const isOwn = sign !== "" && bareMark(sign).replace(/[.:]$/, "") === this.marks.get(label);
    return isOwn ? text.slice(sign.length) : text;
  }

  /** The way back from a note to its reference is useless in plain text. */
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
    // Some put the id on an anchor at the start of the note, or on the term before it.
    if (note?.name === "dt") note = definitionAfter(note);
    else if (note && !isNote(note)) note = elementAbove(note);
    if (note === null || !isNote(note)) return null;
    return this.isWritten(note) && textOf(note).length <= maxNoteLength ? note : null;
  }

  private isWritten(note: Element): boolean {
    for (let node: AnyNode | null = note; node; node = node.parent) {
      if (this.dropped.has(node)) return false;
      if (this.roots.has(node)) return true;
    }
    return false;
  }

  private freeLabel(mark: string, id: string): string {
    const plain = /^[\w-]+$/.test(mark) ? mark : id.replace(/[^\w-]+/g, "-").slice(0, maxLabel) || "note";
    let label = plain;
    for (let count = 2; this.marks.has(label); count += 1) label = `${plain}-${count}`;
    return label;
  }
}

function bareMark(text: string): string {
  return text.replace(/[\s[\]()]/g, "");
}

/** Old programs make a table of each note. */
function isNote({ name, attribs }: Element): boolean {
  return noteNames.has(name) || (name === "table" && noteSections.test(attribs.class ?? ""));
}

function definitionAfter(term: Element): Element | null {
  const next = elementAfter(term);
  return next?.name === "dd" ? next : null;
}

function isReference(link: Element, href: string): boolean {
  if (attribute(link, "role") === "doc-noteref" || attribute(link, "data-footnote-ref") !== undefined) return true;
  if (elementAbove(link)?.name === "sup") return true;
  if (link.children.some((child) => isElement(child) && child.name === "sup")) return true;
  if (referenceNames.test(attribute(link, "class") ?? "")) return true;
  return noteFragment.test(href.slice(href.indexOf("#") + 1)) && /^\s*\[?\d{1,3}\]?\s*$/.test(textOf(link));
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
