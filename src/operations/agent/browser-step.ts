// A step in a browser: a known page is opened, a few things are done on it, and it is read as it is then. The model names
// elements by their numbers in a list of ours, so it can use nothing that was not shown to it, and no link to elsewhere.

import { scalarText } from "../../base/index.ts";
import { type Action, type Document, scrapeOptions } from "../../contract/index.ts";
import { type PageControl, type StepRecord, urlKey } from "../../jobs/index.ts";
import type { TaskKind } from "../../store/index.ts";
import type { AgentStep, Progress } from "./agent-progress.ts";

export const actionTypes = ["click", "write", "press", "scroll", "wait"] as const;

/** As the model says it. */
export interface BrowserAction {
  type: (typeof actionTypes)[number];
  /** Its number in the list of the page. */
  element: number;
  text: string;
  key: string;
}

export const actionsPerStep = 10;
const waitMs = 1000;
const maxControls = 60;
const longestControl = 100;

/** Lists what can be clicked or filled. Links lead to other pages, which are read by their URLs. */
const controlsScript = `(() => {
  const found = [];
  const all = "button, input, select, textarea, summary, [role=button], [role=tab], [role=checkbox], a";
  const pathOf = (element) => {
    const parts = [];
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      if (at.id && document.querySelectorAll("#" + CSS.escape(at.id)).length === 1) {
        parts.unshift("#" + CSS.escape(at.id));
        return parts.join(" > ");
      }
      const same = [...(at.parentElement?.children ?? [])].filter((each) => each.localName === at.localName);
      parts.unshift(at.localName + ":nth-of-type(" + (same.indexOf(at) + 1) + ")");
    }
    return parts.join(" > ");
  };
  for (const element of document.querySelectorAll(all)) {
    if (found.length === ${maxControls}) break;
    if (element.localName === "a" && /^(?!#|javascript:)./i.test(element.getAttribute("href") ?? "")) continue;
    if (element.type === "hidden" || element.disabled || !element.checkVisibility()) continue;
    const label = element.labels?.[0]?.innerText || element.innerText || element.getAttribute("aria-label") ||
      element.placeholder || element.name || element.value || "";
    found.push({ selector: pathOf(element), text: (element.localName + " " + label).trim() });
  }
  return JSON.stringify(found);
})()`;

/** The step with what its model wants done on the page, and the list of what can be done then. */
export function inBrowser<Kind extends TaskKind>(
  step: AgentStep<Kind>,
  { actions = [] }: Partial<StepRecord>,
): AgentStep<Kind> {
  const { settings } = step.context;
  const script = { type: "executeJavascript", script: controlsScript } as const;
  const options = scrapeOptions.parse({ formats: [], actions: [...actions, script] });
  return { ...step, context: { ...step.context, settings: { ...settings, scrapeOptions: options } } };
}

/** What a page says of itself is read as it comes: a page that lies gets a list that is of no use. */
export function controlsOf({ actions }: Document): PageControl[] {
  const value = actions?.javascriptReturns?.at(-1)?.value;
  try {
    const list: unknown = JSON.parse(scalarText(value));
    if (!Array.isArray(list)) return [];
    return list.slice(0, maxControls).flatMap(({ selector, text }) =>
      typeof selector === "string" && selector.length <= 1000
        ? [
            {
              selector,
              text: scalarText(text).replace(/\s+/g, " ").slice(0, longestControl),
            },
          ]
        : [],
    );
  } catch {
    return [];
  }
}

/** Of the latest look at a page in a browser. */
export function knownControls({ pages }: Progress, url: string): PageControl[] {
  const key = urlKey(url);
  return (
    pages.findLast(({ sourceUrl, controls }) => controls !== undefined && urlKey(sourceUrl) === key)?.controls ?? []
  );
}

/** Null when one of them cannot be done. */
export function toActions(wanted: readonly BrowserAction[], controls: readonly PageControl[]): Action[] | null {
  const actions: Action[] = [];
  for (const { type, element, text, key } of wanted) {
    const control = controls[element - 1];
    if (type === "scroll") actions.push({ type, direction: "down" });
    else if (type === "wait") actions.push({ type, milliseconds: waitMs });
    else if (type === "press") {
      if (key === "") return null;
      actions.push({ type, key });
    } else {
      if (!control) return null;
      actions.push({ type: "click", selector: control.selector, all: false });
      if (type === "write") actions.push({ type, text });
    }
  }
  return actions;
}
