// What is known of each kind of job outside of the feature that performs it.
import type { JobKind, TaskKind } from "../../store/index.ts";

interface JobKindFacts {
  /** In the activity list, on bills and before webhook events. */
  endpoint: string;
  /** Whether it is in the activity list, which knows the endpoints of the specification only. */
  isListed: boolean;
  /** Where the status of a job whose results are documents is read; null for a job with one answer. */
  statusPath: string | null;
  /** When all its other tasks have ended, one more task makes its answer and ends it. */
  hasAnswer: boolean;
  /** A run that fails before a limit ends it costs nothing, and the event of an end without an answer tells what the run cost. */
  isFreeWhenFailed: boolean;
}

const facts = {
  crawl: { endpoint: "crawl", isListed: true, statusPath: "/v2/crawl", hasAnswer: false, isFreeWhenFailed: false },
  batch: {
    endpoint: "batch_scrape",
    isListed: true,
    statusPath: "/v2/batch/scrape",
    hasAnswer: false,
    isFreeWhenFailed: false,
  },
  extract: { endpoint: "extract", isListed: true, statusPath: null, hasAnswer: true, isFreeWhenFailed: false },
  agent: { endpoint: "agent", isListed: true, statusPath: null, hasAnswer: true, isFreeWhenFailed: true },
  // Its answer is the end of a monitor's check; what it read is kept with the monitor, as is the list of its checks.
  monitor: { endpoint: "monitor", isListed: false, statusPath: null, hasAnswer: true, isFreeWhenFailed: false },
  // An agent that answers in words, for those who ask for it by its older name.
  research: { endpoint: "deep_research", isListed: true, statusPath: null, hasAnswer: true, isFreeWhenFailed: true },
  llmstxt: {
    endpoint: "llmstxt",
    isListed: true,
    statusPath: "/v2/batch/scrape",
    hasAnswer: false,
    isFreeWhenFailed: false,
  },
} satisfies Record<JobKind, JobKindFacts>;

/** The tasks that each kind of job is made of. */
export interface TasksOfKinds extends Record<JobKind, TaskKind> {
  crawl: "page" | "sitemaps" | "gone";
  batch: "page";
  extract: "page" | "pattern" | "search" | "answer";
  agent: "page" | "search" | "step" | "action" | "answer";
  monitor: "target" | "answer";
  research: TasksOfKinds["agent"];
  llmstxt: "pattern" | "page";
}

export function endpointOf(kind: JobKind) {
  return facts[kind].endpoint;
}

export function isListed(kind: JobKind): boolean {
  return facts[kind].isListed;
}

export function hasAnswer(kind: JobKind): boolean {
  return facts[kind].hasAnswer;
}

export function statusPathOf(kind: JobKind): string | null {
  return facts[kind].statusPath;
}

export function isFreeWhenFailed(kind: JobKind): boolean {
  return facts[kind].isFreeWhenFailed;
}
