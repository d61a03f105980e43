// Which nodes are invisible: code, metadata, hidden elements; and which the caller named.
import type { AnyNode, ChildNode, Document, Element } from "domhandler";
import { findAll, findBelow, isElement, isText, noAttributes, textOf, walk, walkElements } from "../../html/index.ts";
import { holdsFormula, isFolded, isShort, textLength, unshown, wholeNames } from "../../safety/index.ts";
import { isPlayer, isVideoFrame } from "../markdown/inline.ts";
import { isTexScript } from "../markdown/math.ts";

/** Longer text in aria-hidden elements is content behind a dialog, not decoration. */
const longHiddenText = 200;
/** The same in elements that hold text: teasers beside a heading that links to the same page. */
const longHiddenTeaser = 60;
const shortestSentence = 14;
const teaserNames = new Set(["a", "p", "li", "article", "section"]);
/** Shorter ones ask the reader to enable scripts. */
const longNoscript = 200;
export interface VisibilityOptions {
  excludeTags: readonly string[];
  /** The text in <noscript> is read when the page has no other. */
  keepNoscript: boolean;
  keepHidden: boolean;
}

export interface Visibility {
  /** The nodes that are left out of `html` and `markdown`, each with everything below it. */
  dropped: Set<AnyNode>;
  /** Hidden at first sight, and nevertheless possibly what the reader came for: folded parts, long <noscript> texts. */
  folded: Set<AnyNode>;
  /** Characters of text in hidden elements that are left out. */
  hiddenText: number;
}

export function findInvisible(root: Document, options: VisibilityOptions): Visibility {
  const dropped = new Set<AnyNode>();
  const folded = new Set<AnyNode>();
  let hiddenText = 0;
  for (const selector of options.excludeTags) for (const element of findAll(selector, root)) dropped.add(element);
  /** Nodes were dropped that the walk has not reached yet. */
  let isAhead = dropped.size > 0;
  walkElements(root, (node) => {
    if (isAhead && dropped.has(node)) return false;
    const { name } = node;
    if (unshown.has(name)) {
      if (!isShown(node)) {
        dropped.add(node);
        return false;
      }
      if (name === "video" || name === "audio") {
        dropFallback(node, dropped);
        isAhead = true;
      }
    }
    if (name === "noscript" && !options.keepNoscript) {
      if (holdsPicture(node)) return true;
      const isLong = !isShort(node, longNoscript);
      (isLong ? folded : dropped).add(node);
      return isLong;
    }
    if (options.keepHidden || !isHidden(node) || holdsFormula(node)) return true;
    if (isFolded(node)) {
      folded.add(node);
      return true;
    }
    dropped.add(node);
    hiddenText += textLength(node);
    return false;
  });
  return { dropped, folded, hiddenText };
}

/** The content of a player element is for browsers that play nothing. */
function dropFallback(player: Element, dropped: Set<AnyNode>): void {
  for (const child of player.children) if (!isElement(child) || child.name !== "source") dropped.add(child);
}

/** Elements of these names that show something: sources of formulas, parts of custom elements, videos. */
function isShown(element: Element): boolean {
  const { name, attribs } = element;
  if (name === "script") return isTexScript(element);
  if (name === "template") return attribs.shadowrootmode !== undefined || attribs.shadowroot !== undefined;
  if (name === "video" || name === "audio") return isPlayer(element);
  if (name === "source") return element.parent !== null && /^(?:video|audio)$/.test((element.parent as Element).name);
  return name === "iframe" && isVideoFrame(element);
}

function isHidden(element: Element): boolean {
  const { attribs, name } = element;
  if (attribs === noAttributes) return name === "dialog";
  if (wholeNames.has(name)) return false;
  if (name === "dialog" && attribs.open === undefined) return true;
  if (attribs["aria-hidden"] !== "true" || name === "img") return false;
  if (name !== "a" && teaserNames.has(name) && isSentence(element)) return false;
  return isShort(element, teaserNames.has(name) ? longHiddenTeaser : longHiddenText);
}

/** Words that are read: what decorates is shorter, or leads somewhere. */
function isSentence(element: Element): boolean {
  return (
    !isShort(element, shortestSentence) && findBelow(element, "a") === null && /[.!?。！？]\s*$/.test(textOf(element))
  );
}

/** A picture that scripts would show in the place of the <noscript>, and nothing else; counters of visitors have no text. */
function holdsPicture(noscript: Element): boolean {
  const shown = noscript.children.filter((child) => !isText(child) || child.data.trim() !== "");
  const [only] = shown;
  if (shown.length !== 1 || only === undefined || !isElement(only)) return false;
  const picture = only.name === "img" ? only : findBelow(only, "img");
  if (picture === null || !picture.attribs.alt?.trim() || !isShort(only, 0)) return false;
  return !isImage(neighbour(noscript, "prev")) && !isImage(neighbour(noscript, "next"));
}

function neighbour(element: Element, side: "prev" | "next"): AnyNode | null {
  let beside = element[side];
  while (beside && isText(beside) && beside.data.trim() === "") beside = beside[side];
  return beside;
}

/** Itself, or the first thing in it. */
function isImage(node: AnyNode | null): boolean {
  if (node === null || !isElement(node) || node.name === "noscript") return false;
  const first = node.children.find(isElement);
  return node.name === "img" || node.name === "picture" || first?.name === "img" || first?.name === "picture";
}

/** The outermost elements that match one of the selectors, in document order. */
export function findIncluded(root: Document, includeTags: readonly string[]): Element[] {
  const matches = new Set<Element>();
  for (const selector of includeTags) for (const element of findAll(selector, root)) matches.add(element);
  const outermost: Element[] = [];
  walk(root, (node) => {
    if (!isElement(node) || !matches.has(node)) return true;
    outermost.push(node);
    return false;
  });
  return outermost;
}

/** True when nothing but whitespace would be shown. */
export function isBlank(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>): boolean {
  return nodes.every((node) => {
    if (dropped.has(node)) return true;
    if (isText(node)) return node.data.trim() === "";
    if (!isElement(node)) return true;
    let isBlankBelow = node.name !== "img";
    walk(node, (below) => {
      if (dropped.has(below)) return false;
      if (isText(below) ? below.data.trim() !== "" : below.name === "img") isBlankBelow = false;
      return isBlankBelow || "stop";
    });
    return isBlankBelow;
  });
}

const consentNames =
  /(?:^|[\s_-])(?:cookie|cookies|consent|gdpr|ccpa|onetrust|cookiebot|cookieconsent|cybotcookiebotdialog|didomi|usercentrics|truste|qc-cmp2?|sp_message|cky|osano|termly|iubenda)(?:$|[\s_-])/i;
/** The ids of consent tools' banners and lists of purposes; nothing else is named so. */
const consentIds =
  /^(?:onetrust-|ot-sdk|CybotCookiebot|didomi-|usercentrics-|truste-|qc-cmp2-|sp_message_|cky-consent|osano-cm|termly-|iubenda-cs|fc-consent)/;
/** Banners are short; a longer part with such a name is a page about cookies. */
const longBanner = 3000;

/** Consent banners. In the main part, such names belong to text about cookies. */
export function findConsent(root: Document, dropped: ReadonlySet<AnyNode>): Element[] {
  const found: Element[] = [];
  // Most elements share their class with others.
  const known = new Map<string, boolean>();
  const isNamedSo = (names: string): boolean => {
    const isSo = known.get(names) ?? (names.length <= 500 && consentNames.test(names));
    known.set(names, isSo);
    return isSo;
  };
  walkElements(root, (node) => {
    if (dropped.has(node)) return false;
    const { attribs, name } = node;
    if (name === "main" || name === "article" || attribs.role === "main") return false;
    if (attribs === noAttributes || wholeNames.has(name) || name === "a") return true;
    const { id = "", class: classes = "" } = attribs;
    const isNamed = (classes !== "" && isNamedSo(classes)) || (id !== "" && isNamedSo(id));
    if (!(isNamed && isShort(node, longBanner)) && !(id !== "" && consentIds.test(id))) return true;
    found.push(node);
    return false;
  });
  return found;
}
