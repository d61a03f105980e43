import type { Format } from "./format-field.ts";
import { formats } from "./formats.ts";

/** What formats cost on top of the page. Work that serves two of them is charged once. */
export function formatCredits(asked: readonly Format[]): number {
  const names = new Set(asked.map((each) => each.type));
  // Tracking the changes of data takes the same work as returning it.
  if (asked.some((each) => each.type === "changeTracking" && each.modes.includes("json"))) names.add("json");
  // Both fill `answer`, and one of them does.
  if (names.has("question")) names.delete("query");
  return [...names].reduce((sum, name) => sum + formats[name].credits, 0);
}
