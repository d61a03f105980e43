// Which errors an operation may end with, by its name. Those that its row says already (key, rate limit, credits, fields, the id in
// its path) are not repeated here; those of a server that is stopping, overloaded or broken may meet any request.
// The tests fail on an answer with an error that is not named for its operation.
import type { ErrorCode } from "../../base/index.ts";
import type { OperationName } from "./operations.ts";

/** With another status than the error table has for it. */
type OwnStatus = readonly [code: ErrorCode, status: number];
export type OperationError = ErrorCode | OwnStatus;

/** A page that cannot be fetched. */
const fetching = [
  "URL_NOT_ALLOWED",
  "unsafe_domain_blocked",
  "SCRAPE_TIMEOUT",
  "SCRAPE_DNS_RESOLUTION_ERROR",
  "SCRAPE_SSL_ERROR",
  "SCRAPE_SITE_ERROR",
  "SCRAPE_SITE_BLOCKED",
  "SCRAPE_PROXY_ERROR",
  "SCRAPE_PAGE_TOO_LARGE",
  "SCRAPE_TOO_MANY_REDIRECTS",
] as const;

const fileFaults = ["PARSE_FILE_ENCRYPTED", "PARSE_FILE_BROKEN", "PARSE_FILE_EMPTY", "PARSE_LIMIT"] as const;

const browsing = ["BROWSER_NOT_AVAILABLE", "QUEUE_FULL", "CONCURRENCY_QUEUE_TIMEOUT"] as const;

const modelFaults = [
  "MODEL_NOT_CONFIGURED",
  "MODEL_MISCONFIGURED",
  "MODEL_ANSWER_UNUSABLE",
  "MODEL_INPUT_TOO_LONG",
  "MODEL_TIMEOUT",
  "MODEL_BUDGET_EXCEEDED",
  "MODEL_UNAVAILABLE",
] as const;

/** A document that cannot be made of what was fetched. */
const makingDocument = [
  "SCRAPE_UNSUPPORTED_FILE_ERROR",
  "SCRAPE_CONTENT_ERROR",
  "SCRAPE_PROMPT_INJECTION_DETECTED",
  "SCRAPE_BRANDING_NOT_SUPPORTED",
  "TOKEN_BUDGET_EXCEEDED",
] as const;

const scraping = [
  ...fetching,
  ...browsing,
  ...fileFaults,
  ...makingDocument,
  ...modelFaults,
  "ROBOTS_BLOCKED",
  "SCRAPE_ACTION_ERROR",
  "SCRAPE_NO_CACHED_DATA",
  "SCRAPE_LOCKDOWN_CACHE_MISS",
  "PROFILE_BUSY",
  "PROFILE_LIMIT",
] as const;

const flowing = [
  "FLOW_NOT_FOUND",
  "FLOW_PARAMETER_MISSING",
  "FLOW_SECRET_MISSING",
  "SECRET_HOST_MISMATCH",
  "FLOW_TIMEOUT",
  "FLOW_STEP_NOT_FOUND",
  "FLOW_STEP_AMBIGUOUS",
  "FLOW_STEP_FAILED",
] as const;

const parsing = [
  // The caller sent the file, so what is wrong with it is a bad request.
  ...fileFaults.map((code) => [code, 400] as const),
  ...makingDocument,
  ...modelFaults,
  ...browsing,
  "PARSE_UNSUPPORTED_OPTIONS",
  "UNSUPPORTED_FILE_TYPE",
  "UPLOAD_NOT_FOUND",
  "SCRAPE_TIMEOUT",
  "SCRAPE_PAGE_TOO_LARGE",
] as const;

/** `archive` and `replay` of a request. */
const archiving = ["ARCHIVE_NOT_FOUND", "ARCHIVE_QUOTA", "JOB_STILL_RUNNING", "NOT_IMPLEMENTED"] as const;

const startingJob = ["QUEUE_FULL", "IDEMPOTENCY_KEY_USED", "URL_NOT_ALLOWED"] as const;

/** What a request asks of pages is checked before its job begins. */
const startingPages = [
  ...startingJob,
  "BROWSER_NOT_AVAILABLE",
  "MODEL_NOT_CONFIGURED",
  "SCRAPE_BRANDING_NOT_SUPPORTED",
] as const;

const searching = ["SEARCH_UNAVAILABLE", "SEARCH_TIMEOUT"] as const;

const pausing = ["JOB_ALREADY_ENDED", "JOB_UNREADABLE"] as const;

export const operationErrors: Partial<Record<OperationName, readonly OperationError[]>> = {
  scrape: [...scraping, ...archiving, "EXCHANGE_NOT_ENABLED", "SCRAPE_REPLAY_MISS"],
  readScrape: [...scraping, "UNSUPPORTED_FILE_TYPE"],
  interact: [
    ...scraping,
    "SESSION_ENDED",
    "SESSION_LIMIT",
    "SESSION_ELSEWHERE",
    "SESSIONS_NOT_AVAILABLE",
    "EXECUTE_NOT_AVAILABLE",
    "SCRAPE_NOT_REPLAYABLE",
    "JOB_NOT_FOUND",
    "SESSION_NOT_FOUND",
  ],
  readReplay: ["REPLAY_NOT_RECORDED"],
  deleteReplay: ["REPLAY_NOT_RECORDED"],
  putSecret: ["SECRET_LIMIT"],
  stopInteraction: ["JOB_NOT_FOUND", "SESSION_ELSEWHERE", "SESSIONS_NOT_AVAILABLE"],
  parse: parsing,
  receiveUpload: [["PARSE_FILE_EMPTY", 400]],
  startBatch: [...startingPages, ...archiving, "JOB_NOT_FOUND"],
  cancelBatch: pausing,
  exportBatch: ["JOB_STILL_RUNNING", "ARCHIVE_NOT_FOUND"],
  pauseBatch: pausing,
  resumeBatch: pausing,
  startCrawl: [...startingPages, ...archiving, ...modelFaults],
  previewCrawl: [...fetching, ...modelFaults],
  cancelCrawl: pausing,
  exportCrawl: ["JOB_STILL_RUNNING", "ARCHIVE_NOT_FOUND"],
  exportArchive: ["JOB_STILL_RUNNING"],
  deleteArchive: ["JOB_STILL_RUNNING"],
  pauseCrawl: pausing,
  resumeCrawl: pausing,
  map: [...fetching, "ARCHIVE_NOT_FOUND", "JOB_STILL_RUNNING", "MAP_TIMEOUT", "ROBOTS_BLOCKED"],
  search: [...searching, ...modelFaults, "URL_NOT_ALLOWED", "BROWSER_NOT_AVAILABLE"],
  readSearch: [...searching, ...modelFaults],
  searchGov: searching,
  searchDeveloper: searching,
  searchPapers: searching,
  readPaper: [...searching, ...modelFaults],
  listSimilarPapers: searching,
  addToIndex: scraping,
  addIndexedSite: [...startingJob, "SOURCE_BUSY"],
  addIndexedPages: [...startingJob, "SOURCE_BUSY"],
  addIndexedDocuments: [...parsing, "SOURCE_BUSY"],
  updateIndexedSource: ["SOURCE_BUSY"],
  deleteIndexedSource: ["SOURCE_BUSY"],
  refreshIndexedSource: [...startingJob, "SOURCE_BUSY"],
  startExtract: [...startingPages, "ARCHIVE_NOT_FOUND", "JOB_STILL_RUNNING", ...modelFaults],
  startAgent: [...startingPages, ...modelFaults, "thread_not_found", "thread_busy"],
  cancelAgent: ["JOB_ALREADY_ENDED"],
  startDeepResearch: [...startingPages, ...modelFaults],
  startLlmsText: [...startingPages, ...modelFaults],
  apiRequest: [...fetching],
  createSession: [...fetching, ...browsing, "SESSION_LIMIT", "SESSIONS_NOT_AVAILABLE", "PROFILE_BUSY", "PROFILE_LIMIT"],
  deleteSession: ["SESSION_NOT_FOUND", "SESSION_ELSEWHERE", "SESSIONS_NOT_AVAILABLE"],
  readSession: ["SESSION_ELSEWHERE"],
  readSessionHar: ["REPLAY_NOT_RECORDED", "SESSION_ELSEWHERE", "SESSION_ENDED", "SESSIONS_NOT_AVAILABLE"],
  deleteProfile: ["PROFILE_BUSY"],
  executeInSession: [
    "SESSION_ENDED",
    "SESSION_ELSEWHERE",
    "SESSIONS_NOT_AVAILABLE",
    "EXECUTE_NOT_AVAILABLE",
    "QUEUE_FULL",
    "CONCURRENCY_QUEUE_TIMEOUT",
    ...modelFaults,
  ],
  createFlow: [
    ...scraping,
    ...flowing,
    "FLOW_EMPTY",
    "FLOW_LIMIT",
    "FLOW_TARGET_AMBIGUOUS",
    "FLOW_TARGET_MISSING",
    "SESSION_NOT_FOUND",
    "SESSION_NOT_RECORDED",
    "SESSION_ELSEWHERE",
  ],
  runFlow: [...scraping, ...flowing],
  sendFeedback: ["JOB_NOT_FOUND"],
  deleteExtractor: ["EXTRACTOR_NOT_FOUND"],
  replaceThreatPolicy: ["NOT_IMPLEMENTED"],
  redeliver: ["DELIVERY_NOT_FOUND"],
  replaceNotify: ["URL_NOT_ALLOWED"],
  testNotify: ["NOTIFY_NOT_FOUND"],
  createMonitor: ["URL_NOT_ALLOWED", "MODEL_NOT_CONFIGURED", "BROWSER_NOT_AVAILABLE"],
  updateMonitor: ["URL_NOT_ALLOWED", "MODEL_NOT_CONFIGURED", "BROWSER_NOT_AVAILABLE"],
  createFeed: [...scraping, "FEED_NO_ITEMS"],
  confirmMonitorEmail: ["SUBSCRIPTION_NOT_FOUND"],
  unsubscribeMonitorEmail: ["SUBSCRIPTION_NOT_FOUND"],
  runMonitor: ["MONITOR_BUSY", "QUEUE_FULL", "MODEL_NOT_CONFIGURED"],
  readMonitorCheck: ["MONITOR_CHECK_NOT_FOUND"],
  cancelMonitorCheck: ["MONITOR_CHECK_NOT_FOUND", "MONITOR_CHECK_ENDED"],
};
