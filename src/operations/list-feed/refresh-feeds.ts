// Refreshes feeds: the elected server starts a batch of one page for each that is due, whoever works on it, and takes the items from
// it when it has ended. A refresh that fails leaves the items as they are.
import type { Caller } from "../../accounts/index.ts";
import { logFailure, type Repetition, repeat, ServiceError, secondMs } from "../../base/index.ts";
import { type Operations, scrapeOptions } from "../../contract/index.ts";
import { nextRun } from "../../monitors/index.ts";
import type { ListFeed } from "../../store/index.ts";
import { callerOf, isBusy, startedBefore } from "../parts/caller-of.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { type FeedItem, mergeItems } from "./feed-items.ts";
import { openItem } from "./feed-record.ts";
import { createItemFinder, describeWanted, formatsFor } from "./found-items.ts";

/** What reads the pages of feeds. */
export type FeedPages = Pick<Operations<Caller>, "scrape" | "startBatch" | "cancelBatch">;

const lookMs = secondMs;
const dueAtOnce = 50;

export function createFeedRefresher(parts: OperationParts, { startBatch }: FeedPages) {
  const { store, clock, log } = parts;
  const findItems = createItemFinder(parts);

  async function startDue(signal: AbortSignal): Promise<void> {
    for (const feed of await store.listFeeds.listDue(clock.now(), dueAtOnce)) {
      if (signal.aborted) return;
      try {
        const jobId = await startJob(feed);
        await store.listFeeds.change(feed.id, { jobId });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (!isBusy(error)) await end(feed, { error: error.message });
      }
    }
  }

  /** Once for each time that it is due, however often this is tried. */
  async function startJob(feed: ListFeed): Promise<string> {
    const caller = callerOf(feed, `feed ${feed.id} ${feed.nextRunAt}`);
    const options = {
      ...scrapeOptions.parse({}),
      formats: formatsFor(openItem(feed)),
      maxAge: 0,
      onlyMainContent: false,
    };
    const batch = { maxConcurrency: undefined, appendToId: undefined, ignoreInvalidURLs: true, webhook: undefined };
    const asked = { ...batch, urls: [feed.url], scrapeOptions: options, origin: "feed", integration: undefined };
    try {
      const { id } = (await startBatch(asked, caller)) as { id?: string };
      if (id !== undefined) return id;
    } catch (error) {
      const id = startedBefore(error);
      if (id === null) throw error;
      return id;
    }
    throw new ServiceError("INTERNAL_ERROR");
  }

  async function takeResults(signal: AbortSignal): Promise<void> {
    for (const feed of await store.listFeeds.listRead()) {
      if (signal.aborted) return;
      const job = feed.jobId === null ? null : await store.jobs.read(feed.jobId);
      if (job?.status === "scraping") continue;
      if (job === null) {
        await end(feed, { error: "The batch that read its page is no longer stored." });
        continue;
      }
      const document = await parts.jobs.documents.readDocument(feed.teamId, job.id, 0);
      if (document) await take(feed, document, signal);
      else {
        const [first] = await store.jobResults.listErrors(job.id, 1);
        await end(feed, { error: job.error ?? first?.message ?? "The page could not be read." });
      }
    }
  }

  async function take(feed: ListFeed, document: Parameters<typeof findItems>[0], signal: AbortSignal): Promise<void> {
    const item = openItem(feed);
    const found = await findItems(document, item, { url: feed.url, teamId: feed.teamId, signal });
    if (found.length > 0) return end(feed, { found });
    const { statusCode } = document.metadata;
    const answered =
      statusCode !== undefined && statusCode >= 400 ? ` The page answered with status ${statusCode}.` : "";
    await end(feed, { error: `No items were found. Looked for: ${describeWanted(item)}.${answered}` });
  }

  async function end(
    feed: ListFeed,
    result: { found: Parameters<typeof mergeItems>[2] } | { error: string },
  ): Promise<void> {
    await store.transaction(async ({ listFeeds }) => {
      const held = await listFeeds.lock(feed.id);
      if (held?.jobId !== feed.jobId) return;
      const now = clock.now();
      const planned = { jobId: null, lastRunAt: now, nextRunAt: nextRun(held, now) };
      if ("error" in result) return listFeeds.change(feed.id, { ...planned, error: result.error });
      const known: FeedItem[] = JSON.parse(held.items);
      const { items, hasNews } = mergeItems(feed.id, known, result.found, now);
      const news = hasNews || items.length !== known.length ? { changedAt: now } : {};
      const content = { items: JSON.stringify(items), itemCount: items.length, ...news };
      await listFeeds.change(feed.id, { ...planned, ...content, lastSuccessAt: now, error: null });
    });
  }

  let duty: Repetition | null = null;
  return {
    /** `isElected`: whether this is the one process that does it. */
    start(isElected: () => boolean): void {
      const look = async (signal: AbortSignal) => {
        if (!isElected()) return;
        await takeResults(signal);
        await startDue(signal);
      };
      duty = repeat(lookMs, look, logFailure(log, "refreshing the feeds of list pages"));
    },
    stop: async (): Promise<void> => duty?.stop(),
  };
}
