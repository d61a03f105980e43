// The work on pages: jobs, robots.txt, the cache, and the conversion to content.
import { availableParallelism } from "node:os";
import { dayMs, hourMs, splitList } from "../base/index.ts";
import { flag, oneOf, optional, setting, wholeNumber } from "./setting.ts";

export const jobSettings = {
  workerConcurrency: setting(
    "WORKER_CONCURRENCY",
    wholeNumber(1, 10_000),
    64,
    "Pages of jobs that this process reads at the same time.",
  ),
  maxRetentionHours: setting(
    "MAX_RETENTION_HOURS",
    wholeNumber(1, 8760),
    168,
    "Maximum `retentionHours` of a crawl or batch: how long its results are kept after it ends. Without `retentionHours` it " +
      "is 24 hours.",
  ),
  respectRobots: setting(
    "RESPECT_ROBOTS",
    oneOf(["crawl", "all", "off"]),
    "crawl",
    "Which requests obey robots.txt. `crawl`: crawls and maps. `all`: also URLs that a caller requests directly. `off`: " +
      "like `crawl`, but callers may set ignoreRobotsTxt.",
  ),
};

const reachMemoryHours = 6;

const languageCodes = {
  takes: "a comma-separated list of language codes such as eng,deu",
  read: (value: string): readonly string[] | undefined => {
    const codes = splitList(value);
    return codes.length > 0 && codes.every((code) => /^[a-z]{3}(?:_[a-z]{2,8})?$/i.test(code)) ? codes : undefined;
  },
};

export const pageSettings = {
  reachMemoryMs: setting(
    "REACH_MEMORY_MS",
    wholeNumber(0, 7 * dayMs),
    reachMemoryHours * hourMs,
    "How long a team remembers which engine and proxies got past the block page of a host, in milliseconds. 0 turns the " +
      "memory off.",
    `\`21600000\` (${reachMemoryHours} hours)`,
  ),
  sharedCache: setting(
    "SHARED_CACHE",
    flag,
    false,
    "Set to 1 to let teams share cached pages. Pages of ALLOWED_PRIVATE_HOSTS are never shared.",
  ),
  pageCacheDays: setting("PAGE_CACHE_DAYS", wholeNumber(1, 3650), 30, "Days to keep cached pages."),
  pageCacheMegabytes: setting(
    "PAGE_CACHE_MB",
    wholeNumber(1, 10_000_000),
    4096,
    "Maximum compressed size of the page cache, in megabytes. The oldest pages are removed first.",
  ),
  contentThreads: setting(
    "CONTENT_THREADS",
    wholeNumber(1, 256),
    Math.max(1, availableParallelism() - 1),
    "Threads that convert pages to content.",
    "number of cores minus one",
  ),
  contentTimeoutMs: setting(
    "CONTENT_TIMEOUT_MS",
    wholeNumber(100, 300_000),
    20_000,
    "Timeout for converting one page, in milliseconds.",
  ),
  contentMemoryMb: setting(
    "CONTENT_MEMORY_MB",
    wholeNumber(64, 65_536),
    512,
    "Memory limit of each conversion thread, in megabytes.",
  ),
  documentProcesses: setting(
    "DOCUMENT_PROCESSES",
    wholeNumber(1, 64),
    Math.max(1, availableParallelism() - 1),
    "Processes that read files (office documents, PDFs, e-books …). They start with the first file and end when idle.",
    "number of cores minus one",
  ),
  documentMemoryMb: setting(
    "DOCUMENT_MEMORY_MB",
    wholeNumber(128, 65_536),
    768,
    "Memory limit of each process that reads files, in megabytes.",
  ),
  ocrLanguages: setting(
    "OCR_LANGUAGES",
    languageCodes,
    ["eng"],
    "Languages of text in images and scanned PDFs, the most common first. English is built in. For any other language, such " +
      "as `deu`, install `@tesseract.js-data/deu` beside Trawl.",
    "`eng`",
  ),
  ocrProgram: optional(
    "OCR_PROGRAM",
    "Name or path of an installed Tesseract to use instead of the built-in one. It needs its own data for OCR_LANGUAGES.",
  ),
};
