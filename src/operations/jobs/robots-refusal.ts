// Pages of jobs that the robots.txt of their site keeps us from, or that nobody could ask about.
import { ServiceError } from "../../base/index.ts";
import type { RobotsState } from "../../discovery/index.ts";
import type { RedirectRule } from "../../pages/index.ts";
import { failed, type PageEnding } from "./job-reading.ts";

type Failed = PageEnding & { kind: "failed" };

/** Why a page may not be read: the rules of its site, or that nobody could ask for them. */
export function blocked({ failure, reason }: Partial<Pick<RobotsState, "failure" | "reason">> = {}) {
  const { code, message } = new ServiceError(failure ?? "ROBOTS_BLOCKED", failure && reason);
  return { code, message };
}

/** The ending of a page that was named; null when it may be read. */
export function robotsRefusal(robots: RobotsState, url: string): Failed | null {
  if (robots.allows(url)) return null;
  const { code, message } = blocked(robots);
  return failed(code, robots.reason ?? message);
}

/** A page that led where it may not be followed ends with the cause, for instance that nobody answers there. */
export function endOfRedirect(ending: PageEnding, redirects: RedirectRule<Failed> | null): PageEnding {
  const isOver = ending.kind === "failed" || ending.kind === "retry";
  return (isOver && redirects?.refusal()) || ending;
}
