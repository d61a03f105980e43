// What a page says about itself in its head (API.md 2.5).
import type { Element } from "domhandler";
import type { Addresses } from "./addresses.ts";
import type { Quality } from "./learned-main.ts";
import { attribute } from "./nodes.ts";
import type { PageParts } from "./page-parts.ts";

/** API.md 2.5: title and description always, everything else when the page says it. */
export interface PageMetadata {
  title: string;
  description: string;
  quality?: Quality;
  /** Characters of invisible text that were left out. */
  hiddenText?: number;
  [name: string]: string | string[] | number | Quality | undefined;
}

/** Names that the server fills, or that would reach into an object's own workings: a page cannot set them. */
const reserved = new Set(
  (
    "title description language favicon sourceurl url statuscode error contenttype timezone numpages totalpages scrapeid " +
    "proxyused cachestate cachedat creditsused concurrencylimited concurrencyqueuedurationms quality hiddentext unchanged " +
    "success warning trace postprocessorsused indexid __proto__ prototype constructor tostring valueof hasownproperty tojson then"
  ).split(" "),
);
const maxNames = 200;
const maxNameLength = 128;
const maxValueLength = 10_000;
const maxValues = 50;

/** Names under which clients of this API know some tags, beside the tag's own. */
const knownNames: Record<string, string> = {
  "og:title": "ogTitle",
  "og:description": "ogDescription",
  "og:url": "ogUrl",
  "og:image": "ogImage",
  "og:audio": "ogAudio",
  "og:video": "ogVideo",
  "og:determiner": "ogDeterminer",
  "og:locale": "ogLocale",
  "og:site_name": "ogSiteName",
  "og:type": "ogType",
  "article:section": "articleSection",
  "article:tag": "articleTag",
  "article:published_time": "publishedTime",
  "article:modified_time": "modifiedTime",
  "dc.date": "dcDate",
  "dc.date.created": "dcDateCreated",
  "dc.description": "dcDescription",
  "dc.subject": "dcSubject",
  "dc.type": "dcType",
  "dcterms.audience": "dcTermsAudience",
  "dcterms.created": "dcTermsCreated",
  "dcterms.keywords": "dcTermsKeywords",
  "dcterms.subject": "dcTermsSubject",
  "dcterms.type": "dcTermsType",
};

export function readMetadata(parts: PageParts, addresses: Addresses): PageMetadata {
  const tags = collectTags(parts.metas);
  const first = (...names: string[]) => names.map((name) => tags.get(name)?.[0]).find((value) => value) ?? "";
  const metadata: PageMetadata = {
    title: parts.title || first("og:title", "twitter:title"),
    description: first("description", "og:description", "twitter:description"),
  };
  const language = parts.language || first("content-language", "language");
  if (language) metadata.language = language;
  const favicon = faviconOf(parts.relations, addresses);
  if (favicon) metadata.favicon = favicon;
  for (const [tag, name] of Object.entries(knownNames)) {
    const values = tags.get(tag);
    if (values) metadata[name] = tag === "article:tag" ? values.join(", ") : (values[0] as string);
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
  return metadata;
}

/** Values by the tag's own name; names of vocabularies are matched in lower case, as their standards allow both. */
function collectTags(metas: readonly Element[]): Map<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const meta of metas) {
    const value = attribute(meta, "content")?.trim().slice(0, maxValueLength);
    const written =
      attribute(meta, "property") ?? attribute(meta, "name") ?? attribute(meta, "itemprop") ?? equivalentOf(meta);
    const name = written?.trim();
    if (!value || !name || name.length > maxNameLength) continue;
    const key = /^(?:og:|article:|dc\.|dcterms\.|twitter:|description$|keywords$|robots$)/i.test(name)
      ? name.toLowerCase()
      : name;
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

function faviconOf(relations: readonly Element[], addresses: Addresses): string | null {
  for (const wanted of ["icon", "apple-touch-icon"]) {
    for (const icon of relations) {
      const rel = attribute(icon, "rel")?.toLowerCase().split(/\s+/) ?? [];
      const address = rel.includes(wanted) ? addresses.web(attribute(icon, "href") ?? "") : null;
      if (address) return address;
    }
  }
  return null;
}
