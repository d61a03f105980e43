// What webhook events of monitors carry, read when they are delivered; and what a reader of the feed sees.
import { timingSafeEqual } from "node:crypto";
import { ServiceError, sha256 } from "../../base/index.ts";
import { jobItself } from "../../jobs/index.ts";
import { writeFeed } from "../../monitors/index.ts";
import type { CheckPage, Store } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { summaryOf } from "./check-end.ts";
import { type CheckedFacts, factsOf } from "./check-pages.ts";
import { feedUrlOf, type MonitorRecords } from "./monitor-record.ts";

/** Entries of a feed. */
const feedEntries = 50;

/** Null for what is no event of a monitor's check. */
export function createCheckEventData(store: Store) {
  return async (teamId: string, jobId: string, seq: number): Promise<unknown | null> => {
    const check = await store.checks.read(jobId);
    if (check?.teamId !== teamId) return null;
    const about = { monitorId: check.monitorId, checkId: check.id };
    if (seq === jobItself) return { ...about, status: check.status, summary: summaryOf(check) };
    const page = await store.checkPages.readOne(check.id, seq);
    return page && { ...about, ...eventPage(page) };
  };
}

function eventPage(page: CheckPage) {
  const { isMeaningful, judgment, diff } = factsOf(page);
  const { url, status, previousScrapeId, currentScrapeId, error } = page;
  const shown = { url, status, previousScrapeId, currentScrapeId, error };
  return { ...shown, isMeaningful, judgment: judgment ?? null, diff: diff ?? null };
}

export function createFeedOperations({ store, clock }: OperationParts, records: MonitorRecords) {
  return {
    /** Whoever knows the token may read it; for everybody else there is no such monitor. */
    async readMonitorFeed({ id, token }, { baseUrl }) {
      const monitor = await store.monitors.read(id);
      if (!monitor) throw new ServiceError("MONITOR_NOT_FOUND");
      const { feedToken } = records.open(monitor);
      if (!isSame(feedToken, token)) throw new ServiceError("MONITOR_NOT_FOUND");
      const news = (await store.checkPages.listNews(id, feedEntries)).filter((page) => factsOf(page).isMeaningful);
      const head = { id, name: monitor.name, feedUrl: feedUrlOf(id, token, baseUrl), updatedAt: monitor.createdAt };
      const now = clock.now();
      return writeFeed(
        head,
        news.map((page) => ({
          id: page.id,
          url: page.url,
          title: `${page.status}: ${page.url}`,
          at: Math.min(page.createdAt, now),
          text: changeText(factsOf(page)),
        })),
      );
    },
  } satisfies ServedOperations;
}

/** The change as plain text: what the page is called, why it matters, what is different. */
export function changeText(facts: CheckedFacts): string {
  const { judgment, metadata } = facts;
  const title = typeof metadata.title === "string" ? metadata.title : "";
  return [title, judgment?.reason, diffText(facts)].filter(Boolean).join("\n\n");
}

export function diffText({ diff }: CheckedFacts): string {
  // The parsed diff says the same as its text.
  const fields = diff?.json && !Object.hasOwn(diff.json, "files") ? JSON.stringify(diff.json, null, 2) : "";
  return [diff?.text, fields].filter(Boolean).join("\n\n");
}

/** Whatever lengths they have. */
function isSame(one: string, two: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(two)));
}
