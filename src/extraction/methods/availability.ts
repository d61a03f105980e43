// Whether a page shows its subject as available: words near the title, and buttons there.

import type { Element } from "domhandler";
import { attribute, isElement } from "../../html/index.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { type Button, findUp, type Piece, parentOf, type TextOfPage } from "../page/text-pieces.ts";

interface Sign {
  text: string;
  element: Element;
  /** 0..1, of what a pattern is trusted with. */
  weight: number;
}

/** Pieces after the title that may hold the subject's own availability. */
const reach = 150;
const longestSign = 60;
const longestSentence = 100;
/** A button that occurs more often belongs to the things of a list. */
const mostOfOneKind = 2;
/** What pages call unavailable that is not their subject. */
const besides =
  /\b(?:chat|photos?|images?|foto|immagin\w*|bild\w*|vari(?:ation|ant)s?|pick\s?-?up|stores?|reviews?|delivery|shipping)\b/i;
const choices = /\b(?:options|colou?rs|sizes|models|versions) available\b/i;
const besidesNames = new Set(
  "chat delivery shipping pickup collection returns review reviews payment size sizes swatch swatches variant variants option options".split(
    " ",
  ),
);
/** Functions that pages call to sell. */
const sellingCall = /\b((?:buy|(?:add|put)_?(?:item)?_?to_?(?:cart|bag|basket)|join_?cart)\w{0,30})\s*\(/i;

/** Of what a pattern is trusted with (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** Words of fewer than 30 characters that tell a state: "In stock". */
  shortWords: 0.85,
  words: 0.7,
  /** A button that sells and can be pressed. */
  button: 0.8,
  /** A button that is known by the function it calls. */
  call: 0.7,
};

export function findAvailability(page: ParsedPage): Sign[] {
  const found: Sign[] = [];
  for (const { text, element } of wordsNear(page, longestSign)) {
    found.push({ text, element, weight: text.length < 30 ? weights.shortWords : weights.words });
    if (found.length >= 2) break;
  }
  const button = buttonsOf(page).find(({ element }) => !isDisabled(element));
  if (button) found.push({ ...button, weight: weights.button });
  const call = button ? null : callOf(page);
  return call ? [...found, call] : found;
}

/**
 * What the page shows, whatever its data says; null when words and button disagree. Data is often older than
 * the page around it: then the button decides, by being enabled, or disabled beside words that say why.
 */
export function shownAvailability(page: ParsedPage): boolean | null {
  const words = [...wordsNear(page, longestSentence)].map(({ text }) => availabilityOf(text));
  const near = buttonsOf(page).filter(({ at }) => at >= page.titleAt && at < page.titleAt + reach);
  const [first] = near;
  if (!first || near.filter(({ text }) => text === first.text).length > mostOfOneKind) return null;
  const canBePressed = !isDisabled(first.element) && availabilityOf(first.text) === true;
  if (canBePressed && near.every(({ text }) => availabilityOf(text) !== false) && !words.includes(false)) return true;
  return !canBePressed && words[0] === false ? false : null;
}

function* wordsNear(page: ParsedPage, longest: number): Generator<Piece> {
  const { pieces } = page.text;
  for (let place = page.titleAt; place < Math.min(pieces.length, page.titleAt + reach); place += 1) {
    const piece = pieces[place] as Piece;
    if (piece.text.length > longest) continue;
    const state = availabilityOf(piece.text);
    if (state === null || isHidden(piece.element) || isLabel(piece) || isLabelled(piece, page.text)) continue;
    if (state ? !choices.test(piece.text) : !isBesides(piece, page.text)) yield piece;
  }
}

/** "In stock" before "No" is only a label. */
function isLabel({ text, element }: Piece): boolean {
  return /[:：?]$/.test(text) || /^(?:th|dt|label)$/.test(element.name);
}

/** "None" in a row of properties is the value of the label before it. */
function isLabelled({ text, element }: Piece, page: TextOfPage): boolean {
  const cell = /^(?:td|dd)$/.test(element.name) ? element : parentOf(element);
  if (!cell || !/^(?:td|dd)$/.test(cell.name) || page.of(cell, longestSentence) !== text) return false;
  const siblings = (cell.parent?.children ?? []).filter(isElement);
  const before = siblings[siblings.indexOf(cell) - 1];
  return before !== undefined && !page.isEmpty(before);
}

/** Buttons whose text names a state, those after the title first. */
function buttonsOf({ text, titleAt }: ParsedPage): Button[] {
  const telling = text.buttons.filter(
    (button) => button.text.length <= longestSign && availabilityOf(button.text) !== null && !isHidden(button.element),
  );
  return [...telling.filter(({ at }) => at >= titleAt), ...telling.filter(({ at }) => at < titleAt)];
}

/** A button with a picture, or its own words, that sells by the code it calls. */
function callOf({ text: { buttons } }: ParsedPage): Sign | null {
  for (const { element } of buttons) {
    const code = `${attribute(element, "onclick") ?? ""} ${attribute(element, "href") ?? ""}`.slice(0, 500);
    const name = sellingCall.exec(code)?.[1];
    if (name && availabilityOf(name) && !isDisabled(element) && !isHidden(element))
      return { text: name, element, weight: weights.call };
  }
  return null;
}

function isDisabled(element: Element): boolean {
  return (
    attribute(element, "disabled") !== undefined ||
    attribute(element, "aria-disabled") === "true" ||
    /(?:^|[\s_-])(?:is-)?disabled(?:\s|$)/i.test(attribute(element, "class") ?? "")
  );
}

/** Pages hold the words of all states and hide those that are not so. */
function isHidden(element: Element): boolean {
  const hidden = findUp(
    element,
    6,
    (place) =>
      attribute(place, "hidden") !== undefined ||
      /display:\s*none|visibility:\s*hidden/i.test(attribute(place, "style") ?? "") ||
      /(?:^|\s)(?:is-)?(?:hide|hidden|d-none|invisible)(?:\s|$)/i.test(attribute(place, "class") ?? ""),
  );
  return hidden !== null;
}

function isBesides({ text, element }: Piece, page: TextOfPage): boolean {
  if (besides.test(text)) return true;
  const isStock = (word: string) => /^(?:stock|avail)/.test(word);
  const telling = findUp(element, 3, (place) =>
    page.namesOf(place).some((words) => words.some((word) => isStock(word) || besidesNames.has(word))),
  );
  return telling !== null && !page.namesOf(telling).some((words) => words.some(isStock));
}
