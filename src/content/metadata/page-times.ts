// When a page was published and last changed, as the page itself says it: never guessed.
import type { Element } from "domhandler";
import { attribute } from "../../html/index.ts";
import type { LinkedData } from "./linked-data.ts";
import { readTime } from "./written-time.ts";

export interface PageTimes {
  published: string | null;
  /** Where on the page the day of publication is. */
  evidence: string | null;
  modified: string | null;
}

interface Wanted {
  /** Names of tags, lower case, those that say it most clearly first. */
  clearTags: readonly string[];
  otherTags: readonly string[];
  linked: "published" | "modified";
  property: string;
  /** Words in the class of a `time` element: of microformats and of widespread software. */
  names: RegExp;
}

const published: Wanted = {
  clearTags: [
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "article:first_published_time",
  ],
  otherTags: (
    "datepublished publishedtime dcterms.issued dc.date.issued dcterms.available dcterms.date dc.date dcterms.created " +
    "dc.date.created dcterms:issued dcterms:date dcterms:created dc:date citation_publication_date citation_online_date " +
    "citation_date parsely-pub-date sailthru.date article.published article:published published_time publish_date " +
    "publish-date publishdate published pub_date og:publish_date article-published_time published-date published_at publication_date publication-date pubdate og:pubdate rnews:datepublished " +
    "date.issued date_published date"
  ).split(" "),
  linked: "published",
  property: "datePublished",
  names: /(?:^|\s)(?:dt-published|published|entry-date)(?:\s|$)/,
};
const modified: Wanted = {
  clearTags: ["article:modified_time", "og:article:modified_time", "og:updated_time", "og:modified_time"],
  otherTags: (
    "datemodified modifiedtime dcterms.modified dc.date.modified dcterms:modified dc:modified article.updated " +
    "article:modified modified_time last-modified last_modified lastmod modified updated updated-date date.modified date_modified revised"
  ).split(" "),
  linked: "modified",
  property: "dateModified",
  names: /(?:^|\s)(?:dt-updated|updated|modified)(?:\s|$)/,
};

/** `tags` by their names in lower case. */
export function readTimes(
  tags: ReadonlyMap<string, readonly string[]>,
  linked: LinkedData | null,
  times: readonly Element[],
): PageTimes {
  const own = find(published);
  return { published: own?.time ?? null, evidence: own?.evidence ?? null, modified: find(modified)?.time ?? null };

  function find(wanted: Wanted): FoundTime | null {
    const data = readTime(linked?.[wanted.linked] ?? "");
    const only = () => onlyTime(times, wanted);
    return (
      firstOf(tags, wanted.clearTags) ??
      (data === null ? null : { time: data, evidence: `JSON-LD ${wanted.property}` }) ??
      firstOf(tags, wanted.otherTags) ??
      only()
    );
  }
}

interface FoundTime {
  time: string;
  evidence: string;
}

function firstOf(tags: ReadonlyMap<string, readonly string[]>, names: readonly string[]): FoundTime | null {
  for (const name of names) {
    const [value] = tags.get(name) ?? [];
    const time = value === undefined ? null : readTime(value);
    if (time !== null) return { time, evidence: `meta ${name}` };
  }
  return null;
}

/** A list of posts has many such elements: then none of them is the page's. */
function onlyTime(times: readonly Element[], wanted: Wanted): FoundTime | null {
  const found = new Set<string>();
  for (const element of times) {
    const written = isNamed(element, wanted) ? attribute(element, "datetime") : undefined;
    const time = written === undefined ? null : readTime(written);
    if (time !== null) found.add(time);
  }
  const [only] = found;
  return only !== undefined && found.size === 1 ? { time: only, evidence: "time element" } : null;
}

function isNamed(element: Element, { property, names }: Wanted): boolean {
  if (attribute(element, "itemprop")?.split(/\s+/).includes(property)) return true;
  if (property === published.property && attribute(element, "pubdate") !== undefined) return true;
  const classes = attribute(element, "class") ?? "";
  // WordPress marks a post that was never changed with both names.
  return names.test(classes) && !(property === modified.property && published.names.test(classes));
}
