// The task that asks for pages which earlier crawls of the team have read and this one did not come upon: those that are gone are
// listed. It is the last task of a crawl that looks for changes.

import { newId } from "../../base/index.ts";
import { type PageEnding, shortKey } from "../../jobs/index.ts";
import { emptyRows } from "../../pages/index.ts";
import type { StoredFingerprint } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { ChangedPages } from "./changed-pages.ts";
import { type CrawlStep, openRobotsCheck } from "./crawl-step.ts";

type GoneStep = CrawlStep<"gone">;

/** Pages of the site that are looked through, and of these how many are asked for at most. */
const mostKnown = 10_000;
const mostAsked = 1000;
const atOnce = 4;
const keysAtOnce = 500;
/** Until the other tasks have ended. */
const lookAgainMs = 250;
const goneStatuses = new Set([404, 410]);

export function createGonePages({ store, clock, robots, jobs }: OperationParts, changed: ChangedPages) {
  const pages = jobs.taskPages;

  /** Pages that an earlier crawl has read, that are this one's, and that it did not meet. */
  async function findUnmet(step: GoneStep): Promise<{ url: string; key: string; fingerprint: StoredFingerprint }[]> {
    const { context, scope, crawl, task, signal } = step;
    const { hostname: site, pathname } = new URL(context.job.scopeUrl);
    const isWide = crawl.crawlEntireDomain || crawl.allowSubdomains || crawl.allowExternalLinks;
    const path = isWide ? "" : pathname.slice(0, pathname.lastIndexOf("/"));
    const { teamId } = context.job;
    const known = await store.knownPages.listUrls({ teamId, site, path, limit: mostKnown });
    const { accepted } = await scope.sift(known, null, signal);
    const candidates = accepted.map(({ url, key }) => ({ url, key: shortKey(key) }));
    const met = new Set<string>();
    for (let from = 0; from < candidates.length; from += keysAtOnce) {
      const keys = candidates.slice(from, from + keysAtOnce).map(({ key }) => key);
      for (const key of await store.jobPages.known(task.jobId, keys)) met.add(key);
    }
    const unmet = candidates.filter(({ key }) => !met.has(key)).slice(0, mostAsked);
    const fingerprints = await changed.findAll(
      step,
      unmet.map(({ url }) => url),
    );
    return unmet.flatMap((page) => {
      const fingerprint = fingerprints.get(page.url);
      return fingerprint ? [{ ...page, fingerprint }] : [];
    });
  }

  async function isGone(step: GoneStep, url: string, key: string): Promise<boolean> {
    const { task, context, signal } = step;
    const check = openRobotsCheck(robots, step, pages.siteArchive(step.context));
    const asked = { ...task, kind: "page" as const, step: null, id: newId(clock.now()), url, key };
    const sendsHeaders = step.isOwn(url);
    const request = { task: asked, context, outlinks: false, sendsHeaders, robots: check, signal, conditions: {} };
    const page = await pages.readChanged(request);
    return page.ok && goneStatuses.has(page.reading.document.metadata.statusCode ?? 200);
  }

  return async function findGone(step: GoneStep): Promise<PageEnding> {
    const { task, context, signal } = step;
    const job = await store.jobs.read(task.jobId);
    if (job && (job.active > 1 || job.waiting > 0)) return { kind: "released", notBefore: clock.now() + lookAgainMs };
    const unmet = await findUnmet(step);
    const gone: typeof unmet = [];
    const rest = [...unmet];
    const ask = async () => {
      for (let page = rest.pop(); page && !signal.aborted; page = rest.pop()) {
        if (await isGone(step, page.url, page.key)) gone.push(page);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, ask));
    if (signal.aborted) return { kind: "released" };
    const rows = emptyRows();
    rows.goneFingerprints = gone.map(({ fingerprint }) => ({ teamId: context.job.teamId, key: fingerprint.key }));
    return { kind: "nothing", found: [], refused: [], removed: gone.map(({ key, url }) => ({ key, url })), rows };
  };
}
