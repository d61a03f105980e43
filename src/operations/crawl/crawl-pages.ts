// Work on one page of a crawl: whether it may be read, and what it leads to.

import { bareUrl, withoutFragment } from "../../base/index.ts";
import {
  failed,
  type NewTask,
  type PageEnding,
  pagesOfBlockingHost,
  type ResultDetails,
  type TaskPageRequest,
  type UnreadPage,
} from "../../jobs/index.ts";
import type { ObtainedPage, PageRows } from "../../pages/index.ts";
import { isOffline } from "../../reach/index.ts";
import type { StoredFingerprint } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { ChangedPages } from "./changed-pages.ts";
import { type CrawlStep, openRobotsCheck } from "./crawl-step.ts";
import { type Followed, findsMoreOutside, follow, type OpenPage } from "./follow-page.ts";
import { createHostTurns } from "./host-turns.ts";
import type { LinkSorter } from "./sort-links.ts";
import { matchStopPhrase } from "./stop-on-content.ts";

type PageStep = CrawlStep<"page">;

export function createCrawlPages(parts: OperationParts, links: LinkSorter, changed: ChangedPages) {
  const { robots } = parts;
  const pages = parts.jobs.taskPages;
  const turns = createHostTurns(parts);

  async function endOfRead(open: OpenPage, page: ObtainedPage, before: StoredFingerprint | null): Promise<PageEnding> {
    const { step } = open;
    const { task, context, crawl, isStart } = step;
    const { document } = page.reading;
    const { outlinks } = page.reading.findings;
    const fingerprint = changed.fingerprintOf(step, page);
    const verdict = crawl.changedSince === undefined ? "changed" : changed.judge(step, page, before, fingerprint);
    if (verdict === "removed") {
      const rows = await changed.rowsOf(verdict, before, fingerprint);
      return { kind: "nothing", found: open.tasks, refused: [], removed: [{ key: task.key, url: task.url }], rows };
    }
    // Links of a parked page are advertisements.
    const isParked = document.metadata.pageState === "parked";
    const outgoing = isParked ? [] : (outlinks?.links ?? []);
    const urls = outgoing.map(({ url }) => url);
    const followed = await follow(links, open, document.metadata.url ?? task.url, urls, { document, links: outgoing });
    if ("kind" in followed) return followed;
    const { endUrl, endKey, rules, findings, moved, isWanted } = followed;
    if (!isWanted) return { kind: "nothing", ...findings, ...moved };
    if (verdict === "unchanged") {
      const rows = await changed.rowsOf(verdict, before, fingerprint);
      return unchanged(open, followed, { rows, receivedBytes: page.reading.receivedBytes });
    }
    const isAlone = isStart && findings.found.every(({ key, kind }) => kind !== "page" || key === endKey);
    const leadsOutside = isAlone && (await findsMoreOutside(links, step, urls, rules, endUrl));
    const notes = leadsOutside ? { leadsOutside } : {};
    const stopReason = matchStopPhrase(document, crawl.stopOnContent);
    const stops = stopReason === null ? {} : { stopReason };
    const warning = isStart && isParked ? { warning: parkedStart } : {};
    const slower = page.reading.wasBlocked && !open.isExternal ? slowdown : {};
    const ended = await pages.end(context, { page, endKey, findings, notes, fingerprint });
    return { ...ended, ...moved, ...stops, ...warning, ...slower };
  }

  /** A page that did not have to be read: where it leads is known. */
  async function endOfUnread(
    open: OpenPage,
    fingerprint: StoredFingerprint | null,
    { url, receivedBytes }: { url: string; receivedBytes: number },
  ): Promise<PageEnding> {
    const known = open.isLeaf ? null : (fingerprint?.links ?? null);
    const { urls, onTaken } = await findUnseen(known, open.step.context.followed);
    const followed = await follow(links, open, url, urls, null);
    if ("kind" in followed) return followed;
    if (onTaken) Object.assign(followed.findings, { onTaken });
    if (!followed.isWanted) return { kind: "nothing", ...followed.findings, ...followed.moved };
    return unchanged(open, followed, { rows: null, receivedBytes });
  }

  function unread(open: OpenPage, { ending, refusal }: UnreadPage): PageEnding {
    const { step, tasks, isExternal } = open;
    if (refusal?.rules) return links.disallowed(step, withoutFragment(refusal.url), refusal.rules, tasks);
    if (ending.kind === "nothing" && step.isStart) {
      const [missed] = ending.refused;
      if (missed) return { kind: "fatal", code: missed.code, message: missed.message };
    }
    if (ending.kind !== "failed") return ending;
    const isBlocked = ending.code === "SCRAPE_SITE_BLOCKED";
    const warning = step.isStart && isBlocked ? { warning: `The start page could not be read: ${ending.message}` } : {};
    return { ...ending, found: tasks, ...warning, ...(isBlocked && !isExternal ? slowdown : {}) };
  }

  async function readWhole(open: OpenPage): Promise<PageEnding> {
    const page = await pages.read(requestOf(open));
    return page.ok ? endOfRead(open, page, null) : unread(open, page);
  }

  async function readIfChanged(open: OpenPage): Promise<PageEnding> {
    const { step, isLeaf } = open;
    const known = await changed.find(step, isLeaf);
    const { fingerprint } = known;
    if (changed.isOlder(step, known)) {
      return endOfUnread(open, fingerprint, { url: fingerprint?.finalUrl ?? step.task.url, receivedBytes: 0 });
    }
    const request = requestOf(open);
    let page = await pages.readChanged({ ...request, conditions: changed.conditions(step, known) });
    if (!page.ok && "code" in page) {
      // What a redirect leads to now is another page: it said nothing about the one that was read.
      if (fingerprint === null || fingerprint.finalUrl === page.url) return endOfUnread(open, fingerprint, page);
      page = await pages.readChanged({ ...request, conditions: {} });
      if (!page.ok && "code" in page)
        return failed("SCRAPE_SITE_ERROR", "The server answered 304 (Not Modified) to a request without conditions.");
    }
    return page.ok ? endOfRead(open, page, fingerprint) : unread(open, page);
  }

  return async function readPage(step: PageStep): Promise<PageEnding> {
    const { task, context, crawl, scope, isStart, signal } = step;
    const isReplay = context.settings.replay !== undefined;
    const pausedUntil = isReplay ? 0 : pages.pausedUntil(task.url);
    if (pausedUntil > 0) {
      const pausesJob = isSameOrigin(task.url, context.job.scopeUrl);
      return { kind: "released", notBefore: pausedUntil, pausesJob };
    }
    const check = openRobotsCheck(robots, step, pages.siteArchive(context));
    const isOpen = check !== null && (await check.refusalOf(task.url)) === null;
    const rules = isOpen ? await check.rulesFor(task.url) : null;
    const delayMs = !isReplay && rules?.allows(task.url) ? (rules.crawlDelayMs ?? 0) : 0;
    if (delayMs > 0) await turns.wait(new URL(task.url).host, delayMs, signal);

    const isExternal = !isStart && !scope.isWithin(task.url);
    const isLeaf = isExternal || crawl.sitemap === "only" || (crawl.maxDiscoveryDepth ?? Infinity) <= task.depth;
    const open = { step, check, tasks: tasksOfStart(step), isLeaf, isExternal };
    const ending = await (crawl.changedSince === undefined ? readWhole(open) : readIfChanged(open));
    // One page after the other, if the crawl's own site asks for it.
    return delayMs > 0 && !isExternal && "found" in ending ? { ...ending, delayMs } : ending;
  };
}

const parkedStart = "The start page is a parked domain, so its links were not followed.";
/** Few at a time, if a site begins to block. */
const slowdown = { mostActive: pagesOfBlockingHost };

function requestOf({ step, check, isLeaf }: OpenPage): TaskPageRequest {
  const { task, context, signal } = step;
  return { task, context, outlinks: !isLeaf, sendsHeaders: step.isOwn(task.url), robots: check, signal };
}

/** More are not noted: then some links are looked at again. */
const mostSeen = 200_000;

/** Links that no unchanged page before had, and what notes them: not before the job knows where they lead. */
async function findUnseen(
  links: StoredFingerprint["links"],
  seen: Set<number>,
): Promise<{ urls: string[]; onTaken?(): void }> {
  if (links?.hashes.some((hash) => !seen.has(hash)) !== true) return { urls: [] };
  const { hashes } = links;
  const all = await links.urls();
  return {
    urls: all.filter((_, place) => !seen.has(hashes[place] as number)),
    onTaken() {
      for (const hash of hashes) if (seen.size < mostSeen) seen.add(hash);
    },
  };
}

/** The end of a page that has not changed: it is listed, without content and for free. */
function unchanged(
  { step: { task } }: OpenPage,
  { endUrl, endKey, findings, moved }: Followed,
  { rows, receivedBytes }: { rows: PageRows | null; receivedBytes: number },
): PageEnding {
  const facts = { title: "", description: "", unchanged: true, sourceURL: task.url, url: endUrl, creditsUsed: 0 };
  const details = JSON.stringify({ facts } satisfies ResultDetails);
  const document = { blobId: "", sizeBytes: details.length, details };
  return { kind: "document", document, rows, credits: 0, endKey, receivedBytes, ...findings, ...moved };
}

/**
 * What follows the start page, because only then is it clear which site the crawl is about: its sitemaps, and at last those pages
 * of earlier crawls that this one did not meet.
 */
function tasksOfStart({ task, context, crawl, isStart }: PageStep): NewTask[] {
  if (!isStart || isOffline(context.settings.scrapeOptions)) return [];
  const tasks: NewTask[] = [];
  const ofSite = { url: bareUrl(task.url), depth: 0, step: null };
  if (crawl.sitemap !== "skip") tasks.push({ ...ofSite, key: "sitemaps", kind: "sitemaps" });
  if (crawl.changedSince !== undefined) tasks.push({ ...ofSite, key: "gone", kind: "gone", order: lastOrder });
  return tasks;
}

/** After everything else. */
const lastOrder = 1_000_000;

function isSameOrigin(one: string, two: string): boolean {
  return new URL(one).origin === new URL(two).origin;
}
