// Why a source did not answer, and what that means for its rest.
import { aboutProxy, type FetchFailure, type RedirectDeclined } from "../../net/index.ts";

export interface SourceFailure {
  ok: false;
  /**
   * "refused": it does not want to be asked now, so it rests at once; "failed": it rests after the third in a row;
   * "unreachable": the same, and perhaps nothing can be reached; "stopped": its search has ended.
   */
  kind: "refused" | "failed" | "unreachable" | "stopped";
  /** For the trace. */
  code: string;
  /** Continues a sentence that starts with the source's name. */
  problem: string;
  /** The pause that the source itself asks for. */
  retryAfterSeconds: number | null;
}

type Kind = SourceFailure["kind"];

function sourceFailure(
  kind: Kind,
  code: string,
  problem: string,
  retryAfterSeconds: number | null = null,
): SourceFailure {
  return { ok: false, kind, code, problem, retryAfterSeconds };
}

export const captcha = () => sourceFailure("refused", "captcha", "asks for a captcha");
export const noContact = (hint: string) => sourceFailure("refused", "403", `wants a contact (403): ${hint}`);
export const unreadable = (format: string) =>
  sourceFailure("failed", "garbage", `answered with something that is not ${format}`);
export const unknownForm = () => sourceFailure("failed", "unknown form", "answered in an unknown form");
export const rateLimited = (status: number, seconds: number | null) =>
  sourceFailure("refused", String(status), `is rate-limited (${status})`, seconds);

export function refusedWith(status: number, seconds: number | null): SourceFailure {
  const code = String(status);
  if (status === 429) return rateLimited(status, seconds);
  if (status === 403) return sourceFailure("refused", code, "refused the search (403)", seconds);
  if (status >= 500) return sourceFailure("failed", code, `failed (${status})`, seconds);
  return sourceFailure("failed", code, `rejected the search (${status})`);
}

export function notFetched(outcome: FetchFailure | RedirectDeclined): SourceFailure {
  const proxy = outcome.code === "REDIRECT_DECLINED" ? "" : aboutProxy(outcome);
  switch (outcome.code) {
    case "SCRAPE_TIMEOUT":
      return sourceFailure("failed", "timeout", `did not answer in time${proxy}`);
    case "ABORTED":
      return sourceFailure("stopped", "stopped", "was stopped with its search");
    case "REDIRECT_DECLINED":
    case "URL_NOT_ALLOWED":
    case "SCRAPE_TOO_MANY_REDIRECTS":
      return sourceFailure("failed", "redirect", "redirects to where it must not lead");
    case "SCRAPE_PAGE_TOO_LARGE":
      return sourceFailure("failed", "too large", "answered with more than 5 MB");
    case "SCRAPE_SSL_ERROR":
      return sourceFailure("failed", "certificate", `has an untrusted certificate${proxy}`);
    default:
      return sourceFailure("unreachable", "unreachable", `cannot be reached${proxy}`);
  }
}
