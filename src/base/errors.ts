// The one table of failures: code -> status, whether trying again can help, and the default sentence.
// Everything that can go wrong on the wire has its row here; http/errors.ts turns a ServiceError into the answer.

interface ErrorRow {
  status: number;
  /** True when the same request may succeed later without a change by the caller. */
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
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retry: false, message: "This content type is not supported." },
  EXPECTATION_FAILED: { status: 417, retry: false, message: "This expectation cannot be met." },
  HEADERS_TOO_LARGE: { status: 431, retry: false, message: "The request's headers are too large." },

  // Who asks, and how much
  UNAUTHORIZED: { status: 401, retry: false, message: "Unauthorized" },
  TOKEN_MISSING: { status: 401, retry: false, message: "Unauthorized: Token missing" },
  TOKEN_INVALID: { status: 401, retry: false, message: "Unauthorized: Invalid token" },
  INSUFFICIENT_CREDITS: { status: 402, retry: false, message: "Insufficient credits to perform this request." },
  FORBIDDEN: { status: 403, retry: false, message: "This request is not allowed here." },
  EXCHANGE_NOT_ENABLED: { status: 403, retry: false, message: "Exchange is not enabled for this team." },
  RATE_LIMITED: { status: 429, retry: true, message: "Rate limit exceeded." },

  QUEUE_FULL: { status: 429, retry: true, message: "Too many pages of this team are waiting." },
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
  PROFILE_LIMIT: { status: 400, retry: false, message: "The team has too many browser profiles." },
  SESSION_LIMIT: { status: 429, retry: true, message: "The team has too many browser sessions." },
  SESSION_ELSEWHERE: {
    status: 409,
    retry: false,
    message: "The browser of this session is held by another server.",
  },
  SCRAPE_NOT_REPLAYABLE: { status: 409, retry: false, message: "The page of this scrape cannot be brought back." },
  SESSION_ENDED: { status: 410, retry: false, message: "This browser session has ended." },
  JOB_ALREADY_ENDED: { status: 409, retry: false, message: "Crawl is already completed" },

  JOB_UNREADABLE: {
    status: 500,
    retry: false,
    message:
      "The job's settings cannot be opened: the server's secret (TRAWL_SECRET) is not the one it was started with.",
  },

  // What is asked for
  NOT_FOUND: { status: 404, retry: false, message: "There is no such endpoint." },
  JOB_NOT_FOUND: { status: 404, retry: false, message: "Job not found" },
  EXTRACT_NOT_FOUND: { status: 404, retry: false, message: "Extract job not found" },
  AGENT_NOT_FOUND: { status: 404, retry: false, message: "Agent job not found" },
  SESSION_NOT_FOUND: { status: 404, retry: false, message: "Browser session not found." },
  MONITOR_NOT_FOUND: { status: 404, retry: false, message: "Monitor not found" },
  UPLOAD_NOT_FOUND: { status: 404, retry: false, message: "Upload not found" },
  PAPER_NOT_FOUND: { status: 404, retry: false, message: "Paper not found" },
  PROFILE_NOT_FOUND: { status: 404, retry: false, message: "Profile not found" },
  DELIVERY_NOT_FOUND: { status: 404, retry: false, message: "Webhook delivery not found" },
  NOT_IMPLEMENTED: { status: 501, retry: false, message: "This endpoint is not available on this server." },

  // A page: the target's faults are 500, ours to refuse is 403, out of time is 408
  PARSE_UNSUPPORTED_OPTIONS: { status: 400, retry: false, message: "These options cannot be used with a file." },
  URL_NOT_ALLOWED: { status: 403, retry: false, message: "This URL is not allowed." },
  SCRAPE_NO_CACHED_DATA: { status: 404, retry: false, message: "No stored copy of this page is old enough." },
  SCRAPE_LOCKDOWN_CACHE_MISS: { status: 404, retry: false, message: "No cached copy of this page exists." },
  MAP_TIMEOUT: { status: 408, retry: true, message: "The site was not mapped in time." },
  SEARCH_TIMEOUT: { status: 408, retry: true, message: "The search did not end in time." },
  SCRAPE_TIMEOUT: { status: 408, retry: true, message: "The page did not load in time." },
  CONCURRENCY_QUEUE_TIMEOUT: { status: 408, retry: true, message: "The time ran out while waiting for a free slot." },
  ROBOTS_BLOCKED: { status: 403, retry: false, message: "The site's robots.txt forbids this page." },
  SCRAPE_DNS_RESOLUTION_ERROR: { status: 500, retry: true, message: "The page's host name does not resolve." },
  SCRAPE_SSL_ERROR: { status: 500, retry: false, message: "The page's certificate cannot be trusted." },
  SCRAPE_SITE_ERROR: { status: 500, retry: true, message: "The page's server could not be reached." },
  SCRAPE_PAGE_TOO_LARGE: { status: 500, retry: false, message: "The page is too large." },
  SCRAPE_TOO_MANY_REDIRECTS: { status: 500, retry: false, message: "The page redirects too often." },
  SCRAPE_UNSUPPORTED_FILE_ERROR: { status: 500, retry: false, message: "This kind of file cannot be read." },
  SCRAPE_CONTENT_ERROR: { status: 500, retry: false, message: "The page's content could not be read." },
  SCRAPE_ACTION_ERROR: { status: 500, retry: false, message: "An action on the page failed." },
  SCRAPE_WORKER_LOST: {
    status: 500,
    retry: true,
    message: "The page was given up: its worker was lost again and again.",
  },
  SCRAPE_NOT_TRIED_AGAIN: {
    status: 500,
    retry: true,
    message: "The page could not be read, and its job ended before the next try.",
  },
  BROWSER_NOT_AVAILABLE: { status: 501, retry: false, message: "No browser is available on this server." },
  EXECUTE_NOT_AVAILABLE: {
    status: 501,
    retry: false,
    message:
      "This server cannot shut programs in, so it runs none. EXECUTE_UNSANDBOXED=1 would run them with the server's own rights.",
  },
  SESSIONS_NOT_AVAILABLE: { status: 501, retry: false, message: "Browser sessions are not available on this server." },
  FORMAT_NOT_AVAILABLE: { status: 501, retry: false, message: "This output is not available on this server." },
  MODEL_NOT_CONFIGURED: { status: 501, retry: false, message: "No language model is configured on this server." },
  MODEL_MISCONFIGURED: {
    status: 500,
    retry: false,
    message: "The language model's service does not take our requests.",
  },
  MODEL_ANSWER_UNUSABLE: { status: 500, retry: true, message: "The language model gave no answer that can be used." },
  MODEL_INPUT_TOO_LONG: { status: 500, retry: false, message: "The text is too long for the language model." },
  MODEL_TIMEOUT: { status: 408, retry: true, message: "The language model did not answer in time." },
  MODEL_BUDGET_EXCEEDED: {
    status: 402,
    retry: false,
    message: "The budget of tokens for the language model is used up.",
  },
  /** The caller hung up; nobody reads this answer. */
  ABORTED: { status: 499, retry: true, message: "The caller went away." },

  // Us
  INTERNAL_ERROR: { status: 500, retry: true, message: "Something went wrong on this server." },
  SEARCH_UNAVAILABLE: { status: 503, retry: true, message: "No search service answered." },
  OVERLOADED: { status: 503, retry: true, message: "This server is short of memory and takes no new jobs now." },
  MODEL_UNAVAILABLE: { status: 503, retry: true, message: "The language model's service is unavailable." },
  STORE_UNAVAILABLE: { status: 503, retry: true, message: "The storage is unavailable. Nothing was changed." },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

export interface ErrorOptions {
  cause?: unknown;
  /** Sent as `details`: field issues of a bad request, or guidance for a retry. */
  details?: unknown;
  /** Sent as the Retry-After header. */
  retryAfterSeconds?: number;
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
    this.status = errorTable[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
