// Windows that a caller's actions open: the newest becomes the page, as for a person in front of a browser. When it
// closes itself, its opener is the page again. Chromium opens no window without such an action.
import type { Page, Request, Response } from "playwright-core";
import { pauseFor } from "./wait-until-settled.ts";

export interface Windows {
  /** The page that steps are done on now. */
  readonly page: Page;
  /** Goes over to a window that was opened; one that is on its way is waited for. */
  follow(maxMs: number): Promise<void>;
}

/** What a window was opened with; nothing where it was opened empty. */
export interface Opening {
  request: Request | null;
  response: Response | null;
}

/** Prepares a window to be the page; false: it is closed, and the page stays. */
export type AcceptWindow = (window: Page, opening: Opening) => Promise<boolean>;

/** Of one visit or program; what is opened beyond it is closed. */
const maxWindows = 10;
const lookEveryMs = 40;
/** A request that failed is soon the error page of a window, if of any. */
const failedMs = 1500;
const emptyMs = 500;
/** Of those without a window, what is remembered; a window that comes late has its request among them. */
const maxOpenings = 50;

export function followWindows(first: Page, accept: AcceptWindow = async () => true): Windows {
  /** The one in use last. */
  const stack = [first];
  /** The first request of a window is reported before the window. */
  const openings = new Map<Request, { response: Response | null; givenUpAt: number }>();
  let newest: { window: Page; opening: Opening } | null = null;
  let count = 0;
  /** The first may be a window itself. */
  let opener: Page | null = null;
  void first.opener().then((page) => {
    opener = page;
  });

  const context = first.context();
  context.on("request", (request) => {
    if (!request.isNavigationRequest() || frameOf(request) !== null) return;
    openings.set(request, { response: null, givenUpAt: Number.POSITIVE_INFINITY });
    const [oldest] = openings.keys();
    if (openings.size > maxOpenings && oldest !== undefined) openings.delete(oldest);
  });
  context.on("response", (response) => {
    const opening = openings.get(response.request());
    if (opening !== undefined) opening.response = response;
  });
  context.on("requestfailed", (request) => {
    const opening = openings.get(request);
    if (opening !== undefined) opening.givenUpAt = performance.now() + failedMs;
  });
  listen(first);

  function listen(page: Page): void {
    page.on("popup", (window) => {
      const opening: Opening = { request: null, response: null };
      for (const [request, { response }] of openings) {
        const frame = frameOf(request);
        // The last of its redirects.
        if (frame === window.mainFrame()) Object.assign(opening, { request, response });
        if (frame !== null) openings.delete(request);
      }
      count += 1;
      if (count > maxWindows) return close(window);
      if (newest !== null) close(newest.window);
      newest = { window, opening };
    });
  }

  function isWaiting(): boolean {
    const now = performance.now();
    for (const { givenUpAt } of openings.values()) if (givenUpAt >= now) return true;
    return false;
  }

  return {
    get page() {
      while (stack.length > 1 && stack.at(-1)?.isClosed()) stack.pop();
      const [page = first] = stack.slice(-1);
      if (!page.isClosed()) return page;
      return opener !== null && !opener.isClosed() ? opener : (context.pages().at(-1) ?? page);
    },
    async follow(maxMs) {
      const until = performance.now() + maxMs;
      while (isWaiting() && performance.now() < until) await pauseFor(lookEveryMs);
      if (newest === null) return;
      const { window, opening } = newest;
      const timeout = Math.max(1, until - performance.now());
      await window.waitForLoadState("domcontentloaded", { timeout }).catch(() => undefined);
      // Some are opened empty and filled later.
      if (!window.isClosed() && (await isEmpty(window))) return;
      newest = null;
      if (window.isClosed()) return;
      if (!(await accept(window, opening))) return close(window);
      listen(window);
      stack.push(window);
    },
  };
}

function close(window: Page): void {
  window.close().catch(() => undefined);
}

/** Null while its window is not there yet. */
function frameOf(request: Request) {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

async function isEmpty(window: Page): Promise<boolean> {
  if (window.url() !== "about:blank") return false;
  const looking = window.evaluate(() => document.body === null || document.body.childNodes.length === 0);
  return Promise.race([looking.catch(() => true), pauseFor(emptyMs).then(() => true)]);
}
