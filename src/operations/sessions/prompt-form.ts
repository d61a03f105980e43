// The one form in which a model names what to do next on a session's page: elements by the numbers of the latest look at it, and
// no URLs, so that it goes only where the page itself leads.
import { scalarText } from "../../base/index.ts";
import type { Check, Problem } from "../../llm/index.ts";

const tools = ["click", "type", "press", "scroll", "read", "finish"] as const;

export interface PageStep {
  tool: (typeof tools)[number];
  element: number;
  text: string;
  key: string;
  answer: string;
}

const keyName = /^[A-Za-z0-9+]{1,40}$/;
const longestText = 2000;
const longestAnswer = 10_000;

export const pageForm = {
  type: "object",
  properties: {
    tool: {
      type: "string",
      enum: tools,
      description:
        "click: press the element. type: put `text` into the element. press: press `key`, such as Enter. scroll: go down one " +
        "screen. read: read the whole text of the page. finish: everything is done, or cannot be done; `answer` says so.",
    },
    element: { type: "integer", description: "Number of the element: 3 for [ref=e3]; with click and type" },
    text: { type: "string", description: "With type" },
    key: { type: "string", description: "With press" },
    answer: { type: "string", description: "With finish: what was done, or the answer to the question, for the user" },
  },
  required: ["tool"],
};

/** `shown`: the page as the model sees it. */
export function checkPageStep(shown: string): Check {
  return (value) => {
    const { tool, element, key, answer } = readPageStep(value);
    const wrong = (name: string, message: string): Problem => ({ path: [name], kind: "wrong", message });
    if (!tools.includes(tool)) return [wrong("tool", `must be one of ${tools.join(", ")}`)];
    if ((tool === "click" || tool === "type") && !shown.includes(`[ref=e${element}]`)) {
      return [wrong("element", "must be the number of an element of the page")];
    }
    if (tool === "press" && !keyName.test(key)) return [wrong("key", "must be the name of a key")];
    return tool === "finish" && answer === "" ? [wrong("answer", "must say what was done")] : [];
  };
}

export function readPageStep(value: unknown): PageStep {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  return {
    tool: fields.tool as PageStep["tool"],
    element: Number(scalarText(fields.element)),
    text: scalarText(fields.text).slice(0, longestText),
    key: scalarText(fields.key),
    answer: scalarText(fields.answer).trim().slice(0, longestAnswer),
  };
}

/** As a line of verbs, which no shell reads. */
export function verbOf({ tool, element, text, key }: PageStep): string {
  switch (tool) {
    case "click":
      return `agent-browser click @e${element}`;
    case "type":
      return `agent-browser fill @e${element} ${quote(text)}`;
    case "press":
      return `agent-browser press ${key}`;
    default:
      return "agent-browser scroll down";
  }
}

function quote(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}
