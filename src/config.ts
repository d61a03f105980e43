// The only reader of the environment: one validated, frozen Config. Every setting is defined once, with its
// default and its description; docs/self-hosting.md is generated from this table.
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import {
  flag,
  hostAndPort,
  hostName,
  httpUrl,
  logLevels,
  oneOf,
  origins,
  postgresUrl,
  type Setting,
  secretText,
  setting,
  teamKeys,
  text,
  wholeNumber,
} from "./base/index.ts";
import { browserSettings, checkBrowserSettings } from "./config/browser-settings.ts";
import { executeSettings } from "./config/execute-settings.ts";
import { extractSettings } from "./config/extract-settings.ts";
import { chooseModel, type ModelEndpoint, modelSettings } from "./config/model-settings.ts";
import { searchSettings } from "./config/search-settings.ts";
import { parseAllowList } from "./net/index.ts";

const allowList = {
  takes: "comma-separated hostnames, IP addresses or CIDR ranges, each optionally with :port",
  read: parseAllowList,
};

const perMinute = wholeNumber(0, 10_000_000);
const megabyte = 1024 * 1024;

/** Every setting, by section, in the order of the documentation. */
export const settingSections = {
  Server: {
    port: setting("PORT", wholeNumber(0, 65535), 3002, "Port of the API. 0 picks a free one."),
    host: setting(
      "HOST",
      hostName,
      null,
      "IP address or hostname to listen on. By default only this machine can connect, unless TRAWL_API_KEYS sets keys.",
      "`127.0.0.1`, or `0.0.0.0` with TRAWL_API_KEYS",
    ),
    publicUrl: setting(
      "PUBLIC_URL",
      httpUrl,
      null,
      "Public URL of this server. Links in responses start with it, and it is part of the User-Agent that sites see.",
      "the Host of the request",
    ),
    trustProxy: setting(
      "TRUST_PROXY",
      flag,
      false,
      "Set to 1 behind a reverse proxy to trust X-Forwarded-* headers.",
      "`0`",
    ),
    corsOrigins: setting("CORS_ORIGINS", origins, [], "Web origins that may call the API from a browser.", "none"),
    logLevel: setting(
      "LOG_LEVEL",
      oneOf(logLevels),
      "info",
      "Minimum level of log messages, written as JSON lines to standard output.",
    ),
  },
  Storage: {
    dataDir: setting(
      "DATA_DIR",
      text,
      "./data",
      "Directory of the embedded database and the server's secret (mode 0700).",
    ),
    databaseUrl: setting(
      "DATABASE_URL",
      postgresUrl,
      null,
      "PostgreSQL database to use instead of the embedded one. Several servers may share it.",
    ),
    secret: setting(
      "TRAWL_SECRET",
      secretText,
      null,
      "Encrypts sensitive data of stored jobs, such as request headers. Required with DATABASE_URL, and must be the same on every server.",
      "generated in DATA_DIR at the first start",
    ),
  },
  Accounts: {
    auth: setting(
      "TRAWL_AUTH",
      oneOf(["keys", "none"]),
      "keys",
      "`keys`: every request needs an API key. `none`: open mode for a single machine; requests from web pages of other origins are refused.",
    ),
    apiKeys: setting(
      "TRAWL_API_KEYS",
      teamKeys,
      [],
      "Teams and keys to create at startup if they do not exist, as a comma-separated list of `team:key[:requestsPerMinute]`. " +
        "requestsPerMinute applies to each group of endpoints (status calls get 50 times as many); 0 means no limit.",
      "none",
    ),
    webhookSecret: setting(
      "WEBHOOK_SECRET",
      text,
      null,
      "Secret for signing webhooks: HMAC-SHA256 of the body in X-Webhook-Signature and X-Firecrawl-Signature. " +
        "Webhooks are not signed without it.",
    ),
    creditsPerMonth: setting(
      "CREDITS_PER_MONTH",
      wholeNumber(0, 1_000_000_000),
      0,
      "Credits that a team may use per calendar month (UTC). 0 means unlimited.",
    ),
    teamConcurrency: setting(
      "TEAM_CONCURRENCY",
      wholeNumber(1, 10_000),
      50,
      "Pages that a team may have in progress at the same time.",
    ),
    rateLimitScrape: setting(
      "RATE_LIMIT_SCRAPE",
      perMinute,
      500,
      "Requests per team and minute for scrape, parse, map and search. 0 means no limit.",
    ),
    rateLimitJob: setting(
      "RATE_LIMIT_JOB",
      perMinute,
      100,
      "Requests per team and minute for starting crawls, batches, extracts, agents and monitors. 0 means no limit.",
    ),
    rateLimitStatus: setting(
      "RATE_LIMIT_STATUS",
      perMinute,
      25_000,
      "Requests per team and minute for status, list, cancel and usage calls. 0 means no limit.",
    ),
    rateLimitBrowser: setting(
      "RATE_LIMIT_BROWSER",
      perMinute,
      100,
      "Requests per team and minute for creating browser sessions. 0 means no limit.",
    ),
    rateLimitExecute: setting(
      "RATE_LIMIT_EXECUTE",
      perMinute,
      500,
      "Requests per team and minute for running code in browser sessions. 0 means no limit.",
    ),
  },
  Network: {
    allowedPrivateHosts: setting(
      "ALLOWED_PRIVATE_HOSTS",
      allowList,
      [],
      "Private hosts that may be fetched anyway: comma-separated hostnames, IP addresses or CIDR ranges, each optionally with :port. " +
        "A hostname allows only what exactly that name resolves to. The ports of this server and its database stay blocked.",
      "none",
    ),
    proxyServer: setting(
      "PROXY_SERVER",
      httpUrl,
      null,
      "Proxy for fetching pages. This server still checks every URL and IP address first.",
    ),
    proxyUsername: setting("PROXY_USERNAME", text, null, "Username for the proxy."),
    proxyPassword: setting("PROXY_PASSWORD", text, null, "Password for the proxy."),
    dnsServer: setting(
      "DNS_SERVER",
      hostAndPort,
      null,
      "DNS server to use instead of the system resolver.",
      "the system resolver",
    ),
    hostConcurrency: setting(
      "HOST_CONCURRENCY",
      wholeNumber(1, 1000),
      4,
      "Concurrent requests to one host, across all teams of this process.",
    ),
    connectTimeoutMs: setting(
      "CONNECT_TIMEOUT_MS",
      wholeNumber(100, 120_000),
      10_000,
      "Timeout for connecting to a page's server, in milliseconds.",
    ),
    idleTimeoutMs: setting(
      "IDLE_TIMEOUT_MS",
      wholeNumber(100, 300_000),
      15_000,
      "Maximum time without data while a page downloads, in milliseconds.",
    ),
    maxPageBytes: setting(
      "MAX_PAGE_BYTES",
      wholeNumber(1024, 1024 * megabyte),
      50 * megabyte,
      "Maximum size of a page as transferred, in bytes.",
    ),
    maxPageDecodedBytes: setting(
      "MAX_PAGE_DECODED_BYTES",
      wholeNumber(1024, 1024 * megabyte),
      100 * megabyte,
      "Maximum size of a page after decompression, in bytes.",
    ),
  },
  Jobs: {
    workerConcurrency: setting(
      "WORKER_CONCURRENCY",
      wholeNumber(1, 10_000),
      64,
      "Pages of jobs that this process works on at the same time.",
    ),
    respectRobots: setting(
      "RESPECT_ROBOTS",
      oneOf(["crawl", "all", "off"]),
      "crawl",
      "What obeys robots.txt. `crawl`: crawls and maps. `all`: also URLs that a caller requests directly. `off`: like `crawl`, but callers " +
        "may set ignoreRobotsTxt.",
    ),
  },
  Extract: extractSettings,
  Pages: {
    sharedCache: setting(
      "SHARED_CACHE",
      flag,
      false,
      "Set to 1 to let teams share cached pages. Pages of ALLOWED_PRIVATE_HOSTS are never shared.",
      "`0`",
    ),
    pageCacheDays: setting("PAGE_CACHE_DAYS", wholeNumber(1, 3650), 30, "Days to keep cached pages."),
    pageCacheMegabytes: setting(
      "PAGE_CACHE_MB",
      wholeNumber(1, 10_000_000),
      4096,
      "Maximum size of the page cache in megabytes, compressed. The oldest pages are removed first.",
    ),
    contentThreads: setting(
      "CONTENT_THREADS",
      wholeNumber(1, 256),
      Math.max(1, availableParallelism() - 1),
      "Threads for converting pages.",
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
  },
  Browser: browserSettings,
  Programs: executeSettings,
  Search: searchSettings,
  Models: modelSettings,
  Limits: {
    maxBodyBytes: setting(
      "MAX_BODY_BYTES",
      wholeNumber(1024, 1024 * megabyte),
      10 * megabyte,
      "Maximum size of a JSON request body, in bytes (otherwise 413).",
    ),
    maxUploadBytes: setting(
      "MAX_UPLOAD_BYTES",
      wholeNumber(1024, 1024 * megabyte),
      50 * megabyte,
      "Maximum size of an uploaded file, in bytes (otherwise 413).",
    ),
    maxJsonDepth: setting(
      "MAX_JSON_DEPTH",
      wholeNumber(4, 10_000),
      64,
      "Maximum nesting depth of a JSON body (otherwise 400).",
    ),
    maxJsonObjectKeys: setting(
      "MAX_JSON_OBJECT_KEYS",
      wholeNumber(16, 1_000_000),
      1000,
      "Maximum number of keys in one object of a JSON body (otherwise 400).",
    ),
    maxJsonKeys: setting(
      "MAX_JSON_KEYS",
      wholeNumber(16, 10_000_000),
      100_000,
      "Maximum number of keys in a JSON body (otherwise 400).",
    ),
    maxJsonItems: setting(
      "MAX_JSON_ITEMS",
      wholeNumber(16, 10_000_000),
      200_000,
      "Maximum number of items in all lists and objects of a JSON body (otherwise 400).",
    ),
    maxHeaderBytes: setting(
      "MAX_HEADER_BYTES",
      wholeNumber(4096, megabyte),
      16_384,
      "Maximum size of the request headers, in bytes (otherwise 431).",
    ),
    headersTimeoutMs: setting(
      "HEADERS_TIMEOUT_MS",
      wholeNumber(100, 600_000),
      15_000,
      "Timeout for receiving the request headers, in milliseconds.",
    ),
    requestTimeoutMs: setting(
      "REQUEST_TIMEOUT_MS",
      wholeNumber(100, 3_600_000),
      60_000,
      "Timeout for receiving the whole request, in milliseconds.",
    ),
    maxConnections: setting("MAX_CONNECTIONS", wholeNumber(1, 1_000_000), 2000, "Maximum number of open connections."),
    memoryLimitMb: setting(
      "MEMORY_LIMIT_MB",
      wholeNumber(0, 10_000_000),
      0,
      "Memory limit of this server in megabytes; above 85 % of it, new jobs are refused with 503. 0 uses the limit of the container, if any.",
    ),
    jobLeaseMs: setting(
      "JOB_LEASE_MS",
      wholeNumber(1000, 600_000),
      30_000,
      "Time without a heartbeat, in milliseconds, after which other processes take over a process's pages and end its browser sessions.",
    ),
    stopTimeoutMs: setting(
      "STOP_TIMEOUT_MS",
      wholeNumber(0, 600_000),
      25_000,
      "Time that running requests get to finish after SIGTERM, in milliseconds.",
    ),
  },
};

type Sections = typeof settingSections;
type ValueOf<S> = S extends Setting<infer Value> ? Value : never;
type SectionValues<S> = { [Name in keyof S]: ValueOf<S[Name]> };
type Values = SectionValues<Sections["Server"]> &
  SectionValues<Sections["Network"]> &
  SectionValues<Sections["Jobs"]> &
  SectionValues<Sections["Extract"]> &
  SectionValues<Sections["Pages"]> &
  SectionValues<Sections["Browser"]> &
  SectionValues<Sections["Programs"]> &
  SectionValues<Sections["Storage"]> &
  SectionValues<Sections["Accounts"]> &
  SectionValues<Sections["Search"]> &
  SectionValues<Sections["Models"]> &
  SectionValues<Sections["Limits"]>;

/** `model`: the configured language model, null when there is none. */
export type Config = Readonly<
  Omit<Values, "host" | "dataDir"> & {
    host: string;
    dataDir: string;
    searchPath: string;
    model: ModelEndpoint | null;
  }
>;

/** An invalid setting; the message is one sentence for the operator. */
export class ConfigError extends Error {}

/** Some programs that read env files leave quotes around a value, or a comment instead of it. */
function plainValue(text = ""): string {
  const value = text.trim().replace(/^(["'])(.*)\1$/, "$2");
  return value.startsWith("#") ? "" : value.trim();
}

/** Reads the settings; an empty variable counts as unset. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const values: Record<string, unknown> = {};
  for (const section of Object.values(settingSections)) {
    for (const [name, entry] of Object.entries(section) as [string, Setting<unknown>][]) {
      const given = plainValue(env[entry.env]);
      const value = given === "" ? entry.fallback : entry.read(given);
      if (value === undefined) throw new ConfigError(`${entry.env} must be ${entry.takes}.`);
      values[name] = value;
    }
  }
  const config = values as unknown as Values;
  if (config.databaseUrl !== null && config.secret === null) {
    throw new ConfigError(
      "TRAWL_SECRET is required with DATABASE_URL: at least 32 characters, the same on every server.",
    );
  }
  if (config.auth === "none" && config.corsOrigins.includes("*")) {
    throw new ConfigError(
      "CORS_ORIGINS must not contain * with TRAWL_AUTH=none: any web page could control this server.",
    );
  }
  if ((config.googleSearchKey === null) !== (config.googleSearchCx === null)) {
    throw new ConfigError("GOOGLE_SEARCH_KEY and GOOGLE_SEARCH_CX must be set together.");
  }
  const browserProblem = checkBrowserSettings(config);
  if (browserProblem !== null) throw new ConfigError(browserProblem);
  const model = chooseModel(config);
  if (typeof model === "string") throw new ConfigError(model);
  return Object.freeze({
    ...config,
    model,
    /** Where to look for programs. */
    searchPath: env.PATH ?? "",
    host: config.host ?? (config.apiKeys.length > 0 && config.auth === "keys" ? "0.0.0.0" : "127.0.0.1"),
    dataDir: resolve(config.dataDir ?? "./data"),
  });
}
