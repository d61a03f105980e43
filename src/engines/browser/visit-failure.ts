// Turns errors of a browser into failures for the caller.
import type { FetchFailure } from "../../net/index.ts";
import type { RenderFailure, RenderFailureCode } from "./render.ts";

/** The page's process or the whole browser ended. */
export class BrowserCrash extends Error {
  /** Ended by us because of its memory: trying again would end the same way. */
  readonly isMemory: boolean;

  constructor(isMemory: boolean) {
    super(isMemory ? "The page used too much memory" : "The page crashed the browser");
    this.isMemory = isMemory;
  }
}

/** Playwright's error for calls that were pending when the page's process ended. */
export function isCrash(error: unknown): boolean {
  return error instanceof Error && /(page|target) crashed/i.test(error.message);
}

/** Thrown inside a visit; carries its answer. */
export class VisitFailure extends Error {
  readonly failure: RenderFailure;

  constructor(code: RenderFailureCode, message: string, more: Pick<RenderFailure, "action" | "details"> = {}) {
    super(message);
    this.failure = { ok: false, code, message, ...more };
  }
}

const rows: [pattern: RegExp, code: RenderFailureCode, message: string][] = [
  [/Download is starting/, "SCRAPE_UNSUPPORTED_FILE_ERROR", "The URL is a file download, not a page"],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, "SCRAPE_SSL_ERROR", "The site's certificate or TLS is invalid"],
  [/ERR_TOO_MANY_REDIRECTS/, "SCRAPE_TOO_MANY_REDIRECTS", "The page redirects more than 20 times"],
  [/ERR_NAME_NOT_RESOLVED/, "SCRAPE_DNS_RESOLUTION_ERROR", "The page's host name does not resolve"],
  [/ERR_TIMED_OUT|ERR_CONNECTION_TIMED_OUT/, "SCRAPE_TIMEOUT", "The site did not answer in time"],
  [/ERR_BLOCKED_BY_CLIENT|ERR_UNSAFE_PORT/, "URL_NOT_ALLOWED", "This URL is not allowed"],
  [
    /ERR_UNSAFE_REDIRECT|ERR_UNKNOWN_URL_SCHEME|ERR_DISALLOWED_URL_SCHEME|ERR_INVALID_REDIRECT/,
    "SCRAPE_SITE_ERROR",
    "The page redirects to an invalid URL",
  ],
];

/** `known` is what the proxy remembers of the URL: it knows best why a connection failed. */
export function readNavigationError(error: unknown, known: FetchFailure | null): RenderFailure {
  const text = error instanceof Error ? error.message : String(error);
  const row = rows.find(([pattern]) => pattern.test(text));
  if (row?.[1] === "SCRAPE_UNSUPPORTED_FILE_ERROR") return { ok: false, code: row[1], message: row[2] };
  if (known !== null) return known;
  if (row !== undefined) return { ok: false, code: row[1], message: row[2] };
  return { ok: false, code: "SCRAPE_SITE_ERROR", message: "The page could not be loaded" };
}
