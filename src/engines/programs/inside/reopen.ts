// Reopens the page of a scrape as the scrape left it: its URL, its wait, its actions.
import { runActions } from "../../browser/perform-actions.ts";
import { pauseFor, settle, trackRequests } from "../../browser/wait-until-settled.ts";
import { followWindows } from "../../browser/windows.ts";
import { idOf, type ProgramSession } from "./program-session.ts";
import type { ProcessAnswer, ProgramWork } from "./work.ts";

const settleMs = 8000;
const actionSettleMs = 1500;
const maxHtmlLength = 10 * 1024 * 1024;

export async function reopen(
  { url, waitFor, actions }: Extract<ProgramWork, { kind: "reopen" }>,
  { page }: ProgramSession,
  timeoutMs: number,
): Promise<ProcessAnswer> {
  const endsAt = performance.now() + timeoutMs;
  const patience = Math.min(settleMs, timeoutMs / 4);
  const tracker = trackRequests(page);
  const windows = followWindows(page);
  try {
    await page.goto(url, { waitUntil: "domcontentloaded", timeout: timeoutMs / 2 });
    await settle(page, tracker, patience);
    if (waitFor > 0) await pauseFor(waitFor);
    const settleAction = () => settle(windows.page, tracker, Math.min(actionSettleMs, patience));
    await runActions({ actions, windows, maxHtmlLength, endsAt, settle: settleAction });
    return { memory: { pageId: await idOf(windows.page) } };
  } catch (error) {
    return { failure: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}
