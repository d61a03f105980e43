// The items of a list page, without a schema: parts of one look, each with a link and what the link leads to. They are found by
// their path from the root, so that a grid in rows, a list under dates and a table are one list each.
import type { Element } from "domhandler";
import { attribute, classOf, isElement, orderOf } from "../../html/index.ts";
import type { LinkedItem } from "../findings/finding.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { isFramed } from "../page/title.ts";
import { findDate } from "../values/dates.ts";

const leastItems = 3;
const mostItems = 500;
/** Parts of one look that are examined before the others are read. */
const sampled = 12;
const mostGroups = 200;
const longestTitle = 300;
const longestSummary = 500;
/** A paragraph with a link is an item only if the link has most of its text. */
const mentionShare = 0.7;
const headings = /^h[1-6]$/;
/** Never an item themselves. */
const inline = /^(?:b|i|em|strong|span|small|time|br|hr|td|th|option|label|code|sup|sub|u|font)$/;
/** Names that say where a part is among the others, not what it is. */
const placeName = /\d|^(?:odd|even|first|last|active|current|selected|alt|clear(?:fix)?)$/i;

/** What makes parts of one look a list of items. */
const weights = {
  date: 0.6,
  heading: 0.4,
  summary: 0.4,
  rest: 0.25,
  image: 0.2,
  /** Of a title with one word, two, or more. */
  words: [0.3, 0.6, 1],
  /** Parts with several links that could each be an item are boxes around items. */
  severalLinks: 0.5,
  least: 0.7,
  /** So many of the parts must be items. */
  leastShare: 0.6,
};

/** Of elements that match a selector, or of the list that the page is about; empty when nothing is one. */
export function readLinkedItems(page: ParsedPage, matching: readonly Element[] | null): LinkedItem[] {
  const elements = matching ?? findItems(page);
  const items = elements.slice(0, mostItems).map((element) => readItem(page, element, matching !== null));
  return items.filter((item) => item !== null);
}

function findItems(page: ParsedPage): Element[] {
  const groups = [...groupByPath(page)].filter((elements) => elements.length >= leastItems);
  const sizeOf = (elements: readonly Element[]) => elements.reduce((sum, one) => sum + lengthOf(page, one), 0);
  const largest = groups
    .map((elements) => ({ elements, size: sizeOf(elements) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, mostGroups);
  let best: { elements: Element[]; worth: number } | null = null;
  for (const { elements } of largest) {
    const worth = worthOf(page, elements);
    if (worth > (best?.worth ?? 0)) best = { elements, worth };
  }
  return best?.elements ?? [];
}

/** Elements with the same names and looks from the root down, in document order. */
function groupByPath(page: ParsedPage): Iterable<Element[]> {
  const paths = new Map<string, number>();
  const pathOf: number[] = [];
  const groups = new Map<number, Element[]>();
  for (const element of page.text.elements) {
    const { parent } = element;
    const above = parent && isElement(parent) ? (pathOf[orderOf(parent)] ?? -1) : -1;
    const key = `${above} ${lookOf(element)}`;
    const path = paths.get(key) ?? paths.size;
    paths.set(key, path);
    pathOf[orderOf(element)] = path;
    if (inline.test(element.name) || page.text.isEmpty(element)) continue;
    const group = groups.get(path);
    if (group) group.push(element);
    else groups.set(path, [element]);
  }
  return groups.values();
}

function lookOf(element: Element): string {
  const name = classOf(element)
    .split(/\s+/)
    .find((each) => each !== "" && !placeName.test(each));
  return `${element.name}.${name ?? ""}`;
}

/** 0 when they are no list of items. */
function worthOf(page: ParsedPage, elements: readonly Element[]): number {
  const [first] = elements;
  if (!first || isFramed(first, page.text)) return 0;
  const sample = elements.slice(0, sampled);
  const urls = new Set<string>();
  let sum = 0;
  let found = 0;
  for (const element of sample) {
    const item = readItem(page, element, false);
    if (!item?.url || urls.has(item.url)) continue;
    urls.add(item.url);
    found += 1;
    sum += qualityOf(page, element, item);
  }
  if (found < leastItems || found < sample.length * weights.leastShare) return 0;
  const quality = sum / found;
  return quality < weights.least ? 0 : quality * Math.log2(1 + Math.min(elements.length, 30));
}

function qualityOf(page: ParsedPage, element: Element, item: LinkedItem): number {
  const words = item.title.split(/\s+/).length;
  // Chinese and Japanese write no spaces.
  const isLong = words > 2 || (item.title.length >= 12 && !/^[\p{Script=Latin}\s\d]+$/u.test(item.title));
  let quality = weights.words[isLong ? 2 : words - 1] ?? 0;
  if (item.date !== null) quality += weights.date;
  if (item.image !== null) quality += weights.image;
  if (item.summary.length >= 40) quality += weights.summary;
  else if (lengthOf(page, element) - item.title.length >= 8) quality += weights.rest;
  const inside = elementsIn(page, element);
  const titles = inside.filter(({ name }) => headings.test(name)).length;
  if (titles === 1) quality += weights.heading;
  const links = inside.filter((one) => one.name === "a" && page.text.of(one, 200).length >= 15);
  const targets = new Set(links.map((link) => page.urls.web(attribute(link, "href") ?? "")));
  return titles > 1 || targets.size > 2 ? quality * weights.severalLinks : quality;
}

/** `isNamed`: the caller says that it is an item, so it needs no link. */
function readItem(page: ParsedPage, element: Element, isNamed: boolean): LinkedItem | null {
  const inside = elementsIn(page, element);
  const heading = inside.find(({ name }) => headings.test(name));
  const link = titleLink(page, element, inside, heading ?? null);
  if (!isNamed && (!link || !leads(page, element, link, heading ?? null))) return null;
  const named = heading ?? link ?? element;
  const title = tidyTitle(page.text.of(named, longestTitle + 1)) || titleOfPicture(link);
  if (title === "" || (!isNamed && title.length > longestTitle)) return null;
  return {
    title: title.slice(0, longestTitle),
    url: link ? page.urls.web(attribute(link, "href") ?? "") : null,
    date: dateOf(page, element, inside, named),
    summary: summaryOf(page, element, inside, named),
    image: imageOf(page, inside),
  };
}

/** That of the heading, or around it, or the one with the longest text. */
function titleLink(page: ParsedPage, element: Element, inside: readonly Element[], heading: Element | null) {
  const links = inside.filter((one) => one.name === "a" && isWebLink(page, one));
  const above = aroundLink(page, heading ?? element);
  if (heading) {
    const { from, to } = page.text.range(heading);
    const own = links.find((link) => {
      const range = page.text.range(link);
      return range.from < range.to && range.from >= from && range.to <= to;
    });
    if (own ?? above) return own ?? above;
  }
  const longest = links.reduce<Element | null>(
    (best, one) => (!best || lengthOf(page, one) > lengthOf(page, best) ? one : best),
    null,
  );
  return longest ?? above;
}

function aroundLink(page: ParsedPage, element: Element): Element | null {
  let place: Element | null = element;
  for (let steps = 0; place && steps < 4; steps += 1) {
    if (place.name === "a" && isWebLink(page, place)) return place;
    const { parent }: Element = place;
    place = parent && isElement(parent) ? parent : null;
  }
  return null;
}

function isWebLink(page: ParsedPage, link: Element): boolean {
  const href = attribute(link, "href") ?? "";
  return href !== "" && !href.startsWith("#") && page.urls.web(href) !== null;
}

/** Whether the link is what the part is about, and no mention in running text. */
function leads(page: ParsedPage, element: Element, link: Element, heading: Element | null): boolean {
  if (element.name === "tr") return true;
  if (aroundLink(page, element) === link) return !isMention(page, link);
  const own = page.text.range(link);
  if (heading) {
    const range = page.text.range(heading);
    if (own.from <= range.from && own.to >= range.to) return true;
    if (own.from >= range.from && own.to <= range.to) return true;
  }
  const whole = lengthOf(page, element);
  const share = whole === 0 ? 1 : lengthOf(page, link) / whole;
  if (element.name === "p") return share > mentionShare;
  const { from } = page.text.range(element);
  // A short text before it is a date, a number or a label.
  const before = page.text.between(from, own.from, 200).length;
  return share > 0.5 || (before <= 40 && own.from < own.to);
}

/** A link inside a paragraph that says more than the link. */
function isMention(page: ParsedPage, link: Element): boolean {
  const { parent } = link;
  if (!parent || !isElement(parent) || parent.name !== "p") return false;
  return lengthOf(page, link) <= lengthOf(page, parent) * mentionShare;
}

function tidyTitle(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function titleOfPicture(link: Element | null | undefined): string {
  if (!link) return "";
  const image = link.children.find((child): child is Element => isElement(child) && child.name === "img");
  const written = attribute(link, "aria-label") ?? attribute(link, "title") ?? (image && attribute(image, "alt"));
  return tidyTitle(written ?? "");
}

function dateOf(page: ParsedPage, element: Element, inside: readonly Element[], named: Element): string | null {
  for (const time of inside) {
    const written = time.name === "time" ? attribute(time, "datetime") : undefined;
    const date = written ? wholeDate(written) : null;
    if (date) return date;
  }
  const { from, to } = page.text.range(element);
  const title = page.text.range(named);
  const rest = `${page.text.between(from, title.from, 300)} ${page.text.between(title.to, to, 300)}`;
  const { iso = "" } = findDate(rest, page.isDayFirst) ?? {};
  return /^\d{4}-\d{2}-\d{2}$/.test(iso) ? iso : null;
}

/** A date of a machine, which may have a time. */
function wholeDate(written: string): string | null {
  const text = written.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const at = /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? Date.parse(text.replace(" ", "T")) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function summaryOf(page: ParsedPage, element: Element, inside: readonly Element[], named: Element): string {
  const paragraph = inside.find((one) => one.name === "p" && one !== named && lengthOf(page, one) >= 40);
  if (paragraph) return cut(page.text.of(paragraph, longestSummary + 1));
  const { from, to } = page.text.range(element);
  const title = page.text.range(named);
  return cut(`${page.text.between(from, title.from, 200)} ${page.text.between(title.to, to)}`);
}

function cut(text: string): string {
  const whole = tidyTitle(text);
  return whole.length <= longestSummary ? whole : `${whole.slice(0, longestSummary - 1).trimEnd()}…`;
}

function imageOf(page: ParsedPage, inside: readonly Element[]): string | null {
  const image = inside.find(({ name }) => name === "img");
  const source = image && (attribute(image, "data-src") ?? attribute(image, "src"));
  return source ? page.urls.web(source) : null;
}

function lengthOf(page: ParsedPage, element: Element): number {
  return page.text.of(element, 3000).length;
}

/** The element itself and what is in it. */
function elementsIn(page: ParsedPage, root: Element): Element[] {
  const found: Element[] = [];
  const visit = (element: Element) => {
    if (found.length > 300) return;
    if (element.name === "img" || element.name === "time" || element.name === "a" || !page.text.isEmpty(element))
      found.push(element);
    for (const child of element.children) if (isElement(child)) visit(child);
  };
  visit(root);
  return found;
}
