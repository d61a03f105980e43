// The one form in which a model names an agent's next step. It is made of what this server can do and what the caller allows;
// nothing that a page says gets into it.
import type { Check, Problem } from "../../llm/index.ts";

export const allTools = ["search", "map", "scrape", "extract", "finish"] as const;
export type Tool = (typeof allTools)[number];

export interface Decision {
  tool: Tool;
  reason: string;
  query: string;
  urls: string[];
}

/** Pages of one step. */
export const pagesPerStep = 5;
const longestReason = 500;
/** As long as that of a search. */
const longestQuery = 500;

const toolWords: Record<Tool, string> = {
  search: "search: look on the web for `query`; answers addresses",
  map: "map: list the addresses of the site of `urls[0]`, best for `query` first",
  scrape: `scrape: read the pages \`urls\`, at most ${pagesPerStep}`,
  extract: "extract: fill the wanted fields from the pages read so far, to see what is missing",
  finish: "finish: the pages read so far hold what is wanted, or nothing more can be found",
};

export function stepForm(tools: readonly Tool[]) {
  return {
    type: "object",
    properties: {
      reason: { type: "string", description: "Why this step is the next one, in one sentence" },
      tool: { type: "string", enum: tools, description: tools.map((tool) => toolWords[tool]).join(". ") },
      query: { type: "string", description: "Words to search for; with search and map" },
      urls: {
        type: "array",
        items: { type: "string" },
        description: "Addresses, exactly as they are listed; with scrape and map",
      },
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
    if ((tool === "scrape" || tool === "map") && urls.length === 0) {
      return [wrong("urls", "must name at least one listed address")];
    }
    return [];
  };
}

/** A step without a tool that exists cannot be done. */
export function readStep(value: unknown): Decision {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const text = (name: string, most: number) =>
    String(fields[name] ?? "")
      .trim()
      .slice(0, most);
  const urls = Array.isArray(fields.urls) ? fields.urls.filter((url) => typeof url === "string") : [];
  return {
    tool: fields.tool as Tool,
    reason: text("reason", longestReason),
    query: text("query", longestQuery),
    urls: urls.map((url) => url.trim()).slice(0, pagesPerStep),
  };
}
