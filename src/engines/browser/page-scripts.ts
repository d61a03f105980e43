/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that run inside a page. Each is sent there as its own text, so none may use anything from outside itself.

/** What is remembered of a document while its scripts run. */
export interface PageNotes {
  /** The page's own scripts cannot find these again, either. */
  closedRoots: ShadowRoot[];
  /** Something waits for parts of the page to be seen, or for it to be scrolled. */
  isWatched: boolean;
}

/**
 * Runs before any script of a document and remembers, under the symbol of `key`, what cannot be found out later. The functions
 * that it watches go on doing what they do. Our other worlds ask for the closed shadow roots by an event of the name `key`.
 * Values do not pass from world to world, but nodes do: one that an event shows them is put into each root for a moment.
 */
export function keepNotes(key: string): void {
  // A frame's first, empty document may hand its window on to the next.
  if (Symbol.for(key) in window) return;
  const notes: PageNotes = { closedRoots: [], isWatched: false };
  Object.defineProperty(window, Symbol.for(key), { value: notes });
  const guest = document.createElement("i");
  const { append } = DocumentFragment.prototype;
  const { remove } = Element.prototype;
  const { Event: News, MouseEvent: Showing } = window as typeof globalThis & Window;
  const send = window.dispatchEvent.bind(window);
  window.addEventListener(key, () => {
    if (notes.closedRoots.length === 0) return;
    send(new Showing(`${key}-guest`, { relatedTarget: guest }));
    for (const root of notes.closedRoots) {
      Reflect.apply(append, root, [guest]);
      send(new News(`${key}-root`));
    }
    Reflect.apply(remove, guest, []);
  });
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
  watch(Element.prototype, "attachShadow", (_host, _given, root) => {
    if ((root as ShadowRoot).mode === "closed") notes.closedRoots.push(root as ShadowRoot);
  });
  watch(window.IntersectionObserver?.prototype, "observe", () => {
    notes.isWatched = true;
  });
  watch(EventTarget.prototype, "addEventListener", (_self, [type]) => {
    if (type === "scroll" || type === "wheel" || type === "touchmove") notes.isWatched = true;
  });
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

/** Of the value that it is called on: its JSON ("" without one) and its text. */
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

/** What kind of page it is, at little cost: most pages have too many elements to be a challenge. */
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
