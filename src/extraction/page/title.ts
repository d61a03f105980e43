// The name of the thing that a page is about: headings that agree with the page's title.
import type { Element } from "domhandler";
import { keyOf, singular } from "../lexicon/names.ts";
import { findUp, parentOf, type TextOfPage } from "./text-pieces.ts";

export interface TitleCandidate {
  text: string;
  element: Element | null;
  confidence: number;
}

export interface PageTitles {
  /** Of the page's head. */
  title: string;
  /** Open Graph's, or "". */
  social: string;
  siteName: string;
}

/** How sure a heading is before anything agrees with it (docs/decisions/0010-extraction-weights.md). */
const ranks: Record<string, number> = { h1: 0.46, h2: 0.36, h3: 0.32, h4: 0.28 };
/** The other numbers of titles. */
const weights = {
  /** An element that is called a title, and any other short one. */
  titleName: 0.3,
  anyElement: 0.18,
  /** Any other one must agree with the page's title for this much. */
  leastAgreement: 0.6,
  /** What full agreement with the page's title adds. */
  agreement: 0.42,
  /** What is lost: for each heading before it, without a letter, as a link, in a menu or similar, by its position. */
  lossPerHeading: 0.01,
  withoutLetter: 0.4,
  isLink: 0.08,
  inFrame: 0.25,
  placeLoss: 0.15,
  mostPlaceLoss: 0.1,
  /** Open Graph's title, and one with a separator in it. */
  social: 0.5,
  socialInParts: 0.42,
  /** The page's own title, and one of which nothing is repeated on the page. */
  title: 0.34,
  titleAlone: 0.3,
};
/** How much a text agrees with a title: as a part of it, at its beginning, inside of it, or around it. */
const agreements = { part: 0.85, start: 0.7, startShare: 0.3, inside: 0.5, insideShare: 0.4, around: 0.6 };
const framing = /^(?:nav|footer|aside)$/;
const framingNames = new Set(
  "nav menu footer sidebar submenu navbar sidelinks leftsidelinks leftnav rightnav topnav subnav navigation logo breadcrumb breadcrumbs related comments comment widget cookie masthead".split(
    " ",
  ),
);
const titleNames = new Set("title name headline fn heading".split(" "));
const longestTitle = 250;

/** Best first. `around`: words for the kind of thing, which are no name of one. */
export function findTitles(
  page: TextOfPage,
  { title, social, siteName }: PageTitles,
  around: readonly string[],
): TitleCandidate[] {
  const split = [title, social].map((whole) => whole.split(/\s+[|–—»•·:>-]+\s+|\s*[|»:]\s+/).map(keyOf));
  // The last part is the site's name on most pages.
  const parts = split.flatMap((own) => (own.length > 1 ? own.slice(0, -1) : own)).filter((part) => part.length > 3);
  const keys = { title: keyOf(title), social: keyOf(social), site: keyOf(siteName), parts };
  const wholes = [title, social].filter((whole) => keyOf(whole) !== "").map((whole) => new WholeTitle(whole));
  const candidates: TitleCandidate[] = [];
  let headingsSeen = 0;
  let isRepeated = false;
  for (const element of page.elements) {
    const rank = ranks[element.name];
    const { from, to } = page.range(element);
    if (from === to || to - from > 12) continue;
    const isNamed = rank === undefined && isTitleName(element, page);
    const isShort = to - from <= 2;
    if (rank === undefined && !isNamed && !isShort) continue;
    if (rank === undefined && !isNamed && keys.title === "") continue;
    const whole = page.of(element, longestTitle + 1);
    if (whole.length > longestTitle || whole.length < 2) continue;
    const text = agreeingPart(whole, keys.title);
    const key = keyOf(text);
    if (key === "" || keys.site.startsWith(key) || around.includes(singular(key))) continue;
    const agreement = agreementOf(key, keys.parts, wholes);
    if (agreement > 0) isRepeated = true;
    if (rank === undefined && !isNamed && agreement < weights.leastAgreement) continue;
    let confidence = (rank ?? (isNamed ? weights.titleName : weights.anyElement)) + agreement * weights.agreement;
    if (rank !== undefined) {
      confidence -= Math.min(headingsSeen, 10) * weights.lossPerHeading;
      headingsSeen += 1;
    }
    if (!/\p{L}/u.test(text)) confidence -= weights.withoutLetter;
    if (rank === undefined && (element.name === "a" || parentOf(element)?.name === "a")) confidence -= weights.isLink;
    if (isFramed(element, page)) confidence -= weights.inFrame;
    // Headings further down rarely name the page's subject.
    confidence -= Math.min(weights.mostPlaceLoss, (from / Math.max(page.pieces.length, 1)) * weights.placeLoss);
    candidates.push({ text, element, confidence });
  }
  if (social !== "")
    candidates.push({
      text: withoutSite(social, siteName),
      element: null,
      confidence: /\s[|–—-]\s/.test(withoutSite(social, siteName)) ? weights.socialInParts : weights.social,
    });
  // A title that the page repeats nowhere is often the same on all pages of a site.
  if (title !== "")
    candidates.push({
      text: withoutSite(title, siteName),
      element: null,
      confidence: isRepeated ? weights.title : weights.titleAlone,
    });
  return candidates.sort((one, other) => other.confidence - one.confidence);
}

/** How much a text and the page's own titles say the same, 0..1. */
function agreementOf(key: string, parts: readonly string[], wholes: readonly WholeTitle[]): number {
  let best = parts.includes(key) ? agreements.part : 0;
  for (const whole of wholes) {
    const share = key.length / whole.key.length;
    if (whole.key === key) return 1;
    if (key.length >= 3 && whole.startsWith(key))
      best = Math.max(best, agreements.start + agreements.startShare * share);
    else if (key.length >= 4 && whole.includes(key))
      best = Math.max(best, agreements.inside + agreements.insideShare * share);
    else if (whole.key.length >= 6 && key.includes(whole.key)) best = Math.max(best, agreements.around);
  }
  return best;
}

/** A title in which whole words are found, however they are joined: "Acme" is no part of "Acme.com". */
class WholeTitle {
  readonly key: string;
  /** Where words begin and end in the key. */
  private readonly bounds = new Set([0]);

  constructor(text: string) {
    this.key = "";
    for (const word of text.split(/[^\p{L}\p{M}\p{N}.]+|\.(?=\s|$)/u)) {
      this.key += keyOf(word);
      this.bounds.add(this.key.length);
    }
  }

  startsWith(key: string): boolean {
    return this.key.startsWith(key) && this.bounds.has(key.length);
  }

  includes(key: string): boolean {
    for (let at = this.key.indexOf(key); at >= 0; at = this.key.indexOf(key, at + 1)) {
      if (this.bounds.has(at) && this.bounds.has(at + key.length)) return true;
    }
    return false;
  }
}

/** The part before a dash, when the page's title has only that: "Camera X - 15989158 - Rebate!". */
function agreeingPart(text: string, title: string): string {
  if (title === "" || !/\s[-–—|:]\s/.test(text) || title.includes(keyOf(text))) return text;
  const parts = text.split(/\s+[-–—|:]\s+/);
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const end = parts.slice(0, count).reduce((sum, part) => text.indexOf(part, sum) + part.length, 0);
    const head = text.slice(0, end);
    if (keyOf(head).length > 5 && title.includes(keyOf(head))) return head;
  }
  return text;
}

function isTitleName(element: Element, page: TextOfPage): boolean {
  return page.namesOf(element).some((words) => words.length <= 4 && words.some((word) => titleNames.has(word)));
}

export function isFramed(element: Element, page: TextOfPage): boolean {
  const isContent = ({ name }: Element) => name === "body" || name === "main" || name === "article";
  const isFrame = (words: readonly string[]) => words.length <= 3 && words.some((word) => framingNames.has(word));
  const around = findUp(
    element,
    12,
    (place) => isContent(place) || framing.test(place.name) || page.namesOf(place).some(isFrame),
  );
  return around !== null && !isContent(around);
}

/** The part of a page's title that is not the site's name. */
function withoutSite(title: string, siteName: string): string {
  const parts = title.split(/\s+[|–—»•·-]\s+|\s*[|»]\s*/).filter((part) => part.trim() !== "");
  if (parts.length < 2) return title;
  const site = keyOf(siteName);
  const own = site === "" ? parts.slice(0, -1) : parts.filter((part) => keyOf(part) !== site);
  return (
    (own.length > 0
      ? title.slice(0, title.indexOf(own.at(-1) as string) + (own.at(-1) as string).length)
      : title
    ).trim() || title
  );
}
