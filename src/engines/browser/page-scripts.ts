/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that run inside a page. Each is sent there as its own text, so none may use anything from outside itself.

/** What is remembered of a document while its scripts run. */
export interface PageNotes {
  /** By their hosts: the page's own scripts cannot find these again, either. */
  closedRoots: WeakMap<Element, ShadowRoot>;
  hasClosedRoots: boolean;
  /** Something waits for parts of the page to be seen, or for it to be scrolled. */
  isWatched: boolean;
}

/**
 * Runs before any script of a document and remembers, under the symbol of `key`, what cannot be found out later. The functions
 * that it watches go on doing what they do.
 */
export function keepNotes(key: string): void {
  // A frame's first, empty document may hand its window on to the next.
  if (Symbol.for(key) in window) return;
  const notes: PageNotes = { closedRoots: new WeakMap(), hasClosedRoots: false, isWatched: false };
  Object.defineProperty(window, Symbol.for(key), { value: notes });
  const watch = <Name extends string>(
    owner: Record<Name, (...given: never[]) => unknown> | undefined,
    name: Name,
    note: (self: unknown, given: readonly unknown[], result: unknown) => void,
  ) => {
    if (owner === undefined) return;
    owner[name] = new Proxy(owner[name], {
      apply(program, self, given) {
        const result = Reflect.apply(program, self, given);
        note(self, given, result);
        return result;
      },
    });
  };
  watch(Element.prototype, "attachShadow", (host, _given, root) => {
    if ((root as ShadowRoot).mode !== "closed") return;
    notes.closedRoots.set(host as Element, root as ShadowRoot);
    notes.hasClosedRoots = true;
  });
  watch(window.IntersectionObserver?.prototype, "observe", () => {
    notes.isWatched = true;
  });
  watch(EventTarget.prototype, "addEventListener", (_self, [type]) => {
    if (type === "scroll" || type === "wheel" || type === "touchmove") notes.isWatched = true;
  });
}

export interface TreeRequest {
  maxLength: number;
  mark: string;
  notes: string;
  isFrame: boolean;
  /** The attribute in which the HTML tells what a person does not see; "": it does not tell. */
  hiddenMark: string;
}

export interface ReadTree {
  html: string | null;
  foreign: number;
}

type MarkHidden = (root: Document | ShadowRoot, mark: (element: Element, how: string) => void) => void;

/**
 * The page's tree as HTML, null when it is longer than `maxLength`. Shadow roots stand where they are seen, the closed ones as
 * far as the notes under `notes` hold them, frames of the same origin where their element is, their URLs made absolute. Frames that this page cannot read stand between two
 * comments that hold `mark`; their elements have a number under its symbol, and `foreign` counts them. Of a page that is a
 * frame itself only the body is read, and nothing of one without text or of a player. What is not seen is marked while the
 * tree is read and unmarked before any script of the page can run.
 */
export function readTree(
  { maxLength, mark: key, notes, isFrame, hiddenMark }: TreeRequest,
  markHidden: MarkHidden,
): ReadTree {
  const maxFrames = 200;
  /** Smaller ones are buttons, badges and counters. */
  const leastSize = { width: 200, height: 100 };
  const maxPlayerText = 1000;
  const nothing = { html: "", foreign: 0 };
  if (isFrame) {
    // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
    const { length } = (document.body?.innerText ?? "").trim();
    const isPlayer = length < maxPlayerText && document.querySelector("video, audio") !== null;
    if (length === 0 || isPlayer) return nothing;
  }
  const maxDepth = 1500;
  const doctype = document.doctype === null ? "" : `${new XMLSerializer().serializeToString(document.doctype)}\n`;
  /** Nodes on the way to a shadow root or a frame: all others can be copied with what is below them. */
  const ways = new Set<Node>();
  const frames = new Map<Element, Document>();
  const foreign = new Map<Element, number>();

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
      node = node.parentNode ?? (node as ShadowRoot).host ?? null
    ) {
      ways.add(node);
    }
  };
  const noteForeign = (element: HTMLIFrameElement): void => {
    const { width, height } = element.getBoundingClientRect();
    if (width < leastSize.width || height < leastSize.height || foreign.size >= maxFrames) return;
    (element as unknown as Record<symbol, number>)[Symbol.for(key)] = foreign.size;
    foreign.set(element, foreign.size);
    mark(element);
  };
  const rootOf = (element: Element): ShadowRoot | null => {
    if (element.shadowRoot !== null) return element.shadowRoot;
    const view = element.ownerDocument?.defaultView as unknown as Record<symbol, PageNotes | undefined> | null;
    const kept = view?.[Symbol.for(notes)];
    return kept?.hasClosedRoots === true ? (kept.closedRoots.get(element) ?? null) : null;
  };
  const roots: (Document | ShadowRoot)[] = [];
  const search = (root: Document | ShadowRoot): void => {
    roots.push(root);
    for (const element of root.querySelectorAll("*")) {
      const shadow = rootOf(element);
      if (shadow !== null) {
        mark(element);
        search(shadow);
      } else if (element.localName === "iframe" && frames.size < maxFrames) {
        const inner = frameOf(element);
        if (inner === null) noteForeign(element as HTMLIFrameElement);
        if (inner?.body == null) continue;
        frames.set(element, inner);
        mark(element);
        search(inner);
      }
    }
  };
  search(document);
  const marked: Element[] = [];
  const note = (element: Element, how: string): void => {
    element.setAttribute(hiddenMark, how);
    marked.push(element);
  };
  for (const root of hiddenMark === "" ? [] : roots) {
    try {
      markHidden(root, note);
    } catch {
      // The page's own scripts may have broken what this needs: then it is read without marks.
    }
  }
  const answer = (html: string) => {
    for (const element of marked) element.removeAttribute(hiddenMark);
    return { html: html.length > maxLength ? null : html, foreign: foreign.size };
  };
  if (ways.size === 0 && !isFrame) return answer(doctype + document.documentElement.outerHTML);

  // A separate document, so that copies start no scripts, load nothing and build no custom elements.
  const inert = document.implementation.createHTMLDocument("");
  const absolute = (from: Element, to: Element): void => {
    for (const name of ["href", "src", "action", "poster"]) {
      const value = from.hasAttribute(name) ? (from as unknown as Record<string, unknown>)[name] : undefined;
      if (typeof value === "string" && value !== "") to.setAttribute(name, value);
    }
  };
  const copyAll = (nodes: Iterable<Node>, to: Node, isFramed: boolean, depth: number): void => {
    for (const node of nodes) {
      for (const copied of copy(node, isFramed, depth)) to.appendChild(copied);
    }
  };
  const copy = (node: Node, isFramed: boolean, depth: number): Node[] => {
    const isElement = node.nodeType === Node.ELEMENT_NODE;
    if (!isElement || depth > maxDepth || (!ways.has(node) && !isFramed && !isSlot(node))) {
      return [inert.importNode(node, true)];
    }
    const element = node as Element;
    if (isSlot(element)) {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      const shown = assigned.length > 0 ? assigned : [...element.childNodes];
      return shown.flatMap((each) => copy(each, isFramed, depth + 1));
    }
    const frame = frames.get(element);
    if (frame !== undefined) {
      const place = inert.createElement("div");
      const source = (element as HTMLIFrameElement).src;
      if (source !== "") place.setAttribute("data-frame", source);
      copyAll(frame.body.childNodes, place, true, depth + 1);
      return [place];
    }
    const number = foreign.get(element);
    if (number !== undefined) {
      const shell = inert.importNode(element, true) as Element;
      if (isFramed) absolute(element, shell);
      return [inert.createComment(`${key}:${number}`), shell, inert.createComment(`/${key}`)];
    }
    if (element.localName === "template") return [inert.importNode(element, true)];
    const shell = inert.importNode(element, false) as Element;
    if (isFramed) absolute(element, shell);
    copyAll((rootOf(element) ?? element).childNodes, shell, isFramed, depth + 1);
    return [shell];
  };
  const isSlot = (node: Node): boolean =>
    (node as Element).localName === "slot" && node.getRootNode() instanceof ShadowRoot;
  // Slots are found only on the way: mark the ways to them, too.
  for (const node of [...ways]) {
    const root = node.nodeType === Node.ELEMENT_NODE ? rootOf(node as Element) : null;
    for (const slot of root?.querySelectorAll("slot") ?? []) mark(slot);
  }
  if (isFrame) {
    const place = inert.createElement("div");
    copyAll(document.body.childNodes, place, true, 0);
    return answer(place.innerHTML);
  }
  const [tree] = copy(document.documentElement, false, 0);
  return answer(doctype + (tree as Element).outerHTML);
}

/** Resolves when nothing was added or removed for a while, at the latest after `maxMs`. */
export function waitForStillness([quietMs, maxMs]: [number, number]): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      observer.disconnect();
      done();
    };
    let timer = setTimeout(end, quietMs);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(end, quietMs);
    });
    observer.observe(document, { childList: true, subtree: true });
    setTimeout(end, maxMs);
  });
}

/** Scrolls by what is seen of the page. */
export function scrollPage(isUp: boolean): void {
  document.scrollingElement?.scrollBy({ top: isUp ? -innerHeight : innerHeight, behavior: "instant" });
}

/** Scrolls by what is seen of the element. */
export function scrollElement(element: Element, isUp: boolean): void {
  element.scrollBy({ top: isUp ? -element.clientHeight : element.clientHeight, behavior: "instant" });
}

/** Of the value that it is called on: its JSON, "" where there is none, and its text. */
export function writeValue(this: unknown): { json: string; text: string } {
  let json: string | undefined;
  try {
    json = JSON.stringify(this);
  } catch {
    // It holds itself, or what may not be looked at.
  }
  if (json !== undefined) return { json, text: "" };
  try {
    return { json: "", text: String(this).slice(0, 100_000) };
  } catch {
    return { json: "", text: typeof this };
  }
}

export interface Walk {
  /** Where it begins and where it ends at the latest, in pixels of the page. */
  from: number;
  end: number;
  /** How far it follows a page that grows, and how long it waits for that where the page seems to end. */
  maxGrowth: number;
  growthMs: number;
  maxMs: number;
  /** Where the page goes afterwards: back to where it was, to a place of an earlier walk, or nowhere. */
  after: "back" | "stay" | { left: number; top: number };
}

export interface Walked {
  at: number;
  /** How long the page was before. */
  height: number;
  home: { left: number; top: number };
}

/**
 * Shows every part of the page once, as a reader would who goes down to its end, so that it loads what it loads late. Where
 * the page itself does not scroll, the part in its middle does.
 */
export async function walkThrough({ from, end, maxGrowth, growthMs, maxMs, after }: Walk): Promise<Walked> {
  const pauseMs = 40;
  const frameMs = 500;
  const leastStep = 100;
  const pause = () => new Promise((done) => setTimeout(done, pauseMs));
  /** What was not drawn was not seen, and on a busy machine a picture takes its time. The second is begun when the first is drawn. */
  const drawn = () =>
    new Promise<void>((done) => {
      const late = setTimeout(done, frameMs);
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          clearTimeout(late);
          done();
        }),
      );
    });
  const root = document.scrollingElement ?? document.documentElement;
  const scrolls = (element: Element) =>
    element.scrollHeight > element.clientHeight + leastStep && /auto|scroll/.test(getComputedStyle(element).overflowY);
  let place = root;
  if (root.scrollHeight <= root.clientHeight) {
    let inner = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    while (inner !== null && !scrolls(inner)) inner = inner.parentElement;
    place = inner ?? root;
  }
  const { scrollLeft: left, scrollTop: top, scrollHeight: height } = place;
  const step = Math.max(place.clientHeight, leastStep);
  const until = performance.now() + maxMs;
  /** Whether there is more below, now or in a moment. */
  const goesOn = async (below: number): Promise<boolean> => {
    const patience = Math.min(until, performance.now() + growthMs);
    while (below >= place.scrollHeight && performance.now() < patience) await pause();
    return below < place.scrollHeight;
  };
  const last = Math.min(end, height + maxGrowth);
  let at = from;
  while (at + step < last && performance.now() < until && (await goesOn(at + step))) {
    at += step;
    place.scrollTo({ top: at, behavior: "instant" });
    await Promise.all([pause(), drawn()]);
  }
  if (after !== "stay") place.scrollTo({ ...(after === "back" ? { left, top } : after), behavior: "instant" });
  return { at, height, home: { left, top } };
}

export interface PageLook {
  /**
   * Whether it is a page that leads to another one by itself: "surely" by what is known of such pages, "perhaps" if it is a
   * short page with scripts and the server's status says that this is not what was asked for.
   */
  leadsOn: "no" | "perhaps" | "surely";
  /** Something may load late, when it is seen. */
  isWatched: boolean;
}

/** What kind of page it is, told at little cost: most pages have too many elements to be a challenge. */
export function lookAtPage(key: string): PageLook {
  const maxElements = 400;
  const maxLetters = 1500;
  const maxWordsLetters = 600;
  const maxRefreshSeconds = 10;
  const notes = (window as unknown as Record<symbol, PageNotes | undefined>)[Symbol.for(key)];
  const handlers = [window.onscroll, document.onscroll, document.body?.onscroll];
  const isWatched =
    notes?.isWatched === true ||
    handlers.some((handler) => handler != null) ||
    document.querySelector("iframe[loading=lazy]") !== null;
  if (document.getElementsByTagName("*").length > maxElements) return { leadsOn: "no", isWatched };

  const refreshes = [...document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="refresh" i]')];
  const isRefreshed = refreshes.some(({ content }) => Number.parseFloat(content) <= maxRefreshSeconds);
  const hasScripts = document.scripts.length > 0;
  // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
  const text = (document.body?.innerText ?? "").trim();
  if (isRefreshed) return { leadsOn: text.length < maxLetters ? "surely" : "no", isWatched };
  if (!hasScripts || text.length > maxLetters) return { leadsOn: "no", isWatched };
  const forPeople = [
    "iframe[src*='hcaptcha.com']",
    "iframe[src*='/recaptcha/']",
    "iframe[src*='captcha-delivery.com']",
    "#px-captcha",
    ".g-recaptcha",
    ".h-captcha",
  ];
  if (document.querySelector(forPeople.join(",")) !== null) return { leadsOn: "no", isWatched };
  const marks = [
    "script[src*='/cdn-cgi/challenge-platform/']",
    "#challenge-form",
    "#challenge-running",
    "script[src*='_Incapsula_Resource']",
    "script[src*='/.well-known/ddos-guard/']",
    "#anubis_challenge",
    "script[src*='.awswaf.com']",
    "script[src*='/ips.js']",
    "script[src*='/.well-known/vercel/security/']",
  ];
  const words =
    /just a moment|one moment|checking (your|the) (browser|connection)|verifying (you|your|that)|please wait|security check|ddos protection|making sure you|redirecting|being redirected/i;
  const isKnown =
    document.querySelector(marks.join(",")) !== null ||
    (text.length < maxWordsLetters && (words.test(document.title) || words.test(text)));
  return { leadsOn: isKnown ? "surely" : text.length < maxWordsLetters ? "perhaps" : "no", isWatched };
}
