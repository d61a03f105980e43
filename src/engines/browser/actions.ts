// Steps on a page before it is read (API.md 2.3).
import type { Page } from "playwright-core";
import type { Action } from "../../contract/index.ts";
import { isCrash, VisitFailure } from "./failure.ts";
import { readTree, scrollBy } from "./page-scripts.ts";
import type { ActionFailure, ActionResults } from "./render.ts";
import { takeScreenshot } from "./screenshot.ts";
import { pause } from "./settle.ts";

export interface ActionsOptions {
  actions: readonly Action[];
  maxHtmlLength: number;
  /** When the whole request ends, by performance.now(). */
  endsAt: number;
  /** Waits until a step's consequences are there, a short while. */
  settle(): Promise<void>;
}

const selectorMs = 30_000;
const clickMs = 10_000;
const maxClicks = 200;
/** Longer texts are put in at once: a key stroke each would take minutes. */
const maxTypedLength = 500;
const maxValueLength = 10 * 1024 * 1024;
const momentMs = 3000;
/** What is left of a request's time when a step is given up, so that its failure can still be told. */
const tellingMs = 2000;
const shortestMs = 250;

/** Names as people write them. */
const keyNames: Record<string, string> = {
  enter: "Enter",
  return: "Enter",
  tab: "Tab",
  esc: "Escape",
  escape: "Escape",
  backspace: "Backspace",
  delete: "Delete",
  space: "Space",
  home: "Home",
  end: "End",
  pageup: "PageUp",
  pagedown: "PageDown",
  arrowup: "ArrowUp",
  arrowdown: "ArrowDown",
  arrowleft: "ArrowLeft",
  arrowright: "ArrowRight",
};

/** Throws a VisitFailure that names the step which failed. */
export async function runActions(page: Page, options: ActionsOptions): Promise<ActionResults> {
  const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  for (const [index, action] of options.actions.entries()) {
    try {
      await perform(page, action, results, options);
    } catch (error) {
      throw isCrash(error) ? error : await describe(page, index, action, error);
    }
  }
  return results;
}

async function perform(page: Page, action: Action, results: ActionResults, options: ActionsOptions): Promise<void> {
  const within = (most: number) => Math.max(shortestMs, Math.min(most, options.endsAt - performance.now() - tellingMs));
  switch (action.type) {
    case "wait":
      if (action.milliseconds !== undefined) await pause(action.milliseconds);
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
      await page.keyboard.press(keyNames[action.key.toLowerCase()] ?? action.key);
      return options.settle();
    case "scroll":
      if (action.selector !== undefined) await first(page, action.selector).waitFor({ timeout: within(clickMs) });
      await page.evaluate(scrollBy, { selector: action.selector ?? null, isUp: action.direction === "up" });
      return options.settle();
    case "screenshot":
      results.screenshots.push(await takeScreenshot(page, action));
      return;
    case "scrape":
      results.scrapes.push({ url: page.url(), html: await readHtml(page, options.maxHtmlLength) });
      return;
    case "executeJavascript":
      results.javascriptReturns.push(await execute(page, action.script));
      return options.settle();
    case "pdf": {
      const { format, landscape, scale } = action;
      results.pdfs.push(await page.pdf({ format, landscape, scale, printBackground: true }));
    }
  }
}

/** Throws when it is too long. */
export async function readHtml(page: Page, maxLength: number): Promise<string> {
  const html = await page.evaluate(readTree, maxLength);
  if (html !== null) return html;
  throw new VisitFailure("SCRAPE_PAGE_TOO_LARGE", "The rendered page is too large");
}

function first(page: Page, selector: string) {
  return page.locator(`css=${selector}`).first();
}

async function clickAll(page: Page, selector: string, timeLeft: () => number): Promise<void> {
  await first(page, selector).waitFor({ state: "attached", timeout: timeLeft() });
  const matches = await page.locator(`css=${selector}`).all();
  for (const match of matches.slice(0, maxClicks)) await match.click({ timeout: timeLeft() });
}

interface EvaluateAnswer {
  result: { type: string; value?: unknown; unserializableValue?: string };
  exceptionDetails?: { text: string; exception?: { className?: string; description?: string } };
}

/** Through the protocol and not by eval, which a page may forbid. A program may end in a value or in `return`. */
async function execute(page: Page, script: string): Promise<{ type: string; value: unknown }> {
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string): Promise<EvaluateAnswer> => {
    const how = { expression, replMode: true, awaitPromise: true, userGesture: true };
    const answer = await session.send("Runtime.evaluate", how);
    const { type, subtype, objectId } = answer.result;
    if (answer.exceptionDetails !== undefined || objectId === undefined || type !== "object") return answer;
    // A promise that is the script's value is not awaited by the above.
    if (subtype === "promise") {
      return session.send("Runtime.awaitPromise", { promiseObjectId: objectId, returnByValue: true });
    }
    const functionDeclaration = "function () { return this; }";
    return session.send("Runtime.callFunctionOn", { objectId, functionDeclaration, returnByValue: true });
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
    const { type, value, unserializableValue } = answer.result;
    if (unserializableValue !== undefined) return { type, value: unserializableValue.replace(/n$/, "") };
    if (JSON.stringify(value ?? null).length > maxValueLength) throw new Error("The returned value is too large");
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

/** Playwright tells its whole log; the first line says it. */
function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.split("\n")[0] ?? "";
  if (/Timeout .* exceeded/.test(line)) return "no such element could be used in time";
  if (/is not a valid selector|Unexpected token|while parsing (css )?selector/i.test(text)) {
    return "the selector cannot be read";
  }
  return line.replace(/^[\w.]+: /, "").slice(0, 300);
}
