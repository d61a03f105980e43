/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that run inside a page. Each is sent there as its own text, so none may use anything from outside itself.

/**
 * The page's tree as HTML, null when it is longer than `maxLength`. Open shadow roots stand where they are seen, frames of the
 * same origin where their element is, their URLs made absolute. Frames that this page cannot read stand between two
 * comments that hold `mark`; their elements have a number under its symbol, and `foreign` counts them. Of a page that is a
 * frame itself only the body is read, and nothing of one without text or of a player.
 */
export function readTree({ maxLength, mark: key, isFrame }: { maxLength: number; mark: string; isFrame: boolean }): {
  html: string | null;
  foreign: number;
} {
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
  const search = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot !== null) {
        mark(element);
        search(element.shadowRoot);
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
  const answer = (html: string) => ({ html: html.length > maxLength ? null : html, foreign: foreign.size });
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
    copyAll((element.shadowRoot ?? element).childNodes, shell, isFramed, depth + 1);
    return [shell];
  };
  const isSlot = (node: Node): boolean =>
    (node as Element).localName === "slot" && node.getRootNode() instanceof ShadowRoot;
  // Slots are found only on the way: mark the ways to them, too.
  for (const node of [...ways]) {
    const root = (node as Element).shadowRoot;
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

/**
 * Says no, else yes, to a banner that asks for consent, and takes it away. True when there was one. In a frame that is such
 * a banner as a whole, it only answers: the page around it takes it away.
 */
export function dismissConsent(isFrame: boolean): boolean {
  const buttons = [
    "#onetrust-reject-all-handler",
    "#onetrust-accept-btn-handler",
    "#CybotCookiebotDialogBodyButtonDecline",
    "#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll",
    "#didomi-notice-disagree-button",
    "#didomi-notice-agree-button",
    "#truste-consent-required",
    "#truste-consent-button",
    ".qc-cmp2-summary-buttons button[mode=secondary]",
    ".qc-cmp2-summary-buttons button[mode=primary]",
    "#usercentrics-root button[data-testid=uc-deny-all-button]",
    ".cky-btn-reject",
    ".cky-btn-accept",
    ".cmplz-deny",
    ".cmplz-accept",
    ".cc-deny",
    ".cc-dismiss",
    ".osano-cm-denyAll",
    ".osano-cm-accept-all",
    "#cookiescript_reject",
    "#cookiescript_accept",
    "#hs-eu-decline-button",
    "#hs-eu-confirmation-button",
    ".fc-cta-do-not-consent",
    ".fc-cta-consent",
    "#tarteaucitronAllDenied2",
    ".iubenda-cs-reject-btn",
    ".iubenda-cs-accept-btn",
    "#axeptio_btn_dismiss",
    "button[data-cookiebanner=accept_only_essential_button]",
  ];
  const containers = [
    "#onetrust-consent-sdk",
    "#CybotCookiebotDialog",
    "#CybotCookiebotDialogBodyUnderlay",
    "#didomi-host",
    "#truste-consent-track",
    ".qc-cmp2-container",
    "#usercentrics-root",
    ".cky-consent-container",
    ".cky-overlay",
    "#cmplz-cookiebanner-container",
    ".cc-window",
    ".osano-cm-window",
    "#cookiescript_injected",
    "#hs-eu-cookie-confirmation",
    ".fc-consent-root",
    "#tarteaucitronRoot",
    "#iubenda-cs-banner",
    "#axeptio_overlay",
    "[id^=sp_message_container]",
    ".truste_overlay",
    ".truste_box_overlay",
  ];
  const refusal =
    /^(reject|decline|refuse|deny|disagree|only necessary|necessary only|essential only|ablehnen|alle ablehnen|nur notwendige|nur erforderliche|(tout )?refuser|continuer sans accepter|rechazar|rifiuta|recusar|rejeitar|weigeren|alles weigeren|odrzuć|avvisa|afvis|hylkää)/i;
  const acceptance =
    /^(accept|agree|allow|i agree|i accept|ok(ay)?$|got it|understood|continue$|akzeptieren|alle akzeptieren|zustimmen|einverstanden|(tout )?accepter|j'accepte|aceptar|accetta|aceitar|accepteren|alles accepteren|akkoord|zaakceptuj|godkänn|accepter|hyväksy)/i;
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const textOf = (element: Element) => (element.textContent ?? "").trim();

  const found = new Set<Element>();
  for (const selector of containers) {
    for (const element of document.querySelectorAll(selector)) found.add(element);
  }
  const words = ["cookie", "consent", "gdpr"];
  const guesses = words.flatMap((word) => [`[id*="${word}" i]`, `[class*="${word}" i]`, `[aria-label*="${word}" i]`]);
  let looked = 0;
  for (const element of document.querySelectorAll(guesses.join(","))) {
    looked += 1;
    if (looked > 60) break;
    if (["HTML", "BODY", "MAIN", "ARTICLE", "SCRIPT", "STYLE", "LINK"].includes(element.tagName)) continue;
    const { position } = getComputedStyle(element);
    const text = textOf(element);
    const asks = text.length > 0 && text.length < 6000 && /cookie|consent|privacy|datenschutz|gdpr/i.test(text);
    const hasButton =
      element.querySelector("button, [role=button], a, input[type=button], input[type=submit]") !== null;
    const isFramed = text === "" && element.querySelector("iframe") !== null;
    const isBanner = (asks && hasButton) || isFramed;
    if ((position === "fixed" || position === "sticky") && isBanner && isShown(element)) found.add(element);
  }
  const known = buttons.flatMap((selector) => [...document.querySelectorAll(selector)]).find(isShown);
  const asked = isFrame ? [document.body] : [...found];
  const inside = asked.flatMap((element) => [
    ...element.querySelectorAll<HTMLElement>("button, [role=button], a, input[type=button], input[type=submit]"),
  ]);
  const isPlain = (element: HTMLElement) => {
    const target = element.getAttribute("href");
    return isShown(element) && (target === null || target.startsWith("#") || target.startsWith("javascript:"));
  };
  const choices = inside.filter(isPlain);
  const button =
    known ??
    choices.find((each) => refusal.test(textOf(each))) ??
    choices.find((each) => acceptance.test(textOf(each)));
  if (button === undefined && found.size === 0) return false;
  (button as HTMLElement | undefined)?.click();
  if (isFrame) return true;
  // The site's own code takes its banner away first; what is left of it then goes.
  setTimeout(() => {
    for (const element of found) element.remove();
    for (const element of [document.documentElement, document.body]) {
      if (element !== null && getComputedStyle(element).overflow === "hidden") {
        element.style.setProperty("overflow", "visible", "important");
      }
    }
  }, 80);
  return true;
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

/** Shows every part of the page once, as a reader would who goes down to its end, so that it loads what it loads late. */
export async function walkThrough([maxPixels, maxMs]: [number, number]): Promise<void> {
  const root = document.scrollingElement;
  if (root === null) return;
  const { scrollX, scrollY } = window;
  const end = Math.min(root.scrollHeight, maxPixels);
  const until = performance.now() + maxMs;
  for (let top = innerHeight; top < end && performance.now() < until; top += innerHeight) {
    window.scrollTo({ top, behavior: "instant" });
    await new Promise((done) => setTimeout(done, 40));
  }
  window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
}
