// Makes a page whole before it is read: a page that only leads to another one is waited out, and what loads late is shown
// once so that it loads. Pages that do neither cost one look.

import type { Page } from "playwright-core";
import { openWorld, sessionOf } from "./isolated-world.ts";
import { lookAtPage, type PageLook, type Walk, type Walked, walkThrough } from "./page-scripts.ts";
import { notesKey } from "./read-html.ts";
import { orElse, pauseFor } from "./wait-until-settled.ts";

/** On a busy machine even a quick script takes a while; a page that does not answer gets this much of the time. */
const lookMs = 2500;
const lookEveryMs = 150;
/** A challenge may lead to the next one. */
const maxChallenges = 3;
const surelyMs = 8000;
const perhapsMs = 4000;
/** The statuses with which servers send challenges. */
const challengeStatuses = new Set([202, 401, 403, 405, 429, 503]);

const maxScreens = 30;
const maxGrowthScreens = 5;
/** A page that does not let our script end has its time and no more. */
const graceMs = 1000;
const growthMs = 300;
const usualScreen = 800;

const plain: PageLook = { leadsOn: "no", isWatched: false };

async function look(page: Page): Promise<PageLook> {
  const looking = page.evaluate(lookAtPage, notesKey).catch(() => plain);
  return orElse(looking, lookMs, plain);
}

export interface ChallengeWait {
  /** Of the document that the page shows now. */
  status(): number;
  /** How often the page went to another document. */
  navigations(): number;
  settle(): Promise<void>;
  maxMs: number;
}

/** A challenge that a browser passes by itself needs only time: until the page navigates or changes. */
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

/**
 * Scrolls through a page once where something waits for that; then it is where it was. `settle` waits for what the page
 * loads because it was shown, a short while: more of the page may have come by then.
 */
export async function scrollThrough(page: Page, settle: () => Promise<void>, maxMs: number): Promise<void> {
  if (maxMs <= 0 || !(await look(page)).isWatched) return;
  const until = performance.now() + maxMs;
  const left = () => Math.max(0, until - performance.now());
  const screen = page.viewportSize()?.height ?? usualScreen;
  const maxGrowth = maxGrowthScreens * screen;
  const session = await sessionOf(page);
  const walk = async (given: Pick<Walk, "from" | "end" | "growthMs" | "after">): Promise<Walked | null> => {
    // The page may have gone to another document since the last walk.
    const limits = { maxGrowth, maxMs: left() };
    const walking = openWorld(session).then((world) => world.run(walkThrough, { ...given, ...limits }));
    return orElse(
      walking.catch(() => null),
      left() + graceMs,
      null,
    );
  };
  const first = await walk({ from: 0, end: maxScreens * screen, growthMs, after: "stay" });
  await settle();
  if (first === null) return;
  const end = Math.min(maxScreens * screen, first.height + maxGrowth);
  for (let before: Walked = first; before.at < end && left() > 0; ) {
    const next = await walk({ from: before.at, end, growthMs: 0, after: "stay" });
    if (next === null || next.at === before.at) break;
    before = next;
    await settle();
  }
  await walk({ from: 0, end: 0, growthMs: 0, after: first.home });
}
