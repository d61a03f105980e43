// Verbs for the page, its windows, its storage and what it asks.
import type { BrowserContext, Page } from "playwright-core";
import { takeScreenshot } from "../../browser/take-screenshot.ts";
import { settle, trackRequests } from "../../browser/wait-until-settled.ts";
import { followWindows } from "../../browser/windows.ts";
import { takeSnapshot } from "./snapshot.ts";
import { at, need, placeOf, readFlags, readUrl, VerbFailure, type VerbTarget } from "./verb-target.ts";
import { pictureMark } from "./work.ts";

type PageVerb = (target: VerbTarget, words: string[]) => Promise<string | null>;

const scrollPixels = 600;
const maxWaitMs = 300_000;
const settleMs = 1500;
const loadStates = ["load", "domcontentloaded", "networkidle"] as const;
const mostSide = 4096;

export const pageVerbs: Record<string, PageVerb> = {
  async open({ page }, words) {
    await page.goto(readUrl(words), { waitUntil: "load" });
    return null;
  },
  async back({ page }) {
    await page.goBack({ waitUntil: "load" });
    return null;
  },
  async forward({ page }) {
    await page.goForward({ waitUntil: "load" });
    return null;
  },
  async reload({ page }) {
    await page.reload({ waitUntil: "load" });
    return null;
  },
  async press({ page }, [key]) {
    await page.keyboard.press(need(key, "which key"));
    return null;
  },
  async eval({ page }, words) {
    const value: unknown = await page.evaluate(need(words.join(" "), "which code"));
    return JSON.stringify(value) ?? "null";
  },
  async snapshot(target, words) {
    const { text, refs } = await takeSnapshot(target.protocol, words.includes("-i"));
    target.refs = refs;
    return text;
  },
  async screenshot({ page, pictures }, words) {
    const fullPage = words.some((word) => word === "--full" || word === "-f");
    const tracker = trackRequests(page);
    const picture = await takeScreenshot(page, { fullPage }, () => settle(page, tracker, settleMs));
    pictures.push(picture.toString("base64"));
    return pictureMark;
  },
  async pdf({ page, pictures }) {
    pictures.push((await page.pdf({ printBackground: true })).toString("base64"));
    return pictureMark;
  },
  wait,
  scroll,
  tab,
  cookies,
  storage,
  async frame(target, [where]) {
    const selector = need(where, "which frame, or main");
    if (selector === "main") {
      target.frame = null;
      return null;
    }
    await target.page.frameLocator(selector).locator(":root").first().waitFor({ state: "attached" });
    target.frame = selector;
    return null;
  },
  async dialog(target, [what, ...words]) {
    if (what !== "accept" && what !== "dismiss") throw new VerbFailure("dialog takes accept or dismiss");
    target.dialog = what === "accept" ? { accept: true, text: words.join(" ") } : { accept: false, text: "" };
    return null;
  },
  async set({ page }, [what, ...sides]) {
    const [width = 0, height = 0] = sides.map(Number);
    const fits = [width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= mostSide);
    if (what !== "viewport" || !fits)
      throw new VerbFailure(`set takes viewport, a width and a height up to ${mostSide}`);
    await page.setViewportSize({ width, height });
    return null;
  },
  /** The session goes on, with one empty page. */
  async close(target) {
    const { context } = target;
    const before = context.pages();
    await showPage(target, await context.newPage());
    for (const page of before) await page.close();
    return null;
  },
};

export async function showPage(target: VerbTarget, page: Page): Promise<void> {
  target.windows = followWindows(page);
  target.page = page;
  target.protocol = await target.context.newCDPSession(page);
  target.frame = null;
  await page.bringToFront();
}

async function wait(target: VerbTarget, words: string[]): Promise<null> {
  const { page } = target;
  const { flags, rest } = readFlags(words, ["--load", "--text", "--url", "--fn"], []);
  const [what] = rest;
  for (const [flag, text] of flags) {
    if (flag === "--text") await placeOf(target).getByText(text).first().waitFor({ state: "visible" });
    else if (flag === "--url") await page.waitForURL(text, { waitUntil: "commit" });
    else if (flag === "--fn") await page.waitForFunction(text);
    else {
      const state = loadStates.find((each) => each === text);
      if (state === undefined) throw new VerbFailure(`--load takes ${loadStates.join(", ")}`);
      await page.waitForLoadState(state);
    }
  }
  if (flags.size > 0 && what === undefined) return null;
  const place = need(what, "how long, or for what");
  if (/^\d+$/.test(place)) await page.waitForTimeout(Math.min(Number(place), maxWaitMs));
  else await at(target, place, (element) => element.waitFor({ state: "visible" }));
  return null;
}

async function scroll({ page }: VerbTarget, [direction = "down", distance]: string[]): Promise<null> {
  const pixels = distance === undefined ? scrollPixels : Number(distance);
  const way = { down: [0, 1], up: [0, -1], right: [1, 0], left: [-1, 0] }[direction];
  if (way === undefined || !Number.isFinite(pixels)) {
    throw new VerbFailure("scroll takes up, down, left or right, and a number of pixels");
  }
  await page.evaluate(([x, y]) => window.scrollBy(x ?? 0, y ?? 0), [(way[0] ?? 0) * pixels, (way[1] ?? 0) * pixels]);
  return null;
}

async function tab(target: VerbTarget, [what, given]: string[]): Promise<string | null> {
  const { context } = target;
  const pages = context.pages();
  const numbered = (text: string | undefined): Page => {
    const page = /^\d+$/.test(text ?? "") ? pages[Number(text)] : undefined;
    if (page === undefined) throw new VerbFailure(`there is no tab ${text}: there are ${pages.length}, counted from 0`);
    return page;
  };
  if (what === undefined) {
    const lines = pages.map(async (page, place) => {
      const mark = page === target.page ? "*" : " ";
      return `${mark} [${place}] ${(await page.title()).replace(/\s+/g, " ")} ${page.url()}`;
    });
    return (await Promise.all(lines)).join("\n");
  }
  if (what === "new") {
    const url = given === undefined ? null : readUrl([given]);
    await showPage(target, await context.newPage());
    if (url !== null) await target.page.goto(url, { waitUntil: "load" });
    return null;
  }
  if (what !== "close") {
    await showPage(target, numbered(what));
    return null;
  }
  const closing = given === undefined ? target.page : numbered(given);
  const left = pages.filter((page) => page !== closing).at(-1);
  if (closing === target.page) await showPage(target, left ?? (await context.newPage()));
  await closing.close();
  return null;
}

async function cookies({ context, page }: VerbTarget, [what, name, ...value]: string[]): Promise<string | null> {
  if (what === undefined) return JSON.stringify(await context.cookies());
  if (what === "clear") await context.clearCookies();
  else if (what === "set") {
    const cookie = { name: need(name, "the cookie's name"), value: value.join(" "), url: page.url() };
    if (!/^https?:/.test(cookie.url)) throw new VerbFailure("open a page first: the cookie is for its site");
    await (context as BrowserContext).addCookies([cookie]);
  } else throw new VerbFailure("cookies takes set or clear, or nothing");
  return null;
}

async function storage({ page }: VerbTarget, [kind, what, key, ...value]: string[]): Promise<string | null> {
  if (kind !== "local" && kind !== "session") throw new VerbFailure("storage takes local or session");
  if (what !== undefined && !["set", "clear"].includes(what)) throw new VerbFailure("storage takes set or clear");
  const asked = { kind, what: what ?? "", key: what === "set" ? need(key, "which key") : "", value: value.join(" ") };
  const entries = await page.evaluate((given) => {
    const held = given.kind === "local" ? window.localStorage : window.sessionStorage;
    if (given.what === "clear") held.clear();
    if (given.what === "set") held.setItem(given.key, given.value);
    return Object.entries(held);
  }, asked);
  return what === undefined ? JSON.stringify(Object.fromEntries(entries)) : null;
}
