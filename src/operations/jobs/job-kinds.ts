// The kinds of jobs, by the names that the outside knows them by: in the activity list, on bills, before webhook events.
import type { JobKind } from "../../store/index.ts";

export const jobEndpoints = {
  crawl: "crawl",
  batch: "batch_scrape",
  extract: "extract",
  agent: "agent",
} as const satisfies Record<JobKind, string>;

/** Extracts and agents: when all their pages are read, one more task makes their answer, and that ends them. */
export function hasAnswer(kind: JobKind): boolean {
  return kind === "extract" || kind === "agent";
}

/** The page key of that task. */
export const answerKey = "answer";

/** What an agent does, and webhooks are told of: reading a page, or a search, a map or an extract that a model asked for. */
export function isAction({ kind, key }: { kind: string; key: string }): boolean {
  return kind === "page" || /^(?:search|map|extract)-\d+$/.test(key);
}
