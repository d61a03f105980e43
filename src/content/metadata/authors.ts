// Who wrote a page: its linked data, else its tags, else the line of names beside its title. Publishers, agencies and desks are no
// persons; a name is a name by how it is written, in any script.
import type { Element, Text } from "domhandler";
import { attribute, classOf, isElement, textSample, walkElements } from "../../html/index.ts";
import words from "./author-words.json" with { type: "json" };
import type { LinkedAuthor } from "./linked-data.ts";

const most = 20;
/** A line of names is no longer, and is within so many characters of the title; further down are comments and teasers. */
const longestLine = 160;
const longestName = 60;
const manyCandidates = 400;
const reach = 8000;

const anyOf = (list: string) => list.trim().split(/\s+/).join("|").replaceAll("_", " ");
/** Before the names of a line: "By", "Von", "Автор:". Words of scripts without spaces may touch the name. */
const opening = new RegExp(
  `^(?:(?:${anyOf(words.by)})(?:\\s*[:：|—]\\s*|\\s+|$)|(?:${anyOf(words.touching)})(?:\\s*[:：／/]\\s*|\\s+))`,
  "iu",
);
/** How lines of names begin, and few others: most texts need no more than this look. */
const beginnings = new Set(`${words.by} ${words.touching}`.split(" ").map((word) => word.slice(0, 2).toLowerCase()));
const asciiBeginnings = new Set(
  [...beginnings]
    .filter((two) => /^[\0-\x7f]{2}$/.test(two))
    .map((two) => (two.charCodeAt(0) << 8) | two.charCodeAt(1)),
);

function mayOpen(text: string): boolean {
  let at = 0;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  const [one, two] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  if (one < 0x80 && two < 0x80) return asciiBeginnings.has(((one | 0x20) << 8) | two | 0x20);
  const start = text.trim().slice(0, 2);
  return beginnings.has(start.toLowerCase()) || beginnings.has(start.charAt(0));
}

const between = new RegExp(
  `\\s*[,;|/&·•、，；／]\\s*|\\s+(?:${anyOf(words.and)})\\s+|\\s+[-–—]\\s+|\\s*[()（）]\\s*`,
  "iu",
);
/** What people are, and what is no person. */
const role = new RegExp(`(?<![\\p{L}])(?:${anyOf(words.roles)})(?![\\p{L}])`, "iu");
const agency = new RegExp(`(?:^|\\s)(?:the )?(?:${anyOf(words.agencies)})$`, "iu");
const small = new RegExp(`^(?:${anyOf(words.particles)})$`, "iu");

const authorClass =
  /(?:^|[\s_-])(?:by-?line|authors?|autore?s?|auteurs?|autorin|redakteur|reporter|journalist|verfasser|writer|contributor|contrib)(?:$|[\s_-])|(?:author|by-?line|autor)(?:[-_]{0,2}|[A-Z])?names?|author-?(?:link|info|details)|[a-z](?:Author|Byline)(?:Name|Link|$|[-_\s])|^(?:Author|Byline)[A-Z]/;
const notTheAuthor =
  /(?:^|[\s_-])(?:related|teasers?|sidebar|comments?|recommend\w*|popular|latest|recent|promo|more|trending|carousel|cards?|footer|captions?|credits?|follow|disqus|signup|newsletter)(?:$|[\s_-])/i;
const authorPath =
  /\/(?:authors?|autor(?:e[ns]?|in|i)?|auteurs?|by|people|person|profiles?|writers?|staff|contributors?|contributor-profile|redaktion|redakteure?|journalists?|reporters?|columnists?|skribent|yazar|tacgia|team|byline)\/[^/]/i;

/** Tags that name authors and nothing else. */
const tagNames = [
  "article:author",
  "author",
  "article:author_name",
  "parsely-author",
  "sailthru.author",
  "cxenseparse:author",
  "dc.creator",
  "dcterms.creator",
  "dc.contributor",
  "citation_author",
  "byl",
  "creator",
  "article.author",
  "lp.article:author",
];

export interface AuthorSources {
  linked: readonly LinkedAuthor[];
  tags: ReadonlyMap<string, readonly string[]>;
  /** In document order. */
  nodes(): readonly (Element | Text)[];
  /** Names of the publisher and the site. */
  publishers: readonly string[];
  host: string;
}

/** The first place that names persons says who all of them are. */
export function readAuthors(sources: AuthorSources): string[] {
  const isPublisher = publisherTest(sources);
  const people = (written: readonly string[], isSure: boolean) =>
    unique(written.flatMap((text) => namesIn(text, isSure)).filter((name) => !isPublisher(name)));
  const linked = sources.linked.filter(({ isPerson }) => isPerson).map(({ name }) => name);
  for (const written of [linked, ...tagLists(sources.tags)]) {
    const found = people(written, true);
    if (found.length > 0) return found;
  }
  return shownAuthors(sources.nodes(), ({ text, isSure }) => people([text], isSure));
}

function tagLists(tags: ReadonlyMap<string, readonly string[]>): (readonly string[])[] {
  const byName = new Map(Array.from(tags, ([name, values]) => [name.toLowerCase(), values]));
  const lists = tagNames.map((name) => byName.get(name) ?? []);
  for (const place of [1, 2]) {
    const [label = ""] = byName.get(`twitter:label${place}`) ?? [];
    if (opening.test(`${label}: x`)) lists.push(byName.get(`twitter:data${place}`) ?? []);
  }
  return lists;
}

/** Publishers call themselves the authors of what they publish. */
function publisherTest({ publishers, host }: AuthorSources): (name: string) => boolean {
  const known = new Set([...publishers, host].map(bare).filter((name) => name !== ""));
  const domain = bare(host.replace(/^www\d*\./, "").replace(/\.[a-z.]+$/, ""));
  return (name) => known.has(bare(name)) || (domain.length > 3 && bare(name) === domain);
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/^the /, "")
    .replace(/\.[a-z]{2,4}$/, "")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** `isSure`: the place holds names only, so that one word may be one. */
function namesIn(text: string, isSure: boolean): string[] {
  if (/^https?:|\/\/|@/.test(text) || text.length > longestLine) return [];
  const whole = text.replace(/\s+/g, " ").trim();
  const line = whole.replace(opening, "");
  const isNamed = isSure || line.length < whole.length;
  const names = line.split(between).map((part) =>
    part
      .replace(opening, "")
      .replace(agency, "")
      .replace(/^[\s"'“”.:]+|[\s"'“”:]+$/gu, ""),
  );
  return names.filter((name) => isName(name, isSure, isNamed)).slice(0, most);
}

/** Two to five words that begin with capitals, or as many letters as names have where a script has no capitals. */
function isName(name: string, isSure: boolean, isNamed: boolean): boolean {
  if (name.length < 2 || name.length > longestName || /[\p{Nd}!?<>{}=…]/u.test(name) || role.test(name)) return false;
  if (!/[\p{Lu}\p{Ll}]/u.test(name))
    return isNamed && /^\p{L}[\p{L}\p{M}\s.·・'-]{1,24}$/u.test(name) && name.split(" ").length <= 5;
  const parts = name.split(/\s+/);
  if (parts.length > 5 || (parts.length < 2 && !isSure)) return false;
  const isCapital = (part: string) => /^[^\p{L}]*\p{Lu}/u.test(part);
  return isCapital(parts.at(-1) ?? "") && parts.every((part) => isCapital(part) || small.test(part) || isSure);
}

function unique(names: readonly string[]): string[] {
  const known = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
  return [...known.values()].reverse().slice(0, most);
}

/** A line of names: begun by a word that says so, or of an element that is called the author's or leads to one. */
interface Line {
  text: string;
  isSure: boolean;
}

/** The first line of names below the title; above it are other articles, unless nothing is below. */
function shownAuthors(nodes: readonly (Element | Text)[], people: (line: Line) => string[]): string[] {
  let above: string[] = [];
  let found: string[] = [];
  let isBelow = false;
  let seen = 0;
  let read = 0;
  for (const node of nodes) {
    if (!isElement(node)) {
      read += node.data.length;
    } else if (node.name === "h1" && !isBelow) {
      isBelow = true;
      read = 0;
    }
    if (isBelow && read > reach) break;
    const line = isElement(node) ? lineOf(node) : openedLine(node);
    if (line === null) continue;
    seen += 1;
    found = people(line);
    if (!isBelow && above.length === 0) above = found;
    if ((isBelow && found.length > 0) || seen > manyCandidates) break;
  }
  return isBelow && found.length > 0 ? found : above;
}

function lineOf(element: Element): Line | null {
  const sure = isAuthorElement(element);
  if (!sure || isBeside(element)) return null;
  const inner = innermostOf(element);
  return { text: (inner.length > 0 ? inner : [element]).map(sampleOf).join(", "), isSure: sure === "names" };
}

/** A byline may hold names, what these people are, and for whom they write: each name has its own element. */
function innermostOf(line: Element): Element[] {
  const found: Element[] = [];
  walkElements(line, (element) => {
    if (isAuthorElement(element) === null) return true;
    if (found.at(-1) !== undefined && isInside(element, found.at(-1))) found.pop();
    found.push(element);
    return true;
  });
  return found;
}

function isInside(element: Element, holder: Element | undefined): boolean {
  let above = element.parent;
  while (above && above !== holder) above = above.parent;
  return above === holder;
}

/** A text that begins as lines of names do; where it says no more, the names are beside it. */
function openedLine({ data, parent }: Text): Line | null {
  if (data.length > longestLine || !parent || !isElement(parent)) return null;
  if (!mayOpen(data)) return null;
  const text = data.trim();
  const [beginning] = opening.exec(text) ?? [];
  if (beginning === undefined || beginning === "") return null;
  const isAlone = text.length === beginning.length;
  const holder = isAlone && sampleOf(parent).length === beginning.length ? parent.parent : parent;
  return holder && isElement(holder) && !isBeside(holder) ? { text: sampleOf(holder), isSure: false } : null;
}

function sampleOf(element: Element): string {
  return textSample([element], longestLine + 1).trim();
}

function isAuthorElement(element: Element): "names" | "line" | null {
  const { name } = element;
  if (attribute(element, "rel") === "author" || attribute(element, "itemprop") === "author") return "names";
  if (name === "a" && authorPath.test(attribute(element, "href") ?? "")) return "line";
  const { class: names, id } = element.attribs;
  if (names === undefined && id === undefined) return null;
  return authorClass.test(`${classOf(element)} ${id ?? ""}`) ? "line" : null;
}

/** In teasers, comments, captions and frames: authors of something else. */
function isBeside(element: Element): boolean {
  let above = element.parent;
  while (above && isElement(above) && above.name !== "body") {
    if (/^(?:footer|nav|aside|form|figure)$/.test(above.name)) return true;
    if (notTheAuthor.test(`${classOf(above)} ${above.attribs.id ?? ""}`)) return true;
    if (above.name === "main" || above.name === "article") return false;
    above = above.parent;
  }
  return false;
}
