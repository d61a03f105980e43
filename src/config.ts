// The only reader of the environment: one checked, frozen Config. Every setting stands here once, with its
// default and its meaning; docs/self-hosting.md is generated from this table.
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
  takes: "names, addresses or CIDRs, each optionally with :port, separated by commas",
  read: parseAllowList,
};

const perMinute = wholeNumber(0, 10_000_000);
const megabyte = 1024 * 1024;

/** Every setting, by section, in the order of the documentation. */
export const settingSections = {
  Server: {
    port: setting("PORT", wholeNumber(0, 65535), 3002, "Port of the API. 0 takes a free one."),
    host: setting(
      "HOST",
      hostName,
      null,
      "Address to listen on. Without it the server is reachable from this machine only, unless TRAWL_API_KEYS gives it keys.",
      "`127.0.0.1`, or `0.0.0.0` with TRAWL_API_KEYS",
    ),
    publicUrl: setting(
      "PUBLIC_URL",
      httpUrl,
      null,
      "Address under which callers reach the server; links in answers begin with it, and sites that are read see it in the User-Agent.",
      "the request's Host",
    ),
    trustProxy: setting(
      "TRUST_PROXY",
      flag,
      false,
      "1 when a reverse proxy stands in front: X-Forwarded-* headers are then believed.",
      "`0`",
    ),
    corsOrigins: setting(
      "CORS_ORIGINS",
      origins,
      [],
      "Web origins whose pages may call the API from a browser.",
      "none",
    ),
    logLevel: setting("LOG_LEVEL", oneOf(logLevels), "info", "How much is logged, as JSON lines on standard output."),
  },
  Storage: {
    dataDir: setting(
      "DATA_DIR",
      text,
      "./data",
      "Folder of the embedded database and the server's secret (mode 0700).",
    ),
    databaseUrl: setting(
      "DATABASE_URL",
      postgresUrl,
      null,
      "PostgreSQL to use instead of the embedded database; several servers may share it.",
    ),
    secret: setting(
      "TRAWL_SECRET",
      secretText,
      null,
      "Seals what durable jobs must remember in secret. Required with DATABASE_URL, the same on every server.",
      "made in DATA_DIR at the first start",
    ),
  },
  Accounts: {
    auth: setting(
      "TRAWL_AUTH",
      oneOf(["keys", "none"]),
      "keys",
      "`keys`: every request needs an API key. `none`: open mode for one machine; web pages of other origins are refused.",
    ),
    apiKeys: setting(
      "TRAWL_API_KEYS",
      teamKeys,
      [],
      "Teams and keys made at start when they are missing: `team:key[:requestsPerMinute]`, separated by commas. " +
        "requestsPerMinute holds for every group of that team (status calls 50 times as many); 0 = no limit.",
      "none",
    ),
    webhookSecret: setting(
      "WEBHOOK_SECRET",
      text,
      null,
      "Secret that signs webhooks: HMAC-SHA256 of the body in X-Webhook-Signature and X-Firecrawl-Signature. " +
        "Without it they are not signed.",
    ),
    creditsPerMonth: setting(
      "CREDITS_PER_MONTH",
      wholeNumber(0, 1_000_000_000),
      0,
      "Credits a team may use in a calendar month (UTC). 0 = unlimited.",
    ),
    teamConcurrency: setting(
      "TEAM_CONCURRENCY",
      wholeNumber(1, 10_000),
      50,
      "Pages that a team may have in work at the same time.",
    ),
    rateLimitScrape: setting(
      "RATE_LIMIT_SCRAPE",
      perMinute,
      500,
      "Requests per team and minute for scrape, parse, map and search. 0 = no limit.",
    ),
    rateLimitJob: setting(
      "RATE_LIMIT_JOB",
      perMinute,
      100,
      "The same for starting crawls, batches, extracts, agents and monitors.",
    ),
    rateLimitStatus: setting(
      "RATE_LIMIT_STATUS",
      perMinute,
      25_000,
      "The same for status, listing, cancelling and usage calls.",
    ),
    rateLimitBrowser: setting("RATE_LIMIT_BROWSER", perMinute, 100, "The same for creating browser sessions."),
    rateLimitExecute: setting("RATE_LIMIT_EXECUTE", perMinute, 500, "The same for running code in browser sessions."),
  },
  Network: {
    allowedPrivateHosts: setting(
      "ALLOWED_PRIVATE_HOSTS",
      allowList,
      [],
      "Names, addresses or CIDRs, each optionally with :port and separated by commas, that may be read although they are " +
        "private. A name allows only what exactly that name resolves to. This server's own ports and its database's stay closed.",
      "none",
    ),
    proxyServer: setting(
      "PROXY_SERVER",
      httpUrl,
      null,
      "Proxy through which pages are fetched. Addresses are judged here first.",
    ),
    proxyUsername: setting("PROXY_USERNAME", text, null, "User of the proxy."),
    proxyPassword: setting("PROXY_PASSWORD", text, null, "Password of the proxy."),
    dnsServer: setting(
      "DNS_SERVER",
      hostAndPort,
      null,
      "DNS server to ask instead of the system's resolver.",
      "the system's",
    ),
    hostConcurrency: setting(
      "HOST_CONCURRENCY",
      wholeNumber(1, 1000),
      4,
      "Requests to one host at the same time, over all teams of this process.",
    ),
    connectTimeoutMs: setting(
      "CONNECT_TIMEOUT_MS",
      wholeNumber(100, 120_000),
      10_000,
      "Time for connecting to a page's server.",
    ),
    idleTimeoutMs: setting(
      "IDLE_TIMEOUT_MS",
      wholeNumber(100, 300_000),
      15_000,
      "Longest silence while a page arrives.",
    ),
    maxPageBytes: setting(
      "MAX_PAGE_BYTES",
      wholeNumber(1024, 1024 * megabyte),
      50 * megabyte,
      "Size of a page as it arrives.",
    ),
    maxPageDecodedBytes: setting(
      "MAX_PAGE_DECODED_BYTES",
      wholeNumber(1024, 1024 * megabyte),
      100 * megabyte,
      "Size of a page after its compression is undone.",
    ),
  },
  Jobs: {
    workerConcurrency: setting(
      "WORKER_CONCURRENCY",
      wholeNumber(1, 10_000),
      64,
      "Pages of crawls and batches that this process works on at the same time.",
    ),
    respectRobots: setting(
      "RESPECT_ROBOTS",
      oneOf(["crawl", "all", "off"]),
      "crawl",
      "Who obeys robots.txt. `crawl`: crawls and maps. `all`: also pages that a caller names. `off`: crawls, unless their " +
        "caller sets ignoreRobotsTxt.",
    ),
  },
  Extract: extractSettings,
  Pages: {
    sharedCache: setting(
      "SHARED_CACHE",
      flag,
      false,
      "1: a copy of a page fetched for one team may serve another. Pages of ALLOWED_PRIVATE_HOSTS are never shared.",
      "`0`",
    ),
    pageCacheDays: setting("PAGE_CACHE_DAYS", wholeNumber(1, 3650), 30, "Days that copies of pages are kept."),
    pageCacheMegabytes: setting(
      "PAGE_CACHE_MB",
      wholeNumber(1, 10_000_000),
      4096,
      "Room for copies of pages, compressed; the oldest go first.",
    ),
    contentThreads: setting(
      "CONTENT_THREADS",
      wholeNumber(1, 256),
      Math.max(1, availableParallelism() - 1),
      "Threads that turn pages into content.",
      "one less than the cores",
    ),
    contentTimeoutMs: setting(
      "CONTENT_TIMEOUT_MS",
      wholeNumber(100, 300_000),
      20_000,
      "Time for turning one page into content.",
    ),
    contentMemoryMb: setting("CONTENT_MEMORY_MB", wholeNumber(64, 65_536), 512, "Memory of one such thread."),
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
      "Size of a JSON request body; more is 413.",
    ),
    maxUploadBytes: setting(
      "MAX_UPLOAD_BYTES",
      wholeNumber(1024, 1024 * megabyte),
      50 * megabyte,
      "Size of an uploaded file; more is 413.",
    ),
    maxJsonDepth: setting("MAX_JSON_DEPTH", wholeNumber(4, 10_000), 64, "Nesting of a JSON body; more is 400."),
    maxJsonObjectKeys: setting(
      "MAX_JSON_OBJECT_KEYS",
      wholeNumber(16, 1_000_000),
      1000,
      "Keys in one object of a JSON body; more is 400.",
    ),
    maxJsonKeys: setting("MAX_JSON_KEYS", wholeNumber(16, 10_000_000), 100_000, "Keys in a JSON body; more is 400."),
    maxJsonItems: setting(
      "MAX_JSON_ITEMS",
      wholeNumber(16, 10_000_000),
      200_000,
      "Items in the lists and objects of a JSON body; more is 400.",
    ),
    maxHeaderBytes: setting(
      "MAX_HEADER_BYTES",
      wholeNumber(4096, megabyte),
      16_384,
      "Size of a request's headers; more is 431.",
    ),
    headersTimeoutMs: setting(
      "HEADERS_TIMEOUT_MS",
      wholeNumber(100, 600_000),
      15_000,
      "Time in which a request's headers must arrive.",
    ),
    requestTimeoutMs: setting(
      "REQUEST_TIMEOUT_MS",
      wholeNumber(100, 3_600_000),
      60_000,
      "Time in which a whole request, body included, must arrive.",
    ),
    maxConnections: setting("MAX_CONNECTIONS", wholeNumber(1, 1_000_000), 2000, "Connections open at the same time."),
    memoryLimitMb: setting(
      "MEMORY_LIMIT_MB",
      wholeNumber(0, 10_000_000),
      0,
      "Memory of this server; above 85 % of it new jobs are refused with 503. 0: the limit of its container, if it has one.",
    ),
    jobLeaseMs: setting(
      "JOB_LEASE_MS",
      wholeNumber(1000, 600_000),
      30_000,
      "A process that shows no sign of life for so long loses its pages to others, and its browser sessions.",
    ),
    stopTimeoutMs: setting(
      "STOP_TIMEOUT_MS",
      wholeNumber(0, 600_000),
      25_000,
      "Time that running requests have to finish after SIGTERM.",
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

/** `model`: the language model that the settings choose, null when they name none. */
export type Config = Readonly<
  Omit<Values, "host" | "dataDir"> & {
    host: string;
    dataDir: string;
    searchPath: string;
    model: ModelEndpoint | null;
  }
>;

/** A setting that cannot be used; its message is one sentence for the operator. */
export class ConfigError extends Error {}

/** Some programs that read env files leave quotes around a value, or a comment in its place. */
function plainValue(text = ""): string {
  const value = text.trim().replace(/^(["'])(.*)\1$/, "$2");
  return value.startsWith("#") ? "" : value.trim();
}

/** Reads the settings; an empty variable counts as absent. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const values: Record<string, unknown> = {};
  for (const section of Object.values(settingSections)) {
    for (const [name, entry] of Object.entries(section) as [string, Setting<unknown>][]) {
      const given = plainValue(env[entry.env]);
      const value = given === "" ? entry.fallback : entry.read(given);
      if (value === undefined) throw new ConfigError(`${entry.env} takes ${entry.takes}.`);
      values[name] = value;
    }
  }
  const config = values as unknown as Values;
  if (config.databaseUrl !== null && config.secret === null) {
    throw new ConfigError(
      "TRAWL_SECRET must be set with DATABASE_URL: it takes at least 32 characters, the same on every server.",
    );
  }
  if (config.auth === "none" && config.corsOrigins.includes("*")) {
    throw new ConfigError("CORS_ORIGINS takes no * with TRAWL_AUTH=none: every web page could drive the server.");
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
    /** Where programs are looked for. */
    searchPath: env.PATH ?? "",
    host: config.host ?? (config.apiKeys.length > 0 && config.auth === "keys" ? "0.0.0.0" : "127.0.0.1"),
    dataDir: resolve(config.dataDir ?? "./data"),
  });
}
