// Which tools of MCP a client wants: names of tools and of presets, which several faces read alike.
import { refusedField, splitList } from "../../base/index.ts";

export const toolNames = [
  "scrape",
  "batch_scrape",
  "map",
  "search",
  "crawl",
  "crawl_status",
  "extract",
  "parse",
  "agent",
  "agent_status",
  "browser_create",
  "browser_execute",
  "browser_list",
  "browser_delete",
  "monitor_create",
  "monitor_list",
  "monitor_get",
  "monitor_update",
  "monitor_delete",
  "monitor_run",
  "monitor_checks",
  "monitor_check",
  "activity",
  "credit_usage",
] as const;

export type ToolName = (typeof toolNames)[number];

export const toolPresets: Readonly<Record<string, readonly ToolName[]>> = {
  minimal: ["search", "scrape"],
  research: ["search", "scrape", "map", "extract"],
  site: ["scrape", "map", "batch_scrape", "crawl", "crawl_status"],
  browser: ["browser_create", "browser_execute", "browser_list", "browser_delete", "scrape"],
  monitor: toolNames.filter((name) => name.startsWith("monitor_")),
  all: toolNames,
};

/** The tools that a list leaves of those that are there; throws for a name that is unknown. `-name` takes away. */
export function readToolList(list: string, from: readonly ToolName[] = toolNames): readonly ToolName[] {
  const words = splitList(list);
  const isAway = (word: string) => word.startsWith("-");
  const wanted = new Set<ToolName>(words.every(isAway) ? toolNames : []);
  for (const word of words.filter((each) => !isAway(each))) for (const name of namedBy(word)) wanted.add(name);
  for (const word of words.filter(isAway)) for (const name of namedBy(word.slice(1))) wanted.delete(name);
  return from.filter((name) => wanted.has(name));
}

function namedBy(word: string): readonly ToolName[] {
  const preset = Object.hasOwn(toolPresets, word) ? toolPresets[word] : undefined;
  const tool = toolNames.find((name) => name === word);
  if (preset) return preset;
  if (tool) return [tool];
  const presets = Object.keys(toolPresets).join(", ");
  throw refusedField(["tools"], `Unknown tool: ${word.slice(0, 64)}. Use names of tools, or ${presets}`);
}
