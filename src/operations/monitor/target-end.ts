// The end of a target whose job is over: pages that were not read, and pages that are gone.
import { urlKey } from "../../jobs/index.ts";
import type { Job, JobError, Store } from "../../store/index.ts";
import { checkedPage, type SaveFoundPages } from "./check-pages.ts";
import { type PageTarget, pagesAtOnce, type TargetEnd, type TargetRun } from "./target-run.ts";

const mostErrors = 10_000;
const mostMissed = 10_000;

export function createTargetEnds(store: Store, save: SaveFoundPages) {
  /** Named pages of which nothing is known: refused, or not begun before the credits were used up. */
  async function unreadPages(
    { job: check }: TargetRun,
    target: Extract<PageTarget, { type: "scrape" }>,
    { warning }: Job,
    errors: readonly JobError[],
  ) {
    const known = await store.checkPages.known(check.id, target.id);
    for (const { url } of errors) known.add(urlKey(url));
    const message = warning ?? "The page was not read: its URL is not allowed.";
    return target.urls.filter((url) => !known.has(urlKey(url))).map((url) => ({ url, message }));
  }

  /** Pages that a whole crawl did not find again. One that was cut short, or that a broken page hid, removes nothing. */
  async function saveRemoved(
    run: TargetRun,
    target: Extract<PageTarget, { type: "crawl" }>,
    job: Job,
    errors: readonly JobError[],
    depths: Map<string, number>,
  ): Promise<boolean> {
    const isWhole = job.status === "completed" && job.completed > 0 && job.started < job.pageLimit && job.waiting === 0;
    if (!isWhole) return true;
    const broken = await store.checkPages.list(run.job.id, { skip: 0, limit: mostErrors, statuses: ["error"] });
    const own = broken.filter(({ targetId }) => targetId === target.id);
    const start = urlKey(target.url);
    if (own.some(({ key }) => key === start)) return true;
    const reach = Math.min(...errors.map(({ id }) => depths.get(id) ?? 0), ...(await brokenDepths(run, own)));
    const missed = await store.versions.listMissed(run.monitorId, target.id, run.job.id, mostMissed);
    const gone = missed.filter(({ depth }) => depth <= reach);
    for (let from = 0; from < gone.length; from += pagesAtOnce) {
      const facts = { metadata: {}, isMeaningful: true };
      const pages = gone
        .slice(from, from + pagesAtOnce)
        .map(({ key, url, scrapeId }) =>
          checkedPage(url, { key, status: "removed", previousScrapeId: scrapeId, facts }),
        );
      if (!(await save(run, { pages }))) return false;
    }
    return true;
  }

  /** Of pages whose server answered with an error: they led nowhere this time. */
  async function brokenDepths({ monitorId, target }: TargetRun, pages: readonly { key: string }[]): Promise<number[]> {
    const known = await store.versions.find(
      monitorId,
      target.id,
      pages.map(({ key }) => key),
    );
    return pages.map(({ key }) => known.get(key)?.depth ?? Number.POSITIVE_INFINITY);
  }

  /** What was not read, and what is gone. */
  return async function finish(
    run: TargetRun,
    target: PageTarget,
    job: Job,
    depths: Map<string, number>,
  ): Promise<TargetEnd> {
    const listed = await store.jobResults.listErrors(job.id, mostErrors);
    const isOfPage = ({ id }: JobError) => target.type === "scrape" || depths.has(id);
    const errors = listed.filter(isOfPage);
    const unread = target.type === "scrape" ? await unreadPages(run, target, job, errors) : [];
    const failures = [...errors.map(({ url, message }) => ({ url, message })), ...unread];
    const keys = failures.map(({ url }) => urlKey(url));
    const known = await store.versions.find(run.monitorId, target.id, keys);
    const pages = failures.map(({ url, message }) => {
      const previousScrapeId = known.get(urlKey(url))?.scrapeId ?? null;
      const facts = { metadata: {}, isMeaningful: false };
      return checkedPage(url, { status: "error", error: message, previousScrapeId, facts });
    });
    if (!(await save(run, { pages }))) return { kind: "stopped" };
    if (target.type === "crawl" && !(await saveRemoved(run, target, job, errors, depths))) return { kind: "stopped" };
    const isLost = job.status !== "completed" && job.completed === 0;
    return { kind: "done", error: isLost ? (job.error ?? "The pages of this target were not read.") : null };
  };
}
