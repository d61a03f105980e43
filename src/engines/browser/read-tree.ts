/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that run inside a page, sent there as text: they may use each other and nothing else.
import { type MarkHidden, markHiddenText } from "./mark-hidden.ts";
import { openTree, type TreeAccess } from "./tree-access.ts";

export interface TreeRequest {
  maxLength: number;
  /** An unguessable word. */
  mark: string;
  /** What asks the document for its closed shadow roots. */
  notes: string;
  isFrame: boolean;
  /** Whether attributes of the name `mark` are to tell what a person does not see. */
  marksHidden: boolean;
}

export interface ReadTree {
  /** Null when it is too long. */
  html: string | null;
  /** How many of its frames were not read. */
  foreign: number;
  url: string;
}

interface TreeTools {
  tree: TreeAccess;
  markHidden: MarkHidden;
}

/**
 * The page's tree as HTML, null when it is longer than `maxLength`. Shadow roots are written where they are shown, the closed ones as
 * far as the document's notes hold them, frames of the same origin where their element is, their URLs made absolute. Frames
 * that this page cannot read are two comments that hold `mark`, with their number; their elements are kept under its
 * symbol. Of a page that is a frame itself only the body is read, and nothing of one without text or of a player. What is not
 * seen is marked while the tree is read and unmarked before any script of the page can run; the mark's name is new each time,
 * so that no element of the page can watch for it.
 */
function readTree(
  { maxLength, mark, notes, isFrame, marksHidden }: TreeRequest,
  { tree, markHidden }: TreeTools,
): ReadTree {
  const maxPlayerText = 1000;
  /** Not Chromium's own error pages. */
  const readable = /^(?:https?|data|blob|about):/;
  const url = location.href;
  if (isFrame) {
    // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
    const { length } = (tree.body(document)?.innerText ?? "").trim();
    const isPlayer = length < maxPlayerText && tree.all(document, "video, audio").length > 0;
    if (length === 0 || isPlayer || !readable.test(url)) return { html: "", foreign: 0, url };
  }
  const type = tree.doctype(document);
  const doctype = type === null ? "" : `${new XMLSerializer().serializeToString(type)}\n`;
  const parts = findParts(notes, tree);
  const { foreign, roots, ways } = parts;
  if (foreign.size > 0) (globalThis as unknown as Record<symbol, unknown>)[Symbol.for(mark)] = [...foreign.keys()];
  const marked: Element[] = [];
  const note = (element: Element, how: string): void => {
    tree.setAttribute(element, mark, how);
    marked.push(element);
  };
  for (const root of marksHidden ? roots : []) markHidden(root, note, tree);
  const answer = (html: string) => {
    for (const element of marked) tree.removeAttribute(element, mark);
    return { html: html.length > maxLength ? null : html, foreign: foreign.size, url };
  };
  if (isFrame) return answer(copyParts(parts, mark, tree).copyBody());
  return answer(doctype + (ways.size === 0 ? tree.html(tree.top(document)) : copyParts(parts, mark, tree).copyTop()));
}

/** Where a page holds what its own HTML does not: shadow roots and frames, those of other sites by number. */
function findParts(notes: string, tree: TreeAccess) {
  const maxFrames = 200;
  /** Smaller ones are buttons, badges and counters. */
  const leastSize = { width: 200, height: 100 };
  /** Nodes on the way to a shadow root or a frame: all others can be copied with what is below them. */
  const ways = new Set<Node>();
  const frames = new Map<Element, Document>();
  const foreign = new Map<Element, number>();
  const closedRoots = new Map<Element, ShadowRoot>();

  const askForRoots = (view: Window | null): void => {
    let guest: Node | null = null;
    const meet = (event: Event) => {
      guest = (event as MouseEvent).relatedTarget as Node | null;
    };
    const look = () => {
      const root = guest === null ? null : (tree.root(guest) as ShadowRoot);
      if (root?.host) closedRoots.set(root.host, root);
    };
    view?.addEventListener(`${notes}-guest`, meet);
    view?.addEventListener(`${notes}-root`, look);
    view?.dispatchEvent(new Event(notes));
    view?.removeEventListener(`${notes}-guest`, meet);
    view?.removeEventListener(`${notes}-root`, look);
  };
  const frameOf = (element: Element): Document | null => {
    try {
      return (element as HTMLIFrameElement).contentDocument;
    } catch {
      return null;
    }
  };
  const mark = (start: Node | null) => {
    for (
      let node = start;
      node !== null && !ways.has(node);
      node = tree.parent(node) ?? (node as ShadowRoot).host ?? null
    ) {
      ways.add(node);
    }
  };
  const noteForeign = (element: HTMLIFrameElement): void => {
    const { width, height } = tree.box(element);
    if (width < leastSize.width || height < leastSize.height || foreign.size >= maxFrames) return;
    foreign.set(element, foreign.size);
    mark(element);
  };
  const rootOf = (element: Element): ShadowRoot | null => tree.shadow(element) ?? closedRoots.get(element) ?? null;
  const roots: (Document | ShadowRoot)[] = [];
  const search = (root: Document | ShadowRoot): void => {
    roots.push(root);
    if (tree.type(root) === Node.DOCUMENT_NODE) askForRoots(tree.view(root as Document));
    for (const element of tree.all(root, "*")) {
      const shadow = rootOf(element);
      if (shadow !== null) {
        mark(element);
        search(shadow);
      } else if (tree.name(element) === "iframe" && frames.size < maxFrames) {
        const inner = frameOf(element);
        if (inner === null) noteForeign(element as HTMLIFrameElement);
        if (inner === null || tree.body(inner) === null) continue;
        frames.set(element, inner);
        mark(element);
        search(inner);
      }
    }
  };
  search(document);
  // Slots are found only on the way: the ways to them count, too.
  for (const node of [...ways]) {
    const root = tree.isElement(node) ? rootOf(node) : null;
    for (const slot of root === null ? [] : tree.all(root, "slot")) mark(slot);
  }
  return { ways, frames, foreign, roots, rootOf };
}

/** Copies of the page in which shadow roots and frames are written where they are shown. */
function copyParts(parts: ReturnType<typeof findParts>, mark: string, tree: TreeAccess) {
  const maxDepth = 1500;
  // A separate document, so that copies start no scripts, load nothing and build no custom elements.
  const inert = tree.implementation(document).createHTMLDocument("");
  const absolute = (from: Element, to: Element): void => {
    for (const name of ["href", "src", "action", "poster"]) {
      const value = tree.attribute(from, name) === null ? "" : (from as unknown as Record<string, unknown>)[name];
      if (typeof value === "string" && value !== "") tree.setAttribute(to, name, value);
    }
  };
  const copyAll = (nodes: Iterable<Node>, to: Node, isFramed: boolean, depth: number): void => {
    for (const node of nodes) {
      for (const copied of copy(node, isFramed, depth)) Node.prototype.appendChild.call(to, copied);
    }
  };
  const copy = (node: Node, isFramed: boolean, depth: number): Node[] => {
    if (!tree.isElement(node) || depth > maxDepth || (!parts.ways.has(node) && !isFramed && !isSlot(node))) {
      return [inert.importNode(node, true)];
    }
    const element: Element = node;
    if (isSlot(element)) {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      const shown = assigned.length > 0 ? assigned : tree.childNodes(element);
      return shown.flatMap((each) => copy(each, isFramed, depth + 1));
    }
    const frame = parts.frames.get(element);
    if (frame !== undefined) {
      const place = inert.createElement("div");
      const source = (element as HTMLIFrameElement).src;
      if (source !== "") place.setAttribute("data-frame", source);
      const body = tree.body(frame);
      if (body !== null) copyAll(tree.childNodes(body), place, true, depth + 1);
      return [place];
    }
    const number = parts.foreign.get(element);
    if (number !== undefined) {
      const shell = inert.importNode(element, true);
      if (isFramed) absolute(element, shell);
      return [inert.createComment(`${mark}:${number}`), shell, inert.createComment(`/${mark}`)];
    }
    if (tree.name(element) === "template") return [inert.importNode(element, true)];
    const shell = inert.importNode(element, false);
    if (isFramed) absolute(element, shell);
    copyAll(tree.childNodes(parts.rootOf(element) ?? element), shell, isFramed, depth + 1);
    return [shell];
  };
  const isSlot = (node: Node): boolean =>
    tree.isElement(node) && tree.name(node) === "slot" && "host" in tree.root(node);
  return {
    copyTop(): string {
      const [top] = copy(tree.top(document), false, 0);
      return tree.html(top as Element);
    },
    copyBody(): string {
      const place = inert.createElement("div");
      const body = tree.body(document);
      if (body !== null) copyAll(tree.childNodes(body), place, true, 0);
      return place.innerHTML;
    },
  };
}

/** All functions are sent as one text, so that nothing of the page runs between marking and reading. */
export const readTreeText = `(request) => {
  ${findParts} ${copyParts}
  return (${readTree})(request, { tree: (${openTree})(), markHidden: ${markHiddenText} });
}`;

/** The element of a frame that a tree names by number. */
export function frameElement({ mark, number }: { mark: string; number: number }): Element | null {
  const elements = (globalThis as unknown as Record<symbol, Element[] | undefined>)[Symbol.for(mark)];
  return elements?.[number] ?? null;
}
