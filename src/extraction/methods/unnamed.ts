// Values without a label: recognized by their form, their position or their link's target.

import type { Element } from "domhandler";
import { decodeEscapes, parseUrl } from "../../base/index.ts";
import { attribute } from "../../html/index.ts";
import type { WantedField } from "../fields/wanted-fields.ts";
import { keyOf, singular, wordsOfName } from "../lexicon/names.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import type { Piece } from "../page/text-pieces.ts";
import { isInLink, isStruck } from "../page/value-context.ts";
import { findDate } from "../values/dates.ts";
import { findMoney } from "../values/numbers.ts";
import { cityWithCode, findAddress, findEmail, findPhone, hasStreet } from "../values/value-patterns.ts";
import { findAvailability } from "./availability.ts";

export interface UnnamedValue {
  text: string;
  element: Element;
  /** 0..1, of what a pattern is trusted with. */
  weight: number;
}

/** How many pieces after the title are read; most of the subject's own values are there. */
const reach = 150;
const maxLinks = 3000;
const mostPrices = 5;

/** Of what a pattern is trusted with (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** A phone number, an email address, an ISBN near the title. */
  near: 0.8,
  /** What is lost from the title to the end of what is looked at, or from the first price to the last. */
  distanceLoss: 0.3,
  /** The field's own pattern. */
  pattern: 0.9,
  date: 0.7,
  /** A price on its own, and one in a text. */
  priceAlone: 0.9,
  priceInText: 0.7,
  /** Of the price next to it. */
  currency: 0.95,
  postalAddress: 0.9,
  addressInParts: 0.85,
  byline: 0.9,
  /** A maker's name that begins the title. */
  prefixOfTitle: 0.8,
  numberInUrl: 0.7,
  /** A step of a link's URL that names a field as surely as this; then its text. */
  sureStep: 0.9,
  linkText: 0.8,
};

export function findUnnamed(page: ParsedPage, field: WantedField): UnnamedValue[] {
  switch (field.kind) {
    case "phone":
      return [...linked(page, /^tel:/i), ...near(page, ({ text }) => (text.length < 80 ? findPhone(text) : null))];
    case "email":
      return [...linked(page, /^mailto:/i), ...near(page, ({ text }) => findEmail(text))];
    case "address":
      return addresses(page);
    case "money":
      return prices(page);
    case "currency":
      // All prices of a page are in one currency, other things' too.
      return prices(page, () => true).map((price) => ({ ...price, weight: price.weight * weights.currency }));
    case "availability":
      return findAvailability(page);
    case "date":
      if (!isTheDate(field)) return [];
      return near(page, ({ text }) => (text.length < 60 ? (findDate(text)?.text ?? null) : null), 40, weights.date);
    case "names":
      return byline(page);
    case "isbn":
      return near(page, ({ text }) => (/\d[\dX -]{8,}/.test(text) && text.length < 80 ? text : null));
    default:
      break;
  }
  if (field.kind === "code" && field.phrases.has("sku")) return numberInUrl(page);
  const { pattern } = field;
  if (pattern) return near(page, ({ text }) => (pattern.test(text) ? text : null), 400, weights.pattern);
  if (isBrand(field)) return prefixOfTitle(page);
  return [];
}

const generalDate = new Set(
  "date day time when at on of published publish publication posted posting post pub release released start starts event created listed listing".split(
    " ",
  ),
);

/** Not "died" or "valid until": a date without such words nearby does not count. */
function isTheDate({ wanted: { words } }: WantedField): boolean {
  return words.every((word) => generalDate.has(word));
}

/** The number by which the shop's own URL of the page names the thing. */
function numberInUrl(page: ParsedPage): UnnamedValue[] {
  const own = page.ownUrl;
  if (!own) return [];
  const named = /[?&]\w{0,12}id=([\w-]*\d{4,}[\w-]*)/i.exec(own.text)?.[1];
  const inPath = own.text
    .replace(/^https?:\/\/[^/]+/i, "")
    .replace(/[?#].*$/, "")
    .match(/\d{5,}/g)
    ?.at(-1);
  const text = named ?? inPath;
  return text ? [{ text, element: own.element, weight: weights.numberInUrl }] : [];
}

/** Links whose URL names the field: /genre/drama, ?cuisine=thai. */
export function findByUrl(page: ParsedPage, field: WantedField): UnnamedValue[] {
  if (field.kind !== "text" && field.kind !== "names" && field.kind !== "terms") return [];
  const found: UnnamedValue[] = [];
  for (const link of page.links.slice(0, maxLinks)) {
    const steps = stepsOf(attribute(link, "href") ?? "");
    const weight = Math.max(0, ...steps.map((step) => field.phrases.get(step) ?? 0));
    if (weight < weights.sureStep || page.text.isEmpty(link)) continue;
    const text = page.text.of(link, 100);
    if (
      text.length > 40 ||
      /^(?:see|view|all|more|show|browse|shop)\b/i.test(text) ||
      field.phrases.has(singular(text.toLowerCase()))
    )
      continue;
    const distance = page.text.range(link).from - page.titleAt;
    if (distance < -10 || distance > reach) continue;
    found.push({ text, element: link, weight: weight * weights.linkText });
  }
  const keys = new Set(found.map(({ text }) => keyOf(text)));
  // Many of them are a menu.
  return keys.size > (field.wanted.kind === "list" ? 8 : 2) ? [] : found;
}

/** The one link to the host that names the field: "linkedin", "github_url". Links that share a page do not count. */
export function findByHost(page: ParsedPage, field: WantedField): UnnamedValue[] {
  if (field.kind !== "text" && field.kind !== "url") return [];
  const names = new Set(field.wanted.words);
  const found = new Map<string, UnnamedValue>();
  for (const link of page.links.slice(0, maxLinks)) {
    const url = parseUrl(page.urls.web(attribute(link, "href") ?? "") ?? "");
    const label = url?.hostname.split(".").at(-2) ?? "";
    if (!url || label.length < 4 || !names.has(label) || url.pathname.length < 2) continue;
    if (/share|intent|dialog/i.test(url.pathname)) continue;
    found.set(url.href, { text: url.href, element: link, weight: 1 });
  }
  return found.size === 1 ? [...found.values()] : [];
}

function stepsOf(url: string): string[] {
  if (url.length > 500) return [];
  const path = url.replace(/^https?:\/\/[^/]*/i, "").replace(/#.*$/, "");
  return path
    .split(/[/?&=]/)
    .slice(0, -1)
    .map((step) => wordsOfName(step).map(singular).join(" "));
}

function near(
  page: ParsedPage,
  read: (piece: Piece) => string | null,
  within = reach,
  weight = weights.near,
): UnnamedValue[] {
  const found: UnnamedValue[] = [];
  const { pieces } = page.text;
  const last = Math.min(pieces.length, page.titleAt + within);
  for (let place = page.titleAt; place < last; place += 1) {
    const piece = pieces[place] as Piece;
    const text = read(piece);
    if (text === null) continue;
    const distance = (place - page.titleAt) / within;
    found.push({ text, element: piece.element, weight: weight * (1 - weights.distanceLoss * distance) });
    if (found.length >= 3) break;
  }
  return found;
}

function linked(page: ParsedPage, scheme: RegExp): UnnamedValue[] {
  for (const link of page.links) {
    const href = attribute(link, "href") ?? "";
    if (scheme.test(href))
      return [{ text: decodeEscapes(href.replace(scheme, "").replace(/\?.*$/, "")), element: link, weight: 1 }];
  }
  return [];
}

function addresses(page: ParsedPage): UnnamedValue[] {
  const { pieces } = page.text;
  for (let place = page.titleAt; place < Math.min(pieces.length, page.titleAt + reach); place += 1) {
    const { text, element } = pieces[place] as Piece;
    if (text.length > 150) continue;
    const whole = findAddress(text);
    if (whole) return [{ text: whole, element, weight: weights.postalAddress }];
    if (!hasStreet(text)) continue;
    const parts = addressParts(pieces.slice(place, place + 8));
    if (parts.length > 1) return [{ text: parts.join(", "), element, weight: weights.addressInParts }];
  }
  return [];
}

/** Street and town among pieces of text. */
export function addressParts(pieces: readonly Piece[]): string[] {
  const parts: string[] = [];
  for (const { text } of pieces) {
    if (text.length > 100) continue;
    const isTown = cityWithCode.test(text) && !/\d{3}[-.\s]\d{4}/.test(text);
    if (hasStreet(text) || isTown) parts.push(text.replace(/^[\s,|]+|[\s,|]+$/g, ""));
    if (isTown) break;
  }
  return parts;
}

/** Amounts with a currency near the title: the first one, and rather one that is shown as large or by itself. */
function prices(page: ParsedPage, isOwn = (element: Element) => !isInLink(element)): UnnamedValue[] {
  const found: UnnamedValue[] = [];
  const { pieces } = page.text;
  for (let place = Math.max(0, page.titleAt - 10); place < Math.min(pieces.length, page.titleAt + reach); place += 1) {
    const { text, element } = pieces[place] as Piece;
    const next = pieces[place + 1];
    // Signs and cents are often in separate elements.
    const joined =
      text.length < 12 && next && next.text.length < 12 && next.line === pieces[place]?.line
        ? page.text.between(place, Math.min(pieces.length, place + 3), 40)
        : text;
    if (joined.length > 60) continue;
    const money = findMoney(text) ?? findMoney(joined);
    if (
      !money ||
      money.amount === 0 ||
      isStruck(element) ||
      !isOwn(element) ||
      /save|off\b|shipping|versand|livraison|from you/i.test(joined)
    )
      continue;
    const isAlone = joined.length <= money.text.length + 12;
    const weight = isAlone ? weights.priceAlone : weights.priceInText;
    found.push({
      text: money.text,
      element,
      weight: weight * (1 - (weights.distanceLoss * found.length) / mostPrices),
    });
    if (found.length >= mostPrices) break;
  }
  return found;
}

/** "by Jane Doe" near the title. */
function byline(page: ParsedPage): UnnamedValue[] {
  const { pieces } = page.text;
  for (let place = Math.max(0, page.titleAt - 5); place < Math.min(pieces.length, page.titleAt + 30); place += 1) {
    const { text, line, element } = pieces[place] as Piece;
    const written =
      /^(?:by|von|par|por|di|door|av|af)[:\s]\s*(\p{Lu}[^\n]{2,80})$/u.exec(text)?.[1] ??
      /(?:^|\s)(?:by|par|von|por)\s+((?:\p{Lu}[\p{L}.'’-]+\s?){2,4})$/u.exec(text)?.[1];
    if (written) return [{ text: written, element, weight: weights.byline }];
    const next = pieces[place + 1];
    if (/^(?:by|von|par|por|di|door|av|af):?$/i.test(text) && next && next.line === line && next.text.length < 80) {
      let to = place + 1;
      while (to < pieces.length && pieces[to]?.line === line) to += 1;
      return [{ text: page.text.between(place + 1, to, 200), element: next.element, weight: 1 }];
    }
  }
  return [];
}

function isBrand({ wanted: { words } }: WantedField): boolean {
  return words.some((word) => word === "brand" || word === "manufacturer" || word === "make");
}

/** A brand begins most product names, and occurs alone elsewhere on the page. */
function prefixOfTitle(page: ParsedPage): UnnamedValue[] {
  const title = `${page.titles[0]?.text ?? ""} `.toLowerCase();
  const found: UnnamedValue[] = [];
  for (const { text, element } of page.text.pieces) {
    if (text.length < 2 || text.length > 30 || text.length > title.length / 2) continue;
    if (title.startsWith(`${text.toLowerCase()} `) && /^\p{L}/u.test(text))
      found.push({ text, element, weight: weights.prefixOfTitle });
  }
  return found.sort((one, other) => one.text.length - other.text.length).slice(0, 1);
}
