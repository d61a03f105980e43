// Which pages of a crawl have changed since the team's last crawl, or since a date.

import { createGatherer, dayMs } from "../../base/index.ts";
import { keepsNothing } from "../../contract/index.ts";
import { emptyRows, type ObtainedPage, type PageRows } from "../../pages/index.ts";
import { type PageFingerprint, packFingerprint, type StoredFingerprint } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { CrawlContext, CrawlStep } from "./crawl-step.ts";
import { contentKey, fingerprintKey, makeFingerprint } from "./page-fingerprint.ts";

type PageStep = CrawlStep<"page">;

/** What a page's reading came to, compared with the one before. */
export type PageChange = "changed" | "unchanged" | "removed";

/** What the crawl knows of a page before it is read. */
export interface KnownVersion {
  fingerprint: StoredFingerprint | null;
  /** A page that is followed needs its links: where they are not known, it is read. */
  hasLinks: boolean;
}

const goneStatuses = new Set([404, 410]);

export type ChangedPages = ReturnType<typeof createChangedPages>;

export function createChangedPages({ store }: OperationParts) {
  /** Of the crawl's options, once. */
  const contentKeyOf = (context: CrawlContext) => {
    context.contentKey ??= contentKey(context.settings.scrapeOptions);
    return context.contentKey;
  };

  function keyOf({ context, isOwn }: Pick<PageStep, "context" | "isOwn">, url: string): string {
    const { scrapeOptions } = context.settings;
    return fingerprintKey(url, scrapeOptions, isOwn(url) ? scrapeOptions.headers : {});
  }

  return {
    async find(step: PageStep, isLeaf: boolean): Promise<KnownVersion> {
      const { context, task } = step;
      const { teamId } = context.job;
      context.findFingerprint ??= createGatherer((keys) => store.pageFingerprints.find(teamId, keys));
      const fingerprint = await context.findFingerprint(keyOf(step, task.url));
      return { fingerprint, hasLinks: isLeaf || (fingerprint !== null && fingerprint.links !== null) };
    },

    /** Of several pages at once, by their URLs. */
    async findAll(
      step: Pick<PageStep, "context" | "isOwn">,
      urls: readonly string[],
    ): Promise<Map<string, StoredFingerprint>> {
      const byKey = new Map(urls.map((url) => [keyOf(step, url), url]));
      const fingerprints = await store.pageFingerprints.find(step.context.job.teamId, [...byKey.keys()]);
      return new Map([...fingerprints].map(([key, fingerprint]) => [byKey.get(key) as string, fingerprint]));
    },

    /** The sitemap says that the page is older: it is not even asked for. */
    isOlder({ task, crawl }: PageStep, { fingerprint, hasLinks }: KnownVersion): boolean {
      if (typeof task.lastmod !== "number" || !hasLinks) return false;
      const since = sinceOf(crawl.changedSince) ?? fingerprint?.readAt;
      return since !== undefined && task.lastmod < since;
    },

    /** How the page is asked whether it has changed. */
    conditions({ crawl }: PageStep, { fingerprint, hasLinks }: KnownVersion): Record<string, string> {
      if (!hasLinks) return {};
      const since = sinceOf(crawl.changedSince);
      if (since !== null) return { "if-modified-since": new Date(since).toUTCString() };
      return {
        ...(fingerprint?.etag ? { "if-none-match": fingerprint.etag } : {}),
        ...(fingerprint?.lastModified ? { "if-modified-since": fingerprint.lastModified } : {}),
      };
    },

    /** For the next crawl. */
    fingerprintOf(step: PageStep, { reading }: ObtainedPage): PageFingerprint | null {
      const { context, task } = step;
      if (keepsNothing(context.settings.scrapeOptions)) return null;
      const { teamId } = context.job;
      return makeFingerprint({ teamId, key: keyOf(step, task.url), contentKey: contentKeyOf(context) }, reading);
    },

    /** Of a page that was read. `now`: what it came to. */
    judge(
      { crawl }: PageStep,
      page: ObtainedPage,
      before: StoredFingerprint | null,
      now: PageFingerprint | null,
    ): PageChange {
      const { statusCode = 200 } = page.reading.document.metadata;
      if (goneStatuses.has(statusCode) && before) return "removed";
      if (now === null) return "changed";
      const since = sinceOf(crawl.changedSince);
      const modified = now.lastModified === null ? Number.NaN : Date.parse(now.lastModified);
      if (since !== null && !Number.isNaN(modified)) return modified < since ? "unchanged" : "changed";
      const isSame =
        before !== null &&
        before.contentHash !== null &&
        before.contentHash === now.contentHash &&
        before.contentKey === now.contentKey;
      return isSame && (since === null || before.changedAt < since) ? "unchanged" : "changed";
    },

    /** What is written for a page that has not changed, and for one that is gone. */
    async rowsOf(
      verdict: PageChange,
      before: StoredFingerprint | null,
      now: PageFingerprint | null,
    ): Promise<PageRows> {
      const rows = emptyRows();
      if (verdict === "removed" && before) rows.goneFingerprints.push({ teamId: before.teamId, key: before.key });
      else if (now) rows.fingerprints.push(await packFingerprint(now));
      return rows;
    },
  };
}

/** Null for the team's last crawl of each page. */
function sinceOf(changedSince: string | undefined): number | null {
  return changedSince === undefined || changedSince === "last" ? null : Date.parse(changedSince);
}

/** The latest time that a sitemap's date can mean; null when it is no date. A date without a time means its whole day. */
export function readLastmod(text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) return null;
  if (/^\d{4}$/.test(text)) return time + 366 * dayMs;
  if (/^\d{4}-\d{2}$/.test(text)) return time + 31 * dayMs;
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? time + dayMs : time;
}
