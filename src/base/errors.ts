// The one table of failures: code -> status, whether a retry can help, and the default message.
// Everything that can go wrong on the wire has its row here; http/errors.ts turns a ServiceError into a response.

interface ErrorRow {
  status: number;
  /** True when the same request may succeed later, unchanged. */
  retry: boolean;
  message: string;
}

export const errorTable = {
  // The request itself
  BAD_REQUEST: { status: 400, retry: false, message: "Bad Request" },
  BAD_REQUEST_INVALID_JSON: { status: 400, retry: false, message: "Bad request, malformed JSON" },
  INVALID_ID: { status: 400, retry: false, message: "Invalid job ID format. Job ID must be a valid UUID." },
  INVALID_CURSOR: { status: 400, retry: false, message: "Invalid cursor." },
  REQUEST_TIMEOUT: { status: 408, retry: true, message: "The request did not arrive in time." },
  BODY_TOO_LARGE: { status: 413, retry: false, message: "The request body is too large." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retry: false, message: "The content type of the body is not supported." },
  EXPECTATION_FAILED: { status: 417, retry: false, message: "The Expect header cannot be satisfied." },
  HEADERS_TOO_LARGE: { status: 431, retry: false, message: "The request headers are too large." },

  // The caller and its limits
  UNAUTHORIZED: { status: 401, retry: false, message: "Unauthorized" },
  TOKEN_MISSING: { status: 401, retry: false, message: "Unauthorized: Token missing" },
  TOKEN_INVALID: { status: 401, retry: false, message: "Unauthorized: Invalid token" },
  INSUFFICIENT_CREDITS: { status: 402, retry: false, message: "Insufficient credits to perform this request." },
  FORBIDDEN: { status: 403, retry: false, message: "This request is not allowed." },
  EXCHANGE_NOT_ENABLED: { status: 403, retry: false, message: "Exchange is not enabled for this team." },
  NOT_SIGNED_IN: { status: 401, retry: false, message: "Sign in to the dashboard first." },
  SIGN_IN_FAILED: { status: 401, retry: false, message: "The name or the password is wrong." },
  LINK_NOT_VALID: {
    status: 401,
    retry: false,
    message: "This link was used or is too old. Make another: trawl dashboard-link.",
  },
  RATE_LIMITED: { status: 429, retry: true, message: "Rate limit exceeded." },

  QUEUE_FULL: { status: 429, retry: true, message: "The team has too many pages in the queue." },
  IDEMPOTENCY_KEY_USED: {
    status: 409,
    retry: false,
    message: "Idempotency key already used",
  },
  PROFILE_BUSY: {
    status: 409,
    retry: true,
    message: "Another request is saving this browser profile. Try again, or send saveChanges: false.",
  },
  PROFILE_LIMIT: { status: 400, retry: false, message: "The team has reached its limit of browser profiles." },
  SESSION_LIMIT: { status: 429, retry: true, message: "The team has reached its limit of browser sessions." },
  SESSION_ELSEWHERE: {
    status: 409,
    retry: false,
    message: "This browser session runs on another server.",
  },
  SCRAPE_NOT_REPLAYABLE: { status: 409, retry: false, message: "The page of this scrape cannot be reopened." },
  SESSION_ENDED: { status: 410, retry: false, message: "This browser session has ended." },
  JOB_ALREADY_ENDED: { status: 409, retry: false, message: "Crawl is already completed" },
  JOB_STILL_RUNNING: { status: 409, retry: true, message: "The job has not ended yet." },
  CRAWL_BUDGET_EXCEEDED: {
    status: 402,
    retry: false,
    message: "The page costs more than what is left of the job's maxCredits: it was not kept and not charged.",
  },

  JOB_UNREADABLE: {
    status: 500,
    retry: false,
    message: "The job's settings cannot be decrypted: TRAWL_SECRET has changed since the job was started.",
  },

  // What the request names
  NOT_FOUND: { status: 404, retry: false, message: "No such endpoint." },
  JOB_NOT_FOUND: { status: 404, retry: false, message: "Job not found" },
  EXTRACT_NOT_FOUND: { status: 404, retry: false, message: "Extract job not found" },
  AGENT_NOT_FOUND: { status: 404, retry: false, message: "Agent job not found" },
  SESSION_NOT_FOUND: { status: 404, retry: false, message: "Browser session not found." },
  MONITOR_NOT_FOUND: { status: 404, retry: false, message: "Monitor not found" },
  MONITOR_CHECK_NOT_FOUND: { status: 404, retry: false, message: "Check not found" },
  MONITOR_BUSY: { status: 409, retry: true, message: "A check of this monitor is running." },
  MONITOR_CHECK_ENDED: { status: 409, retry: false, message: "The check has already ended." },
  KEY_NOT_FOUND: { status: 404, retry: false, message: "API key not found" },
  PERSON_NOT_FOUND: { status: 404, retry: false, message: "Nobody of this team has this id." },
  PASSKEY_NOT_FOUND: { status: 404, retry: false, message: "Passkey not found" },
  TEAM_NOT_FOUND: { status: 404, retry: false, message: "Team not found" },
  UPLOAD_NOT_FOUND: { status: 404, retry: false, message: "Upload not found" },
  PAPER_NOT_FOUND: { status: 404, retry: false, message: "Paper not found" },
  PROFILE_NOT_FOUND: { status: 404, retry: false, message: "Profile not found" },
  EXTRACTOR_NOT_FOUND: { status: 404, retry: false, message: "Extractor not found" },
  DELIVERY_NOT_FOUND: { status: 404, retry: false, message: "Webhook delivery not found" },
  NOT_IMPLEMENTED: { status: 501, retry: false, message: "This endpoint is not available." },

  // A page: the target's fault is 500, our refusal is 403, a timeout is 408
  PARSE_UNSUPPORTED_OPTIONS: { status: 400, retry: false, message: "These options cannot be used with a file." },
  UNSUPPORTED_FILE_TYPE: { status: 400, retry: false, message: "This type of file is not supported." },
  // Of a page: the target's fault. A file that the caller sent is the caller's: then the status is 400.
  PARSE_FILE_ENCRYPTED: { status: 500, retry: false, message: "The file is encrypted." },
  PARSE_FILE_BROKEN: { status: 500, retry: false, message: "The file is broken." },
  PARSE_FILE_EMPTY: { status: 500, retry: false, message: "The file is empty." },
  PARSE_LIMIT: { status: 500, retry: false, message: "The file exceeds a limit of this server." },
  METHOD_NOT_ALLOWED: { status: 405, retry: false, message: "This endpoint does not take this method." },
  URL_NOT_ALLOWED: { status: 403, retry: false, message: "This URL is not allowed." },
  SCRAPE_NO_CACHED_DATA: { status: 404, retry: false, message: "No cached copy of this page is old enough." },
  SCRAPE_LOCKDOWN_CACHE_MISS: { status: 404, retry: false, message: "No cached copy of this page exists." },
  MAP_TIMEOUT: { status: 408, retry: true, message: "The map timed out." },
  SEARCH_TIMEOUT: { status: 408, retry: true, message: "The search timed out." },
  SCRAPE_TIMEOUT: { status: 408, retry: true, message: "The page timed out." },
  CONCURRENCY_QUEUE_TIMEOUT: {
    status: 408,
    retry: true,
    message: "The request timed out while waiting for a free concurrency slot.",
  },
  TOKEN_BUDGET_EXCEEDED: { status: 409, retry: false, message: "The page has more tokens than the request allows." },
  ROBOTS_BLOCKED: { status: 403, retry: false, message: "The site's robots.txt disallows this page." },
  SCRAPE_DNS_RESOLUTION_ERROR: { status: 500, retry: true, message: "The page's hostname could not be resolved." },
  SCRAPE_SSL_ERROR: { status: 500, retry: false, message: "The page's TLS certificate is not trusted." },
  SCRAPE_SITE_ERROR: { status: 500, retry: true, message: "The page's server could not be reached." },
  SCRAPE_SITE_BLOCKED: {
    status: 500,
    retry: false,
    message: "The site does not serve this page to this server: it refuses the request or asks for proof of a person.",
  },
  SCRAPE_PROXY_ERROR: { status: 500, retry: true, message: "The proxy for this page could not be used." },
  SCRAPE_PAGE_TOO_LARGE: { status: 500, retry: false, message: "The page is too large." },
  SCRAPE_TOO_MANY_REDIRECTS: { status: 500, retry: false, message: "The page redirects too many times." },
  SCRAPE_UNSUPPORTED_FILE_ERROR: { status: 500, retry: false, message: "This file type is not supported." },
  SCRAPE_CONTENT_ERROR: { status: 500, retry: false, message: "The page's content could not be processed." },
  SCRAPE_ACTION_ERROR: { status: 500, retry: false, message: "An action on the page failed." },
  SCRAPE_WORKER_LOST: {
    status: 500,
    retry: true,
    message: "The page was abandoned: its worker was lost repeatedly.",
  },
  SCRAPE_NOT_TRIED_AGAIN: {
    status: 500,
    retry: true,
    message: "The page could not be read, and its job ended before the next attempt.",
  },
  SCRAPE_PROMPT_INJECTION_DETECTED: {
    status: 403,
    retry: false,
    message: "The page talks to the language model that reads it, so it is not returned.",
  },
  SCRAPE_BRANDING_NOT_SUPPORTED: {
    status: 501,
    retry: false,
    message: "The format branding needs a browser, and none is available on this server.",
  },
  BROWSER_NOT_AVAILABLE: { status: 501, retry: false, message: "No browser is available on this server." },
  EXECUTE_NOT_AVAILABLE: {
    status: 501,
    retry: false,
    message:
      "This server cannot sandbox programs, so it does not run any. EXECUTE_UNSANDBOXED=1 would run them with the server's own permissions.",
  },
  SESSIONS_NOT_AVAILABLE: { status: 501, retry: false, message: "Browser sessions are not available on this server." },
  MODEL_NOT_CONFIGURED: { status: 501, retry: false, message: "No language model is configured on this server." },
  MODEL_MISCONFIGURED: {
    status: 500,
    retry: false,
    message: "The language model provider rejects this server's requests.",
  },
  MODEL_ANSWER_UNUSABLE: { status: 500, retry: true, message: "The language model returned no usable answer." },
  MODEL_INPUT_TOO_LONG: { status: 500, retry: false, message: "The text is too long for the language model." },
  MODEL_TIMEOUT: { status: 408, retry: true, message: "The language model timed out." },
  MODEL_BUDGET_EXCEEDED: {
    status: 402,
    retry: false,
    message: "The token budget for the language model is used up.",
  },
  /** The caller hung up; nobody reads this response. */
  ABORTED: { status: 499, retry: true, message: "The caller disconnected." },

  // This server
  INTERNAL_ERROR: { status: 500, retry: true, message: "Something went wrong on this server." },
  SEARCH_UNAVAILABLE: { status: 503, retry: true, message: "No search service answered." },
  OVERLOADED: { status: 503, retry: true, message: "This server is low on memory and is not accepting new jobs." },
  MODEL_UNAVAILABLE: { status: 503, retry: true, message: "The language model provider is unavailable." },
  STORE_UNAVAILABLE: { status: 503, retry: true, message: "The database is unavailable. Nothing was changed." },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

export interface ErrorOptions {
  cause?: unknown;
  /** Sent as `details`: field issues of a bad request, or guidance for a retry. */
  details?: unknown;
  /** Sent as the Retry-After header. */
  retryAfterSeconds?: number;
  /** Instead of the table's, where the same failure is somebody else's fault. */
  status?: number;
}

/** The only error type that rooms throw on purpose. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: ErrorOptions = {}) {
    super(message ?? errorTable[code].message, { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.status = options.status ?? errorTable[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
