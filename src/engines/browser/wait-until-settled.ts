// Waits until a page has become what it wants to be: its requests are answered and its tree no longer changes.

import type { Page, Request } from "playwright-core";
import { waitForStillness } from "./page-scripts.ts";

export interface RequestTracker {
  /** Resolves when nothing has been under way for so long, or when the time is over. */
  waitForQuiet(quietMs: number, maxMs: number): Promise<void>;
  isQuiet(quietMs: number): boolean;
}

/** These stay open or tell nothing about the page. */
const endlessTypes = new Set(["eventsource", "websocket", "ping", "media"]);
/** A request this old is one that waits for news. */
const longPollMs = 4000;
const lookEveryMs = 40;
const maxUrls = 5000;

const quietMs = 300;

export function noteUrl(urls: Set<string>, request: Request): void {
  if (urls.size < maxUrls) urls.add(request.url());
}

/** `urls`: where to note every requested URL, bounded. */
export function trackRequests(page: Page, urls = new Set<string>()): RequestTracker {
  const open = new Map<Request, number>();
  let changedAt = performance.now();
  page.on("request", (request) => {
    noteUrl(urls, request);
    if (endlessTypes.has(request.resourceType())) return;
    open.set(request, performance.now());
    changedAt = performance.now();
  });
  const end = (request: Request) => {
    if (open.delete(request)) changedAt = performance.now();
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);

  function isQuiet(forMs: number): boolean {
    const now = performance.now();
    for (const startedAt of open.values()) if (now - startedAt < longPollMs) return false;
    return now - changedAt >= forMs;
  }

  return {
    isQuiet,
    async waitForQuiet(forMs, maxMs) {
      const until = performance.now() + maxMs;
      while (!isQuiet(forMs) && performance.now() < until) await pauseFor(lookEveryMs);
    },
  };
}

export async function settle(page: Page, tracker: RequestTracker, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs;
  const left = () => Math.max(0, until - performance.now());
  await page.waitForLoadState("load", { timeout: Math.max(1, left()) }).catch(() => undefined);
  while (left() > 0 && !page.isClosed()) {
    const still = page.evaluate(waitForStillness, [quietMs, left()] as [number, number]).then(
      () => true,
      () => false, // It has gone to another document.
    );
    const [wasStill] = await Promise.all([orElse(still, left(), false), tracker.waitForQuiet(quietMs, left())]);
    if (wasStill && tracker.isQuiet(quietMs)) return;
    if (!wasStill) await pauseFor(Math.min(lookEveryMs, left()));
  }
}

/** The same for a short while, and longer for requests that are under way: a page may be restless, but an answer comes. */
export async function settleBriefly(
  page: Page,
  tracker: RequestTracker,
  { maxMs, answersMs }: { maxMs: number; answersMs: number },
): Promise<void> {
  await settle(page, tracker, maxMs);
  if (tracker.isQuiet(0)) return;
  await tracker.waitForQuiet(quietMs, answersMs);
  await settle(page, tracker, quietMs * 2);
}

/** What is given instead when the time is over first. */
export async function orElse<Value, Instead>(
  promise: Promise<Value>,
  ms: number,
  instead: Instead,
): Promise<Value | Instead> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Instead>((done) => {
    timer = setTimeout(() => done(instead), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the promise ends in time, in either way. */
export function settled(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const ended = promise.then(
    () => true,
    () => true,
  );
  return orElse(ended, ms, false);
}

export function pauseFor(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
