// What is done on a page before it is read: a flow, then actions. Windows that they open may become the page.
import type { BrowserContext, Page, Request } from "playwright-core";
import { type InterceptOptions, intercept } from "./intercept.ts";
import { runActions } from "./perform-actions.ts";
import type { ActionResults, RenderRequest } from "./render.ts";
import { runFlow } from "./run-flow.ts";
import type { Tab, VisitedTabs } from "./visited-tabs.ts";
import { noteUrl } from "./wait-until-settled.ts";
import { followWindows } from "./windows.ts";

const actionSettleMs = 1500;
const reloadMs = 10_000;

interface StepWork {
  first: Page;
  request: RenderRequest;
  context: BrowserContext;
  tabs: VisitedTabs;
  rules: InterceptOptions;
  endsAt: number;
  maxHtmlLength: number;
  failing(error: unknown): unknown;
  settleAgain(): Promise<void>;
  settleOn(tab: Tab): Promise<void>;
  settleLong(tab: Tab): Promise<void>;
}

export async function takeSteps(work: StepWork): Promise<ActionResults> {
  const { first, request, context, tabs, rules, endsAt, maxHtmlLength, settleAgain, settleLong } = work;
  const { options, flow } = request;
  if (options.actions.length === 0 && flow === undefined)
    return { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  const opened = [first];
  context.on("request", (asked) => noteUrl(tabs.urls, asked));
  const windows = followWindows(first, async (window, { request: asked, response }) => {
    Object.assign(tabs.track(window).documents, {
      latest: response,
      askedUrl: asked?.url() ?? null,
      failure: asked?.failure()?.errorText ?? null,
    });
    const isAdmitted = await admit(window, asked, rules);
    if (isAdmitted) opened.push(window);
    return isAdmitted;
  });
  tabs.follow(windows);
  if (flow !== undefined) {
    const settle = (page: Page) => work.settleOn(tabs.tabOf(page));
    tabs.endOn(await runFlow({ flow, pages: opened, windows, settle, endsAt, signal: request.signal }));
    if (flow.mode === "before") {
      tabs.endOn(first);
      await first.goto(request.url, { waitUntil: "domcontentloaded" }).catch((error: unknown) => {
        throw work.failing(error);
      });
    }
  }
  const actions = await runActions({ actions: options.actions, windows, maxHtmlLength, endsAt, settle: settleAgain });
  await settleLong(tabs.current());
  // On a busy machine a window may come after the step that opened it.
  const before = tabs.current();
  await windows.follow(actionSettleMs);
  if (tabs.current() !== before) await settleLong(tabs.current());
  return actions;
}

/** Whether a window may be the page. What it was opened with has passed the proxy; from here on its requests are looked at. */
async function admit(window: Page, request: Request | null, rules: InterceptOptions): Promise<boolean> {
  const { adBlocker, headers, allows, mayFollow, origin } = rules;
  const url = request?.url() ?? window.url();
  const isRefused =
    allows?.(url) === false ||
    adBlocker?.blocks(url, "Document", window.url()) === true ||
    (mayFollow !== null && !(await mayFollow(url)));
  if (isRefused && /^https?:/.test(url)) return false;
  await intercept(window, rules, true);
  const isOwn = URL.canParse(url) && new URL(url).origin === origin;
  if (isOwn && Object.keys(headers).length > 0 && request?.method() === "GET") {
    await window.reload({ waitUntil: "domcontentloaded", timeout: reloadMs }).catch(() => undefined);
  }
  return true;
}
