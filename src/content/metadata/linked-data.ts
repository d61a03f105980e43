// What a page's linked data (JSON-LD) say about the page itself.
import type { Element } from "domhandler";
import { isThing, readLooseJson, readReferences, type Thing, textOf } from "../../html/index.ts";

export interface LinkedData {
  title: string;
  description: string;
  author: string;
  authors: LinkedAuthor[];
  publisher: string;
  section: string;
  keywords: string;
  language: string;
  published: string;
  modified: string;
}

/** A publisher is no person. */
export interface LinkedAuthor {
  name: string;
  isPerson: boolean;
}

const maxThings = 200;
const maxDepth = 4;
const maxNames = 20;
/** Works that a page may be about; they say more than the WebPage around them, which every page has. */
const works =
  /^(?:\w*Article|\w*Posting|Report|Recipe|\w*Review|HowTo|Course|Event|Product|Book|Movie|VideoObject|PodcastEpisode|Dataset|SoftwareApplication|SoftwareSourceCode|JobPosting|QAPage|Question|TechArticle)$/;
const pages = /^(?:\w*Page|CreativeWork)$/;

/** `urls` are those the page has: where it was found, and the one it gives itself. */
export function readLinkedData(scripts: readonly Element[], urls: readonly string[]): LinkedData {
  const things: Thing[] = [];
  for (const script of scripts) collect(readLooseJson(textOf(script)), things, 0);
  const subject = theOne(things.filter(isOf(works)), urls);
  const page = theOne(things.filter(isOf(pages)), urls);
  const first = (read: (thing: Thing) => string) => (subject && read(subject)) || (page && read(page)) || "";
  return {
    title: first(({ headline, name }) => textIn(headline) || textIn(name)),
    description: first(({ description }) => textIn(description)),
    author: first(({ author, creator }) => namesIn(author ?? creator)),
    authors: authorsOf([subject, page], things),
    publisher: first(({ publisher }) => namesIn(publisher)),
    section: first(({ articleSection }) => namesIn(articleSection)),
    keywords: first(({ keywords }) => namesIn(keywords)),
    language: first(({ inLanguage }) => textIn(isThing(inLanguage) ? inLanguage.alternateName : inLanguage)),
    published: first(({ datePublished }) => textIn(datePublished)),
    modified: first(({ dateModified }) => textIn(dateModified)),
  };
}

/** Top-level things only: entries of a list and parts of other things are not what the page is about. */
function collect(value: unknown, things: Thing[], depth: number): void {
  if (depth > maxDepth || things.length >= maxThings) return;
  if (Array.isArray(value)) {
    for (const one of value) collect(one, things, depth + 1);
  } else if (isThing(value)) {
    things.push(value);
    for (const key of ["@graph", "mainEntity", "mainEntityOfPage"]) {
      if (typeof value[key] === "object") collect(value[key], things, depth + 1);
    }
  }
}

function isOf(kinds: RegExp): (thing: Thing) => boolean {
  return (thing) => {
    const types = Array.isArray(thing["@type"]) ? thing["@type"] : [thing["@type"]];
    return types.some((type) => typeof type === "string" && kinds.test(type.replace(/^.*[/#:]/, "")));
  };
}

/** Of several things of a kind, that with the page's own URL; without one, none of them is the page. */
function theOne(things: readonly Thing[], urls: readonly string[]): Thing | undefined {
  if (things.length < 2) return things[0];
  const known = new Set(urls.map(bare));
  const own = things.filter((thing) =>
    ["@id", "url", "mainEntityOfPage"].some((key) => {
      const value = thing[key];
      const url = isThing(value) ? value["@id"] : value;
      return typeof url === "string" && known.has(bare(url));
    }),
  );
  return own[0];
}

function bare(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, "").replace(/(?:[?#].*|\/)+$/, "");
}

function textIn(value: unknown): string {
  const one = Array.isArray(value) ? value[0] : value;
  if (isThing(one)) return textIn(one["@value"] ?? "");
  // Programs that write pages often escape their data as if it were markup.
  return typeof one === "string" ? readReferences(one).replace(/\s+/g, " ").trim() : "";
}

const organizations = /^(?:\w*Organization|Corporation|\w*Business)$/;

/** Of the first of the works that names any. Some name them elsewhere in the same data, by their `@id`. */
function authorsOf(works: readonly (Thing | undefined)[], things: readonly Thing[]): LinkedAuthor[] {
  for (const work of works) {
    const written = work?.author ?? work?.creator;
    const list = (Array.isArray(written) ? written.flat() : [written]).slice(0, maxNames);
    const found = list.flatMap((one) => {
      const whole = isThing(one) && one.name === undefined ? things.find((thing) => thing["@id"] === one["@id"]) : one;
      const isPerson = !(isThing(whole) && isOf(organizations)(whole));
      const names = isThing(whole) ? whole.name : whole;
      return (Array.isArray(names) ? names : [names]).map((name) => ({ name: textIn(name), isPerson }));
    });
    const named = found.filter(({ name }) => name !== "");
    if (named.length > 0) return named;
  }
  return [];
}

/** The names of people, organizations or words, one after the other. */
function namesIn(value: unknown): string {
  const list = (Array.isArray(value) ? value : [value]).slice(0, maxNames);
  const names = list.map((one) => textIn(isThing(one) ? one.name : one)).filter((name) => name !== "");
  return [...new Set(names)].join(", ");
}
