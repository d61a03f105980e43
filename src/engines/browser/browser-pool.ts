// Keeps one Chromium warm: started with the first page, replaced after `maxPages` or `maxAgeMs`, closed when it has
// rested long enough.
import type { Chromium } from "./chromium-process.ts";

export interface BrowserLease {
  chromium: Chromium;
  /** To be called once, when the page is closed. */
  release(): void;
}

export type BrowserPool = ReturnType<typeof createBrowserPool>;

export interface BrowserPoolOptions {
  maxPages: number;
  maxAgeMs: number;
}

interface Held {
  starting: Promise<Chromium>;
  chromium: Chromium | null;
  pages: number;
  open: number;
  isRetired: boolean;
  timer: NodeJS.Timeout;
}

export function createBrowserPool(start: () => Promise<Chromium>, options: BrowserPoolOptions) {
  let current: Held | null = null;
  const all = new Set<Held>();
  let isClosed = false;

  function open(): Held {
    const starting = start();
    const held: Held = {
      starting,
      chromium: null,
      pages: 0,
      open: 0,
      isRetired: false,
      timer: setTimeout(() => retire(held), options.maxAgeMs).unref(),
    };
    all.add(held);
    starting.then(
      (chromium) => {
        held.chromium = chromium;
        chromium.browser.once("disconnected", () => forget(held));
        if (!chromium.browser.isConnected()) forget(held);
      },
      () => forget(held),
    );
    return held;
  }

  function forget(held: Held): void {
    clearTimeout(held.timer);
    all.delete(held);
    if (current === held) current = null;
  }

  /** Takes no new pages; ends with its last one. */
  function retire(held: Held): void {
    held.isRetired = true;
    if (current === held) current = null;
    if (held.open === 0) void held.chromium?.close();
  }

  return {
    async take(): Promise<BrowserLease> {
      if (isClosed) throw new Error("the browsers are closed");
      current ??= open();
      const held = current;
      held.pages += 1;
      held.open += 1;
      if (held.pages >= options.maxPages) {
        held.isRetired = true;
        current = null;
      }
      let isReleased = false;
      const release = () => {
        if (isReleased) return;
        isReleased = true;
        held.open -= 1;
        if (held.open === 0 && held.isRetired) void held.chromium?.close();
      };
      try {
        return { chromium: await held.starting, release };
      } catch (error) {
        release();
        throw error;
      }
    },

    async close(): Promise<void> {
      isClosed = true;
      current = null;
      await Promise.all(
        [...all].map(async (held) => {
          const chromium = await held.starting.catch(() => null);
          clearTimeout(held.timer);
          await chromium?.close();
        }),
      );
    },
  };
}
