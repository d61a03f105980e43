// Steps on a page before it is read.

import type { Page } from "playwright-core";
import type { Action } from "../../contract/index.ts";
import { scrollElement, scrollPage, writeValue } from "./page-scripts.ts";
import { openReader, readHtml } from "./read-html.ts";
import type { ActionFailure, ActionResults } from "./render.ts";
import { takeScreenshot } from "./take-screenshot.ts";
import { isCrash, VisitFailure } from "./visit-failure.ts";
import { orElse, pauseFor } from "./wait-until-settled.ts";
import type { Windows } from "./windows.ts";

export interface ActionsOptions {
  actions: readonly Action[];
  /** Which page the steps are done on; a step may change it. */
  windows: Windows;
  maxHtmlLength: number;
  /** When the whole request ends, by performance.now(). */
  endsAt: number;
  /** Waits until a step's consequences are there on the page of now, a short while. */
  settle(): Promise<void>;
}

const selectorMs = 30_000;
const clickMs = 10_000;
const maxClicks = 200;
/** Longer texts are put in at once: a key stroke each would take minutes. */
const maxTypedLength = 500;
const maxValueLength = 10 * 1024 * 1024;
const momentMs = 3000;
/** Time that is left of a request when a step is given up, so that the failure can still be reported. */
const tellingMs = 2000;
const shortestMs = 250;
/** Playwright says best why a step did not end. */
const graceMs = 500;

const keys = "Enter Tab Escape Backspace Delete Space Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight";
/** Names as people write them. */
const keyNames = new Map([
  ...keys.split(" ").map((key) => [key.toLowerCase(), key] as const),
  ["return", "Enter"],
  ["esc", "Escape"],
]);

/** Throws a VisitFailure that names the step which failed. */
export async function runActions(options: ActionsOptions): Promise<ActionResults> {
  const { actions, endsAt, windows } = options;
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  const within = (most: number) => Math.max(shortestMs, Math.min(most, endsAt - performance.now() - tellingMs));
  for (const [index, action] of actions.entries()) {
    const { page } = windows;
    const done = perform(page, action, results, options, within).catch((error: unknown) => {
      // A window that closes itself at a click, as those for signing in do, has taken it.
      if (!page.isClosed() || windows.page === page || !(action.type === "click" || action.type === "press"))
        throw error;
    });
    const followed = done.then(async () => {
      await windows.follow(within(clickMs));
      if (windows.page !== page) await options.settle();
    });
    try {
      await unlessLate(followed, within(Number.POSITIVE_INFINITY) + graceMs);
    } catch (error) {
      throw isCrash(error) ? error : await describe(page, index, action, error);
    }
  }
  return results;
}

async function perform(
  page: Page,
  action: Action,
  results: ActionResults,
  options: ActionsOptions,
  within: (most: number) => number,
): Promise<void> {
  switch (action.type) {
    case "wait":
      if (action.milliseconds !== undefined) await pauseFor(action.milliseconds);
      else await first(page, action.selector ?? "").waitFor({ state: "visible", timeout: within(selectorMs) });
      return;
    case "click":
      if (action.all) await clickAll(page, action.selector, () => within(clickMs));
      else await first(page, action.selector).click({ timeout: within(clickMs) });
      return options.settle();
    case "write":
      if (action.text.length <= maxTypedLength) await page.keyboard.type(action.text);
      else await page.keyboard.insertText(action.text);
      return;
    case "press":
      await page.keyboard.press(keyNames.get(action.key.toLowerCase()) ?? action.key);
      return options.settle();
    case "scroll":
      if (action.selector === undefined) await page.evaluate(scrollPage, action.direction === "up");
      else {
        const timeout = within(clickMs);
        await first(page, action.selector).evaluate(scrollElement, action.direction === "up", { timeout });
      }
      return options.settle();
    case "screenshot":
      results.screenshots.push(await takeScreenshot(page, action, options.settle));
      return;
    case "scrape": {
      const { maxHtmlLength, endsAt } = options;
      const html = await readHtml(await openReader(page), { maxLength: maxHtmlLength, endsAt });
      results.scrapes.push({ url: page.url(), html });
      return;
    }
    case "executeJavascript":
      results.javascriptReturns.push(await execute(page, action.script));
      return options.settle();
    case "pdf": {
      const { format, landscape, scale } = action;
      results.pdfs.push(await page.pdf({ format, landscape, scale, printBackground: true }));
    }
  }
}

/** The first that can be seen: pages often hold a second, hidden copy of what they show, for windows of another size. */
function first(page: Page, selector: string) {
  return seen(page, selector).first();
}

function seen(page: Page, selector: string) {
  return page.locator(`css=${selector} >> visible=true`);
}

async function clickAll(page: Page, selector: string, timeLeft: () => number): Promise<void> {
  await first(page, selector).waitFor({ timeout: timeLeft() });
  // Held as they are now: a click may take its own element, or others, away.
  const matches = await seen(page, selector).elementHandles();
  for (const match of matches.slice(0, maxClicks)) {
    if (await match.isVisible()) await match.click({ timeout: timeLeft() });
  }
}

async function unlessLate(work: Promise<void>, ms: number): Promise<void> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  const isLate = await orElse(
    work.then(() => false),
    ms,
    true,
  );
  if (isLate) throw new Error("it timed out");
}

interface EvaluateAnswer {
  result: {
    type: string;
    objectId?: string;
    value?: unknown;
    unserializableValue?: string;
    description?: string;
  };
  exceptionDetails?: { text: string; exception?: { className?: string; description?: string } };
}

/** Through the protocol and not by eval, which a page may forbid. A program may end in a value or in `return`. */
async function execute(page: Page, script: string): Promise<{ type: string; value: unknown }> {
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string): Promise<EvaluateAnswer> => {
    const how = { expression, replMode: true, awaitPromise: true, userGesture: true };
    const answer = await session.send("Runtime.evaluate", how);
    const { subtype, objectId } = answer.result;
    if (answer.exceptionDetails !== undefined || objectId === undefined || subtype !== "promise") return answer;
    // A promise that is the script's value is not awaited by the above.
    return session.send("Runtime.awaitPromise", { promiseObjectId: objectId });
  };
  /** As JSON where it can be written so, else as its text. */
  const write = async (objectId: string): Promise<unknown> => {
    const how = { objectId, functionDeclaration: String(writeValue), returnByValue: true };
    const { result } = await session.send("Runtime.callFunctionOn", how);
    const { json, text } = result.value as ReturnType<typeof writeValue>;
    if (json.length > maxValueLength) throw new Error("The returned value is too large");
    return json === "" ? text : JSON.parse(json);
  };
  try {
    let answer = await evaluate(script);
    const { exception } = answer.exceptionDetails ?? {};
    if (exception?.className === "SyntaxError" && /return/.test(exception.description ?? "")) {
      answer = await evaluate(`(async () => {\n${script}\n})()`);
    }
    if (answer.exceptionDetails !== undefined) {
      const { text, exception: thrown } = answer.exceptionDetails;
      throw new Error(thrown?.description?.split("\n")[0] ?? text);
    }
    const { type, value, unserializableValue, objectId, description } = answer.result;
    if (type === "symbol") return { type, value: description };
    if (objectId !== undefined) return { type, value: await write(objectId) };
    if (unserializableValue !== undefined) return { type, value: unserializableValue.replace(/n$/, "") };
    if (typeof value === "string" && value.length > maxValueLength) throw new Error("The returned value is too large");
    return { type, value: value ?? null };
  } finally {
    await session.detach().catch(() => undefined);
  }
}

async function describe(page: Page, index: number, action: Action, error: unknown): Promise<VisitFailure> {
  if (error instanceof VisitFailure) return error;
  const failure: ActionFailure = { index, type: action.type };
  if ("selector" in action && action.selector !== undefined) failure.selector = action.selector;
  const screenshot = await page.screenshot({ type: "jpeg", quality: 60, timeout: momentMs }).catch(() => undefined);
  if (screenshot !== undefined) failure.screenshot = screenshot;
  const where = failure.selector === undefined ? "" : ` on "${failure.selector}"`;
  return new VisitFailure("SCRAPE_ACTION_ERROR", `Action ${index} (${action.type}${where}) failed: ${reason(error)}`, {
    action: failure,
  });
}

/** Why a step failed, in one line of Playwright's log. */
export function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split("\n")[0] ?? "";
  if (/Timeout .* exceeded/.test(line)) {
    const [, cover] = /- (<[^\n]{1,120}).*? intercepts pointer events/.exec(text) ?? [];
    if (cover !== undefined) return `another element covers it: ${cover.replace(/>.*/, ">")}`;
    if (/element is not enabled/.test(text)) return "the element is disabled";
    return "no matching element became usable in time";
  }
  if (/is not a valid selector|Unexpected token|while parsing (css )?selector/i.test(text)) {
    return "the selector is invalid";
  }
  return line.replace(/^[\w.]+: /, "").slice(0, 300);
}
