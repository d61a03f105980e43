// The one form in which a model names an agent's next step. It is made of what this server can do and what the caller allows;
// nothing that a page says gets into it.
import { scalarText } from "../../base/index.ts";
import type { Check, Problem } from "../../llm/index.ts";
import { actionsPerStep, actionTypes, type BrowserAction } from "./browser-step.ts";

export const allTools = ["search", "map", "scrape", "act", "extract", "finish"] as const;
export type Tool = (typeof allTools)[number];

export interface Decision {
  tool: Tool;
  reason: string;
  query: string;
  urls: string[];
  actions: BrowserAction[];
}

/** Pages of one step. */
const pagesPerStep = 5;
const longestReason = 500;
/** As long as that of a search. */
const longestQuery = 500;

const toolWords: Record<Tool, string> = {
  search: "search: search the web for `query`; returns URLs",
  map: "map: list the URLs of the site of `urls[0]`, best for `query` first",
  scrape: `scrape: read the pages \`urls\`, at most ${pagesPerStep}`,
  act:
    "act: open the page `urls[0]` in a browser, do `actions` on it in their order, and read it then; without actions only list " +
    "what can be clicked or filled on it",
  extract: "extract: fill the wanted fields from the pages read so far, to see what is missing",
  finish: "finish: the pages read so far hold what is wanted, or nothing more can be found",
};

const actionForm = {
  type: "object",
  properties: {
    type: { type: "string", enum: actionTypes },
    element: { type: "integer", description: "Number of the element in the page's list; with click and write" },
    text: { type: "string", description: "What to write" },
    key: { type: "string", description: "Key to press, such as Enter" },
  },
  required: ["type"],
};

export function stepForm(tools: readonly Tool[]) {
  const actions = { type: "array", items: actionForm, description: `With act, at most ${actionsPerStep}` };
  return {
    type: "object",
    properties: {
      reason: { type: "string", description: "Why this step is the next one, in one sentence" },
      tool: { type: "string", enum: tools, description: tools.map((tool) => toolWords[tool]).join(". ") },
      query: { type: "string", description: "Words to search for; with search and map" },
      urls: {
        type: "array",
        items: { type: "string" },
        description: "URLs, exactly as they are listed; with scrape, map and act",
      },
      ...(tools.includes("act") ? { actions } : {}),
    },
    required: ["reason", "tool"],
  };
}

export function checkStep(tools: readonly Tool[]): Check {
  return (value) => {
    const { tool, query, urls } = readStep(value);
    const wrong = (name: string, message: string): Problem => ({ path: [name], kind: "wrong", message });
    if (!tools.includes(tool)) return [wrong("tool", `must be one of ${tools.join(", ")}`)];
    if (tool === "search" && query === "") return [wrong("query", "must be words to search for")];
    if (["scrape", "map", "act"].includes(tool) && urls.length === 0) {
      return [wrong("urls", "must name at least one listed URL")];
    }
    return [];
  };
}

/** A step without a tool that exists cannot be done. */
export function readStep(value: unknown): Decision {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const text = (name: string, most: number) => scalarText(fields[name]).trim().slice(0, most);
  const urls = Array.isArray(fields.urls) ? fields.urls.filter((url) => typeof url === "string") : [];
  return {
    tool: fields.tool as Tool,
    reason: text("reason", longestReason),
    query: text("query", longestQuery),
    urls: urls.map((url) => url.trim()).slice(0, pagesPerStep),
    actions: (Array.isArray(fields.actions) ? fields.actions : []).slice(0, actionsPerStep).flatMap(readAction),
  };
}

function readAction(value: unknown): BrowserAction[] {
  const { type, element, text, key } = (value ?? {}) as Record<string, unknown>;
  const known = actionTypes.find((each) => each === type);
  if (known === undefined) return [];
  return [{ type: known, element: Number(scalarText(element)), text: scalarText(text), key: scalarText(key) }];
}
