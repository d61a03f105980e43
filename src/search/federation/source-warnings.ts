// What a caller is told about sources that are missing from the results, one sentence each.
import { secondMs } from "../../base/index.ts";
import type { OpenSource } from "../sources/source.ts";
import type { SourceFailure } from "./source-failure.ts";

/** How a source's part of a search ended. */
export type SourceEnding =
  | { state: "answered" }
  | { state: "failed"; failure: SourceFailure; restUntil: number | null }
  | { state: "resting"; until: number; lastError: string }
  | { state: "paced" }
  /** It had not answered when the search ended. */
  | { state: "slow" };

export const noSourceFits = "No open search source can run this query: there are no words in it to search for.";
export const nothingReachable = "No open search source could be reached. This server may have no internet access.";

export function sourceWarnings(
  endings: readonly { source: Pick<OpenSource, "title">; ending: SourceEnding }[],
  now: number,
): string[] {
  const isAnswered = endings.some(({ ending }) => ending.state === "answered");
  const sentences = endings.flatMap(({ source: { title }, ending }) => {
    if (ending.state === "answered" || (ending.state === "paced" && isAnswered)) return [];
    if (ending.state === "paced") return [`${title} was not asked, to stay within its rate limit.`];
    if (ending.state === "slow") return [`${title} was too slow and was left out.`];
    if (ending.state === "resting") return [withTime(ending.lastError, ending.until, now)];
    return [withTime(`${title} ${ending.failure.problem}.`, ending.restUntil, now)];
  });
  return [...new Set(sentences)];
}

export function withTime(sentence: string, restUntil: number | null, now: number): string {
  if (restUntil === null) return sentence;
  const seconds = Math.max(1, Math.ceil((restUntil - now) / secondMs));
  const who = sentence === nothingReachable ? "they are" : "it is";
  return `${sentence.replace(/\.$/, "")}; ${who} asked again in ${seconds} s.`;
}

/** Other services may keep a query. */
export function sentTo(titles: readonly string[]): string[] {
  if (titles.length === 0) return [];
  return [`The query was sent to ${titles.join(", ")}; this server does not control what they keep of it.`];
}
