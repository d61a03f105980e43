// What becomes of the links that a crawl finds: the next pages, or errors that say why a URL is not read.

import { remember, ServiceError, sha256 } from "../../base/index.ts";
import type { CrawlScope, RobotsState } from "../../discovery/index.ts";
import { type Findings, maxErrors, type NewTask, type PageEnding, shortKey } from "../../jobs/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { CrawlContext, CrawlStep, Rules } from "./crawl-step.ts";

/** Of URLs that are listed and not read: one more than an answer shows, so that it tells that there are more. */
const maxRefused = maxErrors + 1;
/** The same links are on many pages of a site. */
const rememberedKeys = 20_000;

export type LinkSorter = ReturnType<typeof createLinkSorter>;

export function createLinkSorter({ clock }: OperationParts) {
  const keyOf = remember(shortKey, rememberedKeys);

  return {
    /** Links that the crawl follows, at this depth; those that robots.txt disallows are listed instead. */
    sortOut(
      { task, context }: CrawlStep,
      { accepted, denied, forbidden }: Awaited<ReturnType<CrawlScope["sift"]>>,
      depth: number,
    ): Findings {
      const now = clock.now();
      const found = accepted.map(
        ({ url, key }): NewTask => ({ url, key: keyOf(key), depth, kind: "page", step: null }),
      );
      const refused = [
        ...denied.map(({ url, code, reason }) => refusal(task.jobId, url, now, { code, message: reason })),
        ...forbidden.map((url) => refusal(task.jobId, url, now, blocked())),
      ];
      return { found, refused: boundRefused(context, refused) };
    },

    /** The end of a page that robots.txt disallows. */
    disallowed({ task, isStart }: CrawlStep, url: string, rules: RobotsState, found: NewTask[]): PageEnding {
      const refused = [refusal(task.jobId, url, clock.now(), blocked(rules))];
      // A site that did not answer is an error of the page, which says it all.
      const isWarned = isStart && rules.failure === undefined;
      const warning = isWarned ? { warning: rules.reason ?? "robots.txt disallows the start page." } : {};
      return { kind: "nothing", found, refused, ...warning };
    },
  };
}

/** Whether the rules of the base's site allow a URL; other sites' rules are asked for when their page's turn comes. */
export function allowedBy(rules: Rules, base: string): (url: string) => boolean {
  const ownSite = `${new URL(base).origin}/`;
  return (url) => rules === null || !url.startsWith(ownSite) || rules.allows(url);
}

/** Why a page may not be read: the rules of its site, or that they could not be fetched. */
function blocked({ failure, reason }: Partial<Pick<RobotsState, "failure" | "reason">> = {}) {
  const { code, message } = new ServiceError(failure ?? "ROBOTS_BLOCKED", failure && reason);
  return { code, message };
}

/** On a site with an endless number of such URLs only the first are listed. */
function boundRefused({ refusals }: CrawlContext, refused: Findings["refused"]): Findings["refused"] {
  return refused.filter(({ id }) => {
    if (!refusals.has(id) && refusals.size < maxRefused) refusals.add(id);
    return refusals.has(id);
  });
}

/** The same URL is listed once, however many pages link to it. */
function refusal(jobId: string, url: string, at: number, why: { code: string; message: string }) {
  const hash = sha256(`${jobId} ${url}`);
  const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  return { id, at, url, ...why };
}
