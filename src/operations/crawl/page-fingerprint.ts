// What a crawl notes of a page that it has read, so that the next crawl can tell whether the page has changed.
import { pageUrl, sha256 } from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { ObtainedPage } from "../../pages/index.ts";
import type { PageFingerprint } from "../../store/index.ts";

/** More links than a page that is made for readers has. */
const maxLinks = 3000;
/** Outputs that are not the same for the same page: they describe the reading, or have a new name each time. */
const fleeting = ["screenshot", "actions", "changeTracking"] as const;

/** `headers`: those that go to the page. */
export function fingerprintKey(
  url: string,
  { mobile, location }: ScrapeOptions,
  headers: Record<string, string>,
): string {
  return sha256(JSON.stringify([pageUrl(url), mobile, location, headers]));
}

/** Contents that are made in another way cannot be compared. */
export function contentKey(options: ScrapeOptions): string {
  const { formats, onlyMainContent, onlyCleanContent, includeTags, excludeTags, removeBase64Images, parsers } = options;
  const made = [formats, onlyMainContent, onlyCleanContent, includeTags, excludeTags, removeBase64Images, parsers];
  return sha256(JSON.stringify(made));
}

/** Of what would be returned: a footer that changes outside of the main content is no change. Null where nothing can be compared. */
function contentHash({ document, json }: ObtainedPage["reading"]): string | null {
  const { metadata, warning: _, ...outputs } = document as Document;
  if (Object.keys(outputs).length === 0 || fleeting.some((name) => name in outputs)) return null;
  const beside = Buffer.from(JSON.stringify([metadata.title, metadata.description]));
  return sha256(Buffer.concat([json.comparable(), beside]));
}

/** Null for a page that must not be kept, or that has nothing to compare. */
export function makeFingerprint(
  { teamId, key, contentKey: made }: Pick<PageFingerprint, "teamId" | "key" | "contentKey">,
  reading: ObtainedPage["reading"],
): PageFingerprint | null {
  const { document, findings, version } = reading;
  const { statusCode = 200, url = "", pageState = "content" } = document.metadata;
  if (version === null || statusCode >= 400 || pageState !== "content") return null;
  const { fetchedAt, etag, lastModified } = version;
  const hash = contentHash(reading);
  const links = findings.outlinks?.links.slice(0, maxLinks).map((link) => link.url) ?? null;
  const times = { readAt: fetchedAt, changedAt: fetchedAt };
  return { teamId, key, ...times, finalUrl: url, etag, lastModified, contentKey: made, contentHash: hash, links };
}
