// The session as a program has it: Playwright over the session's socket, and the page that is open.
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";

export interface ProgramSession {
  browser: Browser;
  context: BrowserContext;
  page: Page;
  pageId: string;
}

const require = createRequire(import.meta.url);

/** A step that fails should say so before the whole program's time is over. */
const longestStepMs = 30_000;

/** `page` is the one that it was for the program before, while it is open. */
export async function openProgramSession(
  devtoolsSocket: string,
  timeoutMs: number,
  earlierPageId: string | undefined,
): Promise<ProgramSession> {
  const { chromium } = require("playwright-core") as typeof import("playwright-core");
  // Connecting is not the program's own time, and who started this process ends it when that takes too long.
  const browser = await chromium.connectOverCDP(addressOf(devtoolsSocket), { timeout: 0 });
  const context = browser.contexts()[0] ?? (await browser.newContext());
  context.setDefaultTimeout(stepTime(timeoutMs));
  const open = await Promise.all(context.pages().map(async (page) => ({ page, pageId: await idOf(page) })));
  const shown = open.find(({ pageId }) => pageId === earlierPageId) ?? open[0];
  if (shown !== undefined) return { browser, context, ...shown };
  const page = await context.newPage();
  return { browser, context, page, pageId: await idOf(page) };
}

/** How long one step may take of the time that is left. */
export function stepTime(leftMs: number): number {
  return Math.max(1, Math.min(longestStepMs, leftMs * 0.8));
}

export async function idOf(page: Page): Promise<string> {
  const protocol = await page.context().newCDPSession(page);
  const { targetInfo } = await protocol.send("Target.getTargetInfo");
  await protocol.detach();
  return targetInfo.targetId;
}

/** As WebSocket clients of Node take it. */
export function addressOf(devtoolsSocket: string): string {
  return `ws+unix:${devtoolsSocket}:/`;
}
