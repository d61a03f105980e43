// The outcome of a fetch. A refused or broken page is a value here, never an exception.

export type FetchFailureCode =
  | "URL_NOT_ALLOWED"
  | "SCRAPE_DNS_RESOLUTION_ERROR"
  | "SCRAPE_SSL_ERROR"
  | "SCRAPE_SITE_ERROR"
  | "SCRAPE_PROXY_ERROR"
  | "SCRAPE_TIMEOUT"
  | "SCRAPE_PAGE_TOO_LARGE"
  | "SCRAPE_TOO_MANY_REDIRECTS"
  | "SCRAPE_REPLAY_MISS"
  | "ABORTED";

export interface FetchFailure {
  ok: false;
  code: FetchFailureCode;
  /** A sentence for the caller; it never holds a resolved address. */
  message: string;
  /** The site hung up on this client, or refused its TLS: another client may succeed. */
  isRefusal?: true;
  /** The proxy of the environment behind which it happened. */
  companyProxy?: string;
}

export interface FetchSuccess {
  ok: true;
  /** Where the last hop led, without credentials. */
  url: string;
  status: number;
  headers: ResponseHeaders;
  /** As in Content-Type, "" when the answer names none. */
  contentType: string;
  /** Content encodings undone. */
  body: Buffer;
  /** The URLs that redirected, in order; empty when none did. */
  redirects: string[];
  /** A hop led into the operator's own network, as seen by the connector. */
  isPrivate: boolean;
  /** Which kind of proxy it came through. */
  proxy: "none" | "basic" | "enhanced";
  /** Size of the body before its encodings were undone. */
  wireBytes: number;
  /** From the Retry-After of a 429 or 503. */
  retryAfterSeconds: number | null;
  durationMs: number;
}

export type FetchOutcome = FetchSuccess | FetchFailure;

/** The request's own rule declined a redirect; the caller knows why. */
export interface RedirectDeclined {
  ok: false;
  code: "REDIRECT_DECLINED";
  message: string;
}

/** By lower-case name; a header that came several times is a list. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

/** Carries a failure through undici, which hands errors of the connector and aborts back as they are. */
export class NetError extends Error {
  readonly code: FetchFailureCode;

  constructor(code: FetchFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "NetError";
    this.code = code;
  }
}

/** Messages of system errors contain IP addresses, so each code gets a sentence here. */
const sentences: Record<string, string> = {
  ECONNREFUSED: "The site refused the connection",
  ECONNRESET: "The site closed the connection",
  EPIPE: "The site closed the connection",
  UND_ERR_SOCKET: "The site closed the connection before its response was complete",
  ERR_HTTP2_STREAM_ERROR: "The site closed the connection before its response was complete",
  ERR_HTTP2_SESSION_ERROR: "The site closed the connection before its response was complete",
  UND_ERR_HEADERS_OVERFLOW: "The header of the site's response is too large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "The site's response is not as long as it says",
  EHOSTUNREACH: "The site cannot be reached",
  ENETUNREACH: "The site cannot be reached",
};

const timeouts = new Set(["ETIMEDOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);

/** `companyProxy`: the one that the request went through. */
export function toFailure(error: unknown, companyProxy: string | null = null): FetchFailure {
  const failure = failureOf(error);
  const isElsewhere = failure.code === "URL_NOT_ALLOWED" || failure.code === "ABORTED";
  if (companyProxy === null || isElsewhere || failure.code === "SCRAPE_PROXY_ERROR") return failure;
  return { ...failure, message: `${failure.message} (through the proxy ${companyProxy})`, companyProxy };
}

/** What a sentence of the caller's own adds about the proxy at which, or behind which, it failed. */
export function aboutProxy({ code, message, companyProxy }: FetchFailure): string {
  if (code === "SCRAPE_PROXY_ERROR") return `: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  return companyProxy === undefined ? "" : ` (through the proxy ${companyProxy})`;
}

function failureOf(error: unknown): FetchFailure {
  if (error instanceof NetError) {
    const { code, message, cause } = error;
    // An answer that broke off midway is not a refusal.
    return { ok: false, code, message, ...(code === "SCRAPE_SSL_ERROR" ? refusalOf(errorCode(cause)) : {}) };
  }
  const code = errorCode(error);
  if (timeouts.has(code)) return { ok: false, code: "SCRAPE_TIMEOUT", message: "The site did not answer in time" };
  const message = sentences[code] ?? "The site's response could not be read";
  return { ok: false, code: "SCRAPE_SITE_ERROR", message, ...refusalOf(code) };
}

/** Certificate errors are not refusals: every client would report them. */
const refusals = /^(?:ECONNRESET|EPIPE|EPROTO|UND_ERR_SOCKET|HPE_\w+|ERR_SSL_\w+|ERR_HTTP2_\w+)$/;

/** Whether the site hung up on this client, or refused its TLS. */
export function isRefused(error: unknown): boolean {
  return toFailure(error).isRefusal === true;
}

function refusalOf(code: string): Pick<FetchFailure, "isRefusal"> {
  return refusals.test(code) ? { isRefusal: true } : {};
}

export function errorCode(error: unknown): string {
  // Several addresses were tried: node gathers what each said.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "";
}

/** The caller's signal ended the request: by its deadline, or because the caller is gone. */
export function stoppedBy(signal: AbortSignal): NetError {
  const isDeadline = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
  if (isDeadline) return new NetError("SCRAPE_TIMEOUT", "The page was not read in time");
  return new NetError("ABORTED", "The request was cancelled");
}
