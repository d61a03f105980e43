/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that run inside a page to find, answer and remove consent dialogs. They are sent there as text, so they
// may use each other and nothing else.

/** A request of the rules in a page, or their state. */
export type ConsentNews = { kind: "eval"; id: string; snippet: string } | { kind: "state"; state: string };

interface RulesWindow {
  autoconsentSendMessage(message: Record<string, unknown>): Promise<void>;
  autoconsentReceiveMessage(message: unknown): Promise<void>;
  consentNews: ConsentNews[];
  wakeReader: () => void;
}

/** Before the script with the rules is loaded: a queue for its messages. */
export function openConsentBox(): void {
  const world = window as unknown as RulesWindow;
  world.consentNews = [];
  world.wakeReader = () => undefined;
  world.autoconsentSendMessage = async (message) => {
    if (message.type === "eval") {
      world.consentNews.push({ kind: "eval", id: String(message.id), snippet: String(message.snippetId) });
    } else if (message.type === "report") {
      world.consentNews.push({ kind: "state", state: String((message.state as { lifecycle: unknown }).lifecycle) });
    }
    world.wakeReader();
  };
}

/** A message for the script with the rules. */
export function tellRules(message: unknown): void {
  void (window as unknown as RulesWindow).autoconsentReceiveMessage(message);
}

export async function nextConsentNews(): Promise<ConsentNews> {
  const world = window as unknown as RulesWindow;
  for (;;) {
    const news = world.consentNews.shift();
    if (news !== undefined) return news;
    await new Promise<void>((wake) => {
      world.wakeReader = wake;
    });
  }
}

export type ConsentStep = "look" | "answer" | "answer-frame" | "remove";

/**
 * "look": whether there is a consent dialog. "answer": says no, else yes, by the words on its buttons. "remove": removes
 * what is left of it and lets the page scroll again. In a frame that is a banner as a whole, "answer-frame" only
 * answers: the page around it removes it. Age checks are left alone.
 */
function handleConsent(step: ConsentStep): boolean {
  const page = openConsentPage();
  const found = findBanners(page);
  if (step === "look") {
    if ([...found].some(page.isShown) || liesOver(page)) return true;
    return page.isNothingElse() && findChoice(page, [document.body]) !== undefined;
  }

  if (step === "remove") return removeBanners(page, found);
  const isWhole =
    step === "answer-frame" ? page.asks(page.textOf(document.body)) : found.size === 0 && page.isNothingElse();
  const button = findChoice(page, isWhole ? [document.body] : [...found]);
  button?.click();
  return button !== undefined;
}

/** Checks of a page and its elements. */
function openConsentPage() {
  const subject = /cookie|consent|privacy|datenschutz|gdpr|tracking|confidentialit|privacidad/i;
  const age =
    /\b(18|21)\s*(\+|years|jahre|ans|años|anni|anos|jaar)|\b(of legal|your|verify .{0,12}) age\b|\bage (check|gate|verif)/i;
  const controls = "button, [role=button], a, input[type=button], input[type=submit]";
  const maxText = 6000;
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const textOf = (element: Element) => (element.textContent ?? "").trim();
  const isPageItself = (element: Element) =>
    ["HTML", "BODY", "MAIN", "ARTICLE", "SCRIPT", "STYLE", "LINK"].includes(element.tagName);
  const isFixed = (element: Element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);
  const asks = (text: string) => text.length > 0 && text.length < maxText && subject.test(text) && !age.test(text);

  const maxElements = 300;
  const isSmall = document.getElementsByTagName("*").length < maxElements;
  const shownText = () => (document.body?.innerText ?? "").trim();
  /** The page is nothing but the question: little text, and nothing to fill in but the answer. */
  const isNothingElse = (): boolean => {
    const maxTextLength = 2000;
    const answers = ["hidden", "submit", "button", "checkbox", "radio"].map((type) => `[type=${type}]`);
    const fields = document.querySelector(`textarea, select, input:not(${answers.join(",")})`);
    if (!isSmall || fields !== null) return false;
    const text = shownText();
    return text.length < maxTextLength && asks(text);
  };
  return { controls, isShown, textOf, isPageItself, isFixed, asks, isSmall, shownText, isNothingElse };
}

/** Dialogs of known makers, and what looks like one. */
function findBanners({ asks, controls, isFixed, isPageItself, isShown, textOf }: ConsentPage): Set<Element> {
  const containers = [
    "#onetrust-consent-sdk",
    "#CybotCookiebotDialog",
    "#CybotCookiebotDialogBodyUnderlay",
    "#didomi-host",
    "#truste-consent-track",
    ".qc-cmp2-container",
    "#usercentrics-root",
    "#usercentrics-cmp-ui",
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
  const maxLooked = 60;
  const found = new Set<Element>();
  for (const element of document.querySelectorAll(containers.join(","))) found.add(element);
  const words = ["cookie", "consent", "gdpr"];
  const guesses = words.flatMap((word) => [`[id*="${word}" i]`, `[class*="${word}" i]`, `[aria-label*="${word}" i]`]);
  let looked = 0;
  for (const element of document.querySelectorAll(guesses.join(","))) {
    looked += 1;
    if (looked > maxLooked) break;
    if (isPageItself(element) || !isFixed(element) || !isShown(element)) continue;
    const text = textOf(element);
    const isFramed = text === "" && element.querySelector("iframe") !== null;
    if ((asks(text) && element.querySelector(controls) !== null) || isFramed) found.add(element);
  }
  return found;
}

/** The button that says no, else the one that says yes. */
function findChoice({ controls, isShown, textOf }: ConsentPage, elements: readonly Element[]): HTMLElement | undefined {
  const refusal =
    /^(no,? )?(reject|decline|refuse|deny|disagree|i (do not|don't) (agree|accept|consent)|do not consent|continue without|(use |accept )?(only )?(strictly )?(necessary|essential)( cookies)? only|(use |accept |allow )?only (strictly )?(necessary|essential)|(alle(s)? )?(cookies )?ablehnen|nur (notwendige|erforderliche|essenzielle)|weiter ohne|(tout |je )?refuse|continuer sans|rechazar|(no|rifiuta|continua senza)\b.*accett|rifiuta|recusar|rejeitar|continuar sem|(alles )?weiger|alleen (noodzakelijke|functionele)|odrzu|tylko niezb|avvisa|afvis|avslå|kun nødvendige|endast nödvändiga|hylkää|odmítnout|elutas|reddet|отклонить|拒否|拒绝|거부)/i;
  const acceptance =
    /^(yes,? |ja,? |oui,? |sí,? |sì,? |sim,? )?(accept|agree|allow|enable|i (agree|accept|consent|understand)|i'?m (ok|okay|happy|fine)|ok(ay)?(,.*)?$|got it|understood|consent\b|continue( to (the )?(site|website|page))?$|(alle(s|n)? )?(cookies )?(akzeptieren|annehmen|erlauben|zulassen|zustimmen)|(ich )?(stimme|willige)|einwilligen|einverstanden|(j'|tout |je )?(accept|autoris|consens)|d'accord|j'ai compris|(permitir|acepto|aceptar|consentir|entendido|de acuerdo)|accett|acconsent|(aceit|concordo|permitir)|(ik ga )?akkoord|(alle(s)? )?(cookies )?(accepteren|toestaan)|(zaakceptuj|akceptuj|zgadzam)|(godkänn|acceptera|tillad|godta|godkend|accepter)|hyväksy|(přijmout|souhlas)|(elfogad|egyetért)|(kabul|onayl)|(принять|принимаю|соглас)|同意|すべて|동의)/i;
  const choices = elements
    .flatMap((element) => [...element.querySelectorAll<HTMLElement>(controls)])
    .filter((element) => {
      const target = element.getAttribute("href");
      // A link to the site itself is an answer only where it says yes; elsewhere it leads to more about cookies.
      const isHere = target === null || target.startsWith("#") || target.startsWith("javascript:");
      const isOwn =
        !isHere && (element as HTMLAnchorElement).host === location.host && acceptance.test(textOf(element));
      return isShown(element) && (isHere || isOwn);
    });
  const labelOf = (element: HTMLElement) => textOf(element) || (element as HTMLInputElement).value || "";
  return choices.find((each) => refusal.test(labelOf(each))) ?? choices.find((each) => acceptance.test(labelOf(each)));
}

/** Whether a dialog covers the page, or the page is one: known rules may match it, guesses must not touch it. */
function liesOver({ asks, isFixed, isPageItself, isSmall, textOf }: ConsentPage): boolean {
  const { innerWidth: width, innerHeight: height } = window;
  const points = [
    [width / 2, height - 20],
    [width / 2, height / 2],
    [width / 2, 20],
    [20, height - 20],
    [width - 20, height - 20],
  ] as const;
  for (const [x, y] of points) {
    for (let element = document.elementFromPoint(x, y); element !== null; element = element.parentElement) {
      if (isPageItself(element)) break;
      const isDialog = element.matches("dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]");
      if (!isDialog && !isFixed(element)) continue;
      const text = textOf(element) || (element.shadowRoot?.textContent ?? "").trim();
      if (asks(text) || (text === "" && element.querySelector("iframe") !== null)) return true;
    }
  }
  return isSmall && document.forms.length > 0 && asks(textOf(document.body ?? document.documentElement));
}

function removeBanners({ isShown, shownText }: ConsentPage, found: ReadonlySet<Element>): boolean {
  // A dialog that holds nearly all of the text is the page: without it there would be nothing.
  const inDialogs = [...found].reduce((sum, each) => sum + ((each as HTMLElement).innerText ?? "").trim().length, 0);
  const leastPage = 40;
  const isBeside = (element: Element) => isShown(element) && ![...found].some((each) => each.contains(element));
  const isUsable = [...document.querySelectorAll("button, [role=button], input, textarea, select")].some(isBeside);
  const textLeft = shownText().length - inDialogs;
  // A banner at an edge leaves even a page of few words to be read.
  const coversPage = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width * height * 2 > window.innerWidth * window.innerHeight;
  };
  const isShort = textLeft < leastPage && (textLeft <= 0 || [...found].some(coversPage));
  const isAll = found.size > 0 && isShort && document.images.length < 3 && !isUsable;
  if (isAll) return false;
  for (const element of found) element.remove();
  for (const element of [document.documentElement, document.body]) {
    if (element !== null && getComputedStyle(element).overflow === "hidden") {
      element.style.setProperty("overflow", "visible", "important");
    }
  }
  return found.size > 0;
}

type ConsentPage = ReturnType<typeof openConsentPage>;

export const handleConsentText = `(step) => {
  ${openConsentPage} ${findBanners} ${findChoice} ${liesOver} ${removeBanners}
  return (${handleConsent})(step);
}`;
