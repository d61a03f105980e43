// Where the server listens, and what it accepts from callers.
import { logLevels } from "../base/index.ts";
import { hostName, oneOf, optionalUrl, origins, proxies, setting, wholeNumber } from "./setting.ts";

const megabyte = 1024 * 1024;

export const serverSettings = {
  port: setting("PORT", wholeNumber(0, 65535), 3002, "Port of the API. 0 chooses a free port."),
  host: setting(
    "HOST",
    hostName,
    null,
    "IP address or hostname to listen on. By default only this machine can connect, unless TRAWL_API_KEYS is set.",
    "`127.0.0.1`, or `0.0.0.0` with TRAWL_API_KEYS",
  ),
  publicUrl: optionalUrl(
    "PUBLIC_URL",
    "Public URL of this server. Links in responses start with it, and sites see it in the User-Agent. Set it behind a " +
      "reverse proxy.",
    "the Host of the request",
  ),
  nodeUrl: optionalUrl(
    "NODE_URL",
    "URL at which the other servers on the same database reach this one, to render pages and for browser sessions.",
    "HOST, or the first address of this machine, with PORT",
  ),
  trustProxy: setting<number | string[] | false>(
    "TRUST_PROXY",
    proxies,
    false,
    "Behind reverse proxies: how many there are, or a comma-separated list of their IP addresses and ranges. Then " +
      "X-Forwarded-* headers count, and a caller's address is the rightmost one of X-Forwarded-For that none of them added.",
    "`0`",
  ),
  corsOrigins: setting("CORS_ORIGINS", origins, [], "Web origins whose pages may call the API from a browser.", "none"),
  logLevel: setting(
    "LOG_LEVEL",
    oneOf(logLevels),
    "info",
    "Minimum level of log messages, which are written to standard output as JSON lines.",
  ),
};

export const limitSettings = {
  maxBodyBytes: setting(
    "MAX_BODY_BYTES",
    wholeNumber(1024, 1024 * megabyte),
    10 * megabyte,
    "Maximum size of a JSON request body, in bytes. Larger bodies are refused with 413.",
  ),
  maxUploadBytes: setting(
    "MAX_UPLOAD_BYTES",
    wholeNumber(1024, 1024 * megabyte),
    50 * megabyte,
    "Maximum size of an uploaded file, in bytes. Larger files are refused with 413.",
  ),
  maxJsonDepth: setting(
    "MAX_JSON_DEPTH",
    wholeNumber(4, 10_000),
    64,
    "Maximum nesting depth of a JSON body. Deeper bodies are refused with 400.",
  ),
  maxJsonObjectKeys: setting(
    "MAX_JSON_OBJECT_KEYS",
    wholeNumber(16, 1_000_000),
    1000,
    "Maximum number of keys in one object of a JSON body. Larger objects are refused with 400.",
  ),
  maxJsonKeys: setting(
    "MAX_JSON_KEYS",
    wholeNumber(16, 10_000_000),
    100_000,
    "Maximum number of keys in a JSON body. More are refused with 400.",
  ),
  maxJsonItems: setting(
    "MAX_JSON_ITEMS",
    wholeNumber(16, 10_000_000),
    200_000,
    "Maximum number of items in all arrays and objects of a JSON body. More are refused with 400.",
  ),
  maxHeaderBytes: setting(
    "MAX_HEADER_BYTES",
    wholeNumber(4096, megabyte),
    16_384,
    "Maximum size of the request headers, in bytes. Larger ones are refused with 431.",
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
  maxConnections: setting(
    "MAX_CONNECTIONS",
    wholeNumber(1, 1_000_000),
    2000,
    "Maximum number of open connections. Requests on more are refused with 503 and Retry-After.",
  ),
  memoryLimitMb: setting(
    "MEMORY_LIMIT_MB",
    wholeNumber(0, 10_000_000),
    0,
    "Memory limit of this server, in megabytes. Above 85 % of it, new jobs are refused with 503. 0 uses the limit of the " +
      "container, if there is one.",
  ),
  jobLeaseMs: setting(
    "JOB_LEASE_MS",
    wholeNumber(1000, 600_000),
    30_000,
    "Time without a heartbeat after which other processes take over the pages of a process and end its browser sessions, in " +
      "milliseconds.",
  ),
  stopTimeoutMs: setting(
    "STOP_TIMEOUT_MS",
    wholeNumber(0, 600_000),
    25_000,
    "Time that running requests have to finish after SIGTERM, in milliseconds.",
  ),
};
