// The text of a page that scripts would fill, taken from the data in its own scripts. Only where the data say
// plainly which of them is the page: another page's text would be worse than none.
import type { Document } from "domhandler";
import { attribute, isElement, nameOfMeta, type PageParts, textOf, walk } from "../../html/index.ts";
import { flightHtml, flightValues } from "./flight.ts";
import { findPageObject, leastLetters, type PageObject, titleWords } from "./page-object.ts";
import { readScriptData } from "./sources.ts";
import { asHtmlText, countLetters, seenWords } from "./written-html.ts";

export interface DataText {
  html: string;
  /** The data that hold it, as the page calls them. */
  from: string;
}

/** Of linked data: shorter ones are often the beginning of the text. */
const leastArticle = 1500;
/** Lists of things often have their entries elsewhere. */
const listTitle = /\b(?:best|top)\b|\b\d{1,3}\s+\p{L}/iu;
const longStart = 2000;
const maxHeadings = 20;
const longTitle = 500;

export function findDataText(root: Document, parts: PageParts, url: string): DataText | null {
  const titles = titlesOf(root, parts);
  if (titles.length === 0) return null;
  const { sources, flight } = readScriptData(root);
  const clues = { titles, url };
  if (flight !== null) {
    const html = flightHtml(flight);
    if (holdsPage(html, titles)) return { html, from: "__next_f" };
    sources.push({ name: "__next_f", value: flightValues(flight) });
  }
  if (sources.some(({ name, value }) => name === "JSON-LD" && isForPayment(value))) return null;
  let best: (DataText & { letters: number }) | null = null;
  for (const { name, value } of sources) {
    const found = findPageObject([name === "JSON-LD" ? articlesIn(value) : value], clues);
    if (found === null || found.letters <= (best?.letters ?? 0)) continue;
    best = { html: articleHtml(found), from: name, letters: found.letters };
  }
  return best;
}

/** With its title, unless the text begins with that. */
function articleHtml({ title, html }: PageObject): string {
  const start = titleWords(seenWords(html.slice(0, longStart)));
  const heading = start.startsWith(titleWords(title)) ? "" : `<h1>${asHtmlText(title)}</h1>`;
  return `<article>${heading}${html}</article>`;
}

function titlesOf(root: Document, { title, metas }: PageParts): string[] {
  const titles = [title];
  for (const meta of metas) {
    if (/^(?:og|twitter):title$/.test(nameOfMeta(meta))) titles.push(attribute(meta, "content") ?? "");
  }
  walk(root, (node) => {
    if (!isElement(node)) return false;
    if (node.name === "h1") titles.push(textOf(node));
    return titles.length < 6 || "stop";
  });
  return titles.map((each) => each.trim().slice(0, longTitle)).filter((each) => each !== "");
}

/** A heading of the page's title, and text. */
function holdsPage(html: string, titles: readonly string[]): boolean {
  if (countLetters(seenWords(html)) < leastLetters) return false;
  const known = titles.map(titleWords);
  for (const part of html.split(/<h1\b[^>]*>/, maxHeadings).slice(1)) {
    const words = titleWords(seenWords(part.slice(0, longStart).split("</h1", 1)[0] ?? ""));
    if (words.length >= 3 && known.some((title) => title === words || title.startsWith(`${words} `))) return true;
  }
  return false;
}

/** Some pages hold text that only subscribers may see. */
function isForPayment(value: unknown): boolean {
  return /"isAccessibleForFree":\s*(?:false|"false")/i.test(JSON.stringify(value));
}

/** Of linked data only articles, and of them only what they call their text: everything else may be a part or a teaser. */
function articlesIn(value: unknown): object[] {
  const things = Array.isArray(value) ? value : [value];
  return things.flatMap((thing): object[] => {
    if (typeof thing !== "object" || thing === null) return [];
    if (Array.isArray(thing["@graph"])) return articlesIn(thing["@graph"]);
    const { articleBody, headline, name, url, wordCount } = thing;
    const isArticle = [thing["@type"]].flat().some((type) => /(?:Article|BlogPosting|Report)$/.test(String(type)));
    if (!isArticle || typeof articleBody !== "string" || articleBody.length < leastArticle) return [];
    if (listTitle.test(String(headline ?? name))) return [];
    const isWhole = !(Number(wordCount) > articleBody.split(/\s+/).length * 1.1);
    return isWhole ? [{ headline, name, url, articleBody }] : [];
  });
}
