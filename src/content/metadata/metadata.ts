// What a page says about itself in its head and its linked data.
import type { Document, Element, Text } from "domhandler";
import { detectLanguage, type LanguageTable } from "../../detection/index.ts";
import { attribute, type PageParts, shownNodes } from "../../html/index.ts";
import { type NavigationLinks, readNavigation } from "../links/navigation-links.ts";
import { readRelations } from "../links/page-relations.ts";
import type { PageUrls } from "../links/page-urls.ts";
import type { Quality } from "../main/learned-main.ts";
import { readAuthors } from "./authors.ts";
import { type LinkedData, readLinkedData } from "./linked-data.ts";
import { readTimes } from "./page-times.ts";
import { choosePublication } from "./publication.ts";
import type { ShownParts } from "./shown-dates.ts";

/** Title and description always, everything else when the page declares it. */
export interface PageMetadata {
  title: string;
  description: string;
  quality?: Quality;
  /** Characters of invisible text that were left out. */
  hiddenText?: number;
  /** The number of prompt injections. */
  injection?: number;
  language?: string;
  /** Persons only; `author` is what tags or linked data say, which may be a publisher. */
  authors?: string[];
  /** Where the text is in another language. */
  declaredLanguage?: string;
  /** Where the page says that it belongs. */
  relations?: NavigationLinks;
  [name: string]: string | string[] | number | Quality | NavigationLinks | undefined;
}

/** Names that the server fills, or that would reach into an object's own workings: a page cannot set them. */
const reserved = new Set(
  (
    "title description language favicon authors canonical relations feeds publishedtime modifiedtime dateevidence sourceurl url statuscode error contenttype timezone numpages totalpages scrapeid " +
    "proxyused cachestate cachedat creditsused concurrencylimited concurrencyqueuedurationms quality hiddentext injection injectioncheck pagestate unchanged " +
    "success warning trace postprocessorsused indexid __proto__ prototype constructor tostring valueof hasownproperty tojson then"
  ).split(" "),
);
const maxNames = 200;
const maxNameLength = 128;
const maxValueLength = 10_000;
const maxValues = 50;

/** Names under which clients of this API know some tags, beside the tag's own. */
const renamedTags =
  /^(?:og:(?:title|description|url|image|audio|video|determiner|locale|site_name|type)|article:(?:section|tag))$/;

/** Tags that hold a URL: absolute, like all others that are answered. */
const urlTags =
  /^(?:og:(?:url|(?:image|video|audio)(?::(?:url|secure_url))?)|twitter:(?:image(?::src)?|player(?::stream)?))$/;

/** `url` is where the page was found; `linkHeader` was sent with it. */
export function readMetadata(
  root: Document,
  parts: PageParts,
  urls: PageUrls,
  { url, linkHeader }: { url: string; linkHeader: string },
): PageMetadata {
  const tags = collectTags(parts.metas, urls);
  const { canonical, feeds, jsonFeeds, favicon } = readRelations(parts.relations, urls);
  const linked = parts.data.length > 0 ? readLinkedData(parts.data, [canonical ?? url, url]) : null;
  const first = (...names: string[]) => names.map((name) => tags.get(name)?.[0]).find((value) => value) ?? "";
  const metadata: PageMetadata = {
    title: parts.title || first("og:title", "twitter:title", "dc.title", "dcterms.title") || cut(linked?.title),
    description:
      first("description", "og:description", "twitter:description", "dc.description", "dcterms.description").replace(
        /\s+/g,
        " ",
      ) || cut(linked?.description),
  };
  const language = [
    parts.language,
    first("content-language"),
    first("language"),
    first("dc.language"),
    linked?.language,
  ]
    .map((written) => written?.trim())
    .find(isLanguage);
  if (language) metadata.language = language;
  if (favicon) metadata.favicon = favicon;
  if (canonical) metadata.canonical = canonical;
  const relations = readNavigation(parts.relations, parts.anchors, urls, linkHeader);
  if (relations) metadata.relations = relations;
  const allFeeds = [...new Set([...feeds, ...jsonFeeds])].slice(0, maxValues);
  if (allFeeds.length > 0) metadata.feeds = allFeeds;
  addTags(metadata, tags);
  let shown: readonly (Element | Text)[] | null = null;
  const nodes = () => (shown ??= shownNodes(parts.body ?? root));
  addTimes(metadata, tags, linked, { title: parts.title, times: parts.times, nodes }, url);
  if (linked) addLinked(metadata, linked);
  const publishers = [linked?.publisher, first("og:site_name"), first("application-name")].map((name) => name ?? "");
  const host = /^[a-z]+:\/\/([^/:]+)/i.exec(url)?.[1] ?? "";
  const authors = readAuthors({ linked: linked?.authors ?? [], tags, nodes, publishers, host });
  if (authors.length > 0) metadata.authors = authors;
  return metadata;
}

function addTags(metadata: PageMetadata, tags: ReadonlyMap<string, string[]>): void {
  for (const [tag, values] of tags) {
    const name = renamedTags.test(tag) ? camelCase(tag) : dublinCoreName(tag);
    if (name !== null) metadata[name] ??= isJoined(tag) ? values.join(", ") : (values[0] as string);
  }
  const locales = tags.get("og:locale:alternate");
  if (locales) metadata.ogLocaleAlternate = locales;
  for (const [name, values] of tags) {
    if (!reserved.has(name.toLowerCase()) && !Object.hasOwn(metadata, name)) {
      metadata[name] = values.length === 1 ? (values[0] as string) : values;
    }
  }
  for (const name of ["keywords", "robots"]) {
    const value = metadata[name];
    if (Array.isArray(value)) metadata[name] = value.join(", ");
  }
}

/** `DC.date.created` and `dc:date.created` are `dcDateCreated`, `dcterms.created` is `dcTermsCreated`. */
function dublinCoreName(tag: string): string | null {
  const [, vocabulary, rest] = /^(dc|dcterms)[.:]([a-z][\w.:-]*)$/.exec(tag) ?? [];
  if (rest === undefined) return null;
  return camelCase(`${vocabulary === "dc" ? "dc" : "dcTerms"}.${rest}`);
}

function camelCase(tag: string): string {
  const [first = "", ...others] = tag.split(/[.:_-]/);
  return first + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

/** A page has several tags, creators or subjects, but one title or date. */
function isJoined(tag: string): boolean {
  return /^(?:article:tag|dc(?:terms)?[.:](?:creator|contributor|subject|keywords))$/.test(tag);
}

function addTimes(
  metadata: PageMetadata,
  tags: ReadonlyMap<string, string[]>,
  linked: LinkedData | null,
  parts: ShownParts,
  url: string,
): void {
  const byName = new Map(Array.from(tags, ([name, values]) => [name.toLowerCase(), values]));
  const times = readTimes(byName, linked, parts.times);
  const { modified } = times;
  const { published, evidence } = choosePublication(times, parts, url, metadata);
  if (published !== null && evidence !== null) {
    metadata.publishedTime = published;
    metadata.dateEvidence = evidence;
  }
  if (modified !== null) metadata.modifiedTime = modified;
}

/** What the tags have not said. */
function addLinked(metadata: PageMetadata, { author, publisher, section, keywords }: LinkedData): void {
  for (const [name, value] of Object.entries({ author, publisher, articleSection: section, keywords })) {
    if (value !== "" && !Object.hasOwn(metadata, name)) metadata[name] = cut(value);
  }
}

/** An answer that is right less often is not given. */
const leastConfidence = 0.6;
/** So sure and so long a text is in another language than its page says. */
const sureConfidence = 0.985;
const longText = 400;

/**
 * By the page's own words; what it says of its language is a hint, because templates are copied with theirs. Open Graph's is often what the
 * software came with.
 */
export function addDetectedLanguage(metadata: PageMetadata, sample: string, model: LanguageTable): void {
  const { ogLocale, language: declared } = metadata;
  const hint = declared?.slice(0, 2).toLowerCase() ?? null;
  const found = detectLanguage(sample, model, hint);
  if (declared !== undefined) {
    const isOther = found !== null && found.confidence >= sureConfidence && sample.length >= longText;
    if (isOther && !isSameLanguage(found.language, declared))
      Object.assign(metadata, { language: found.language, declaredLanguage: declared });
    return;
  }
  const said = typeof ogLocale === "string" && isLanguage(ogLocale) ? ogLocale.replace("_", "-") : null;
  const language = found !== null && found.confidence >= leastConfidence ? found.language : said;
  if (language !== null) metadata.language = language;
}

/** One of each group is what the others are to the model. */
const oneToTheModel = [
  ["no", "nb", "nn"],
  ["id", "in", "ms"],
  ["hr", "bs", "sr", "sh", "me"],
  ["zh", "yue", "cmn"],
  ["tl", "fil"],
  ["he", "iw"],
];
const modelLanguages =
  /^(?:az|ca|cs|da|de|en|es|et|eu|fi|fr|hr|hu|is|it|lt|lv|ms|nl|no|nb|nn|pl|pt|ro|sk|sl|sq|sv|sw|tl|tr|vi|be|bg|mk|ru|sr|uk|ar|fa|ur|hi|el|he|th|ko|ja|zh|id)$/;

/** Also true of a language that the model does not know: it cannot contradict one. */
function isSameLanguage(found: string, declared: string): boolean {
  const [primary = ""] = declared.toLowerCase().split(/[-_]/);
  if (found === primary || oneToTheModel.some((group) => group.includes(found) && group.includes(primary))) return true;
  return !modelLanguages.test(primary);
}

function isLanguage(tag: string | undefined): tag is string {
  return tag !== undefined && /^[a-z]{2,3}(?:[-_]\w{1,8})*$/i.test(tag) && !/^(?:und|mul|zxx|xx)$/i.test(tag);
}

function cut(value: string | undefined): string {
  return value?.slice(0, maxValueLength) ?? "";
}

/** Values by the tag's own name; names of vocabularies are matched in lower case, as their standards allow both. */
function collectTags(metas: readonly Element[], urls: PageUrls): Map<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const meta of metas) {
    const content = attribute(meta, "content")?.trim().slice(0, maxValueLength);
    const written =
      attribute(meta, "property") ?? attribute(meta, "name") ?? attribute(meta, "itemprop") ?? equivalentOf(meta);
    const name = written?.trim();
    if (!content || !name || name.length > maxNameLength) continue;
    const key = /^(?:og:|article:|dc[.:]|dcterms[.:]|twitter:|description$|keywords$|robots$)/i.test(name)
      ? name.toLowerCase()
      : name;
    const value = urlTags.test(key) ? (urls.web(content) ?? content) : content;
    const values = tags.get(key);
    if (values === undefined) {
      if (tags.size < maxNames) tags.set(key, [value]);
    } else if (values.length < maxValues && !values.includes(value)) values.push(value);
  }
  return tags;
}

function equivalentOf(meta: Element): string | undefined {
  const name = attribute(meta, "http-equiv");
  return name?.toLowerCase() === "content-language" ? "content-language" : undefined;
}
