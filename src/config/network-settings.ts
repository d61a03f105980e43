// How pages are fetched.
import { hostAndPort, httpUrl, setting, text, wholeNumber } from "../base/index.ts";
import { parseAllowList } from "../net/index.ts";

const allowList = {
  takes: "comma-separated hostnames, IP addresses or CIDR ranges, each optionally with :port",
  read: parseAllowList,
};

const megabyte = 1024 * 1024;

export const networkSettings = {
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
};
