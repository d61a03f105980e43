// Where the server listens, and what it accepts from callers.
import { flag, hostName, httpUrl, logLevels, oneOf, origins, setting, wholeNumber } from "../base/index.ts";

const megabyte = 1024 * 1024;

export const serverSettings = {
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
  nodeUrl: setting(
    "NODE_URL",
    httpUrl,
    null,
    "URL under which the other servers of the same database reach this one, to render pages and for browser sessions.",
    "HOST, or the first address of this machine, with PORT",
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
};

export const limitSettings = {
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
};
