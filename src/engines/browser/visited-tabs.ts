// The windows of a visit: the page that was asked for, and those that its steps opened.
import type { Page, Response } from "playwright-core";
import { VisitFailure } from "./visit-failure.ts";
import { type RequestTracker, trackRequests } from "./wait-until-settled.ts";
import type { Windows } from "./windows.ts";

const maxNavigations = 20;

export interface Alarms {
  giveUp(error: unknown): void;
  crash(): void;
}

export interface Tab {
  page: Page;
  tracker: RequestTracker;
  documents: Documents;
}

interface Documents {
  first: Response | null;
  latest: Response | null;
  /** The last requested page, answered or not. */
  askedUrl: string | null;
  failure: string | null;
  navigations: number;
}

/** Which documents the page itself was, and not its frames; too many are no page. */
function trackDocuments(page: Page, { giveUp }: Alarms): Documents {
  const documents: Documents = { first: null, latest: null, askedUrl: null, failure: null, navigations: 0 };
  const isOwn = (request: ReturnType<Response["request"]>) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame();
  page.on("request", (request) => {
    if (isOwn(request)) documents.askedUrl = request.url();
  });
  page.on("requestfailed", (request) => {
    if (isOwn(request)) documents.failure = request.failure()?.errorText ?? null;
  });
  page.on("response", (response) => {
    if (!isOwn(response.request()) || (response.status() >= 300 && response.status() < 400)) return;
    documents.latest = response;
    documents.first ??= response;
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame()) return;
    documents.navigations += 1;
    if (documents.navigations <= maxNavigations) return;
    giveUp(new VisitFailure("SCRAPE_TOO_MANY_REDIRECTS", `The page navigated more than ${maxNavigations} times`));
  });
  return documents;
}

export type VisitedTabs = ReturnType<typeof openTabs>;

export function openTabs(first: Page, alarms: Alarms) {
  const urls = new Set<string>();
  const tabs = new Map<Page, Tab>();
  let windows: Windows | null = null;
  let ended: Page | null = null;

  function track(page: Page): Tab {
    page.on("crash", alarms.crash);
    const tab = { page, tracker: trackRequests(page, urls), documents: trackDocuments(page, alarms) };
    tabs.set(page, tab);
    return tab;
  }

  const start = track(first);
  return {
    /** All that the windows asked for. */
    urls,
    start,
    track,
    tabOf: (page: Page): Tab => tabs.get(page) ?? start,
    /** The window that is read now. */
    current: (): Tab => tabs.get(ended ?? windows?.page ?? first) ?? start,
    areFollowed: (): boolean => windows !== null,
    follow(opened: Windows): void {
      windows = opened;
    },
    endOn(page: Page): void {
      ended = page;
    },
  };
}
