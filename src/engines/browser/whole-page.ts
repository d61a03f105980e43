// Makes a page whole before it is read: a page that only leads to another one is waited out, and what loads late is shown
// once so that it loads. Pages that do neither cost one look.
import type { Page } from "playwright-core";
import { openWorld } from "./isolated-world.ts";
import { lookAtPage, type PageLook, walkThrough } from "./page-scripts.ts";
import { notesKey } from "./read-html.ts";
import { orFalse, pauseFor } from "./settle.ts";

const lookMs = 1000;
const lookEveryMs = 150;
/** A challenge may lead to the next one. */
const maxChallenges = 3;
const surelyMs = 10_000;
const perhapsMs = 4000;
/** The statuses with which servers send challenges. */
const challengeStatuses = new Set([202, 401, 403, 405, 429, 503]);

const maxScreens = 30;
const maxGrowthScreens = 8;
const walkMs = 4000;
/** A page that does not let our script end has its time and no more. */
const graceMs = 1000;

const plain: PageLook = { leadsOn: "no", isWatched: false };

async function look(page: Page): Promise<PageLook> {
  const looking = page.evaluate(lookAtPage, notesKey).catch(() => plain);
  return Promise.race([looking, pauseFor(lookMs).then(() => plain)]);
}

export interface ChallengeWait {
  /** Of the document that the page shows now. */
  status(): number;
  /** How often the page went to another document. */
  navigations(): number;
  settle(): Promise<void>;
  maxMs: number;
}

/** A challenge that a browser passes by itself is passed by waiting: until the page goes on, or is another one. */
export async function waitOutChallenges(
  page: Page,
  { status, navigations, settle, maxMs }: ChallengeWait,
): Promise<void> {
  const until = performance.now() + maxMs;
  for (let nth = 0; nth < maxChallenges && performance.now() < until; nth += 1) {
    const { leadsOn } = await look(page);
    const isRefused = challengeStatuses.has(status());
    if (leadsOn === "no" || (leadsOn === "perhaps" && !isRefused)) return;
    const before = navigations();
    const last = Math.min(until, performance.now() + (leadsOn === "surely" ? surelyMs : perhapsMs));
    while (navigations() === before && performance.now() < last) {
      await pauseFor(lookEveryMs);
      if ((await look(page)).leadsOn === "no") break;
    }
    if (navigations() === before && performance.now() >= last) return;
    await settle();
  }
}

/** Scrolls through a page once where something waits for that. True when it did. */
export async function scrollThrough(page: Page, maxMs: number): Promise<boolean> {
  if (maxMs <= 0 || !(await look(page)).isWatched) return false;
  const height = page.viewportSize()?.height ?? 800;
  const limits = {
    maxPixels: maxScreens * height,
    maxGrowth: maxGrowthScreens * height,
    maxMs: Math.min(walkMs, maxMs),
  };
  const walking = page
    .context()
    .newCDPSession(page)
    .then(async (session) => {
      const world = await openWorld(session);
      await world.run(walkThrough, limits);
      await session.detach();
      return true;
    });
  await orFalse(
    walking.catch(() => true),
    limits.maxMs + graceMs,
  );
  return true;
}
