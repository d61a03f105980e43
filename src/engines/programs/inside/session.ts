// The session as a program has it: Playwright over the session's socket, and the page that is open.
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";

export interface Session {
  browser: Browser;
  context: BrowserContext;
  page: Page;
}

const require = createRequire(import.meta.url);

/** A step that fails should say so before the whole program's time is over. */
const longestStepMs = 30_000;

export async function openSession(devtoolsSocket: string, timeoutMs: number): Promise<Session> {
  const { chromium } = require("playwright-core") as typeof import("playwright-core");
  const browser = await chromium.connectOverCDP(addressOf(devtoolsSocket), { timeout: timeoutMs });
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = context.pages()[0] ?? (await context.newPage());
  context.setDefaultTimeout(Math.min(longestStepMs, timeoutMs * 0.8));
  return { browser, context, page };
}

/** As WebSocket clients of Node take it. */
export function addressOf(devtoolsSocket: string): string {
  return `ws+unix:${devtoolsSocket}:/`;
}
