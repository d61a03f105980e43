// How pages are fetched.
import { splitList } from "../base/index.ts";
import { parseAllowList, parseUpstream, type Upstream } from "../net/index.ts";
import { flag, hostAndPort, oneOf, optional, optionalUrl, setting, settingFamily, wholeNumber } from "./setting.ts";

const allowList = {
  takes: "comma-separated hostnames, IP addresses or CIDR ranges, each optionally with :port",
  read: parseAllowList,
};

const proxyUrl = {
  takes: "a URL that starts with http://, https:// or socks5://",
  read: (value: string): Upstream | null | undefined => parseUpstream(value) ?? undefined,
};

const proxyUrls = {
  takes: "a comma-separated list of URLs that start with http://, https:// or socks5://",
  read(value: string): readonly Upstream[] | undefined {
    const list = splitList(value).map((each) => parseUpstream(each));
    return list.every((each) => each !== null) ? list : undefined;
  },
};

const countryProxies = {
  ...proxyUrls,
  nameOf(suffix: string): { name: string } | string {
    return /^[a-z]{2}$/i.test(suffix) ? { name: suffix.toUpperCase() } : "must end with a two-character country code";
  },
};

const megabyte = 1024 * 1024;

export const networkSettings = {
  allowedPrivateHosts: setting(
    "ALLOWED_PRIVATE_HOSTS",
    allowList,
    [],
    "Private hosts that may be fetched: comma-separated hostnames, IP addresses or CIDR ranges, each optionally with :port. " +
      "A hostname allows only the addresses that exactly this name resolves to. The ports of this server and its database " +
      "stay blocked.",
  ),
  proxyServer: setting(
    "PROXY_SERVER",
    proxyUrl,
    null,
    "Proxy for fetching pages. This server still checks every URL and IP address, and sends the proxy IP addresses instead " +
      "of names.",
  ),
  proxyPool: setting(
    "PROXY_POOL",
    proxyUrls,
    [],
    "Proxies for fetching pages, used in rotation. A host keeps its proxy while that proxy works. Cannot be combined with " +
      "PROXY_SERVER.",
  ),
  proxyUsername: optional("PROXY_USERNAME", "Username for proxies of PROXY_SERVER and PROXY_POOL whose URL has none."),
  proxyPassword: optional("PROXY_PASSWORD", "Password for the same proxies."),
  proxyEnhanced: setting(
    "PROXY_ENHANCED",
    proxyUrls,
    [],
    'Better proxies, for requests with proxy "enhanced", and with "auto" for pages that all other attempts failed to fetch.',
  ),
  proxyCountries: settingFamily(
    "PROXY_COUNTRY_<CC>",
    countryProxies,
    "Proxies in the country with this two-character code, such as PROXY_COUNTRY_DE. Used for requests whose " +
      "location.country names it.",
  ),
  allowCallerProxy: setting(
    "ALLOW_CALLER_PROXY",
    flag,
    false,
    "Set to 1 to let callers use their own proxy (proxyUrl in POST /v2/scrape). Its host is checked like that of a page.",
  ),
  flaresolverrUrl: optionalUrl(
    "FLARESOLVERR_URL",
    "URL of FlareSolverr or Byparr, such as http://127.0.0.1:8191. May be on a private network. It is asked for pages behind a " +
      "challenge that no other attempt got past, unless a request has proxy `basic`. It connects to sites by itself: keep " +
      "private hosts out of its reach.",
  ),
  proxyCooldownMs: setting(
    "PROXY_COOLDOWN_MS",
    wholeNumber(0, 86_400_000),
    60_000,
    "Time for which a proxy that did not respond is not used, in milliseconds. While that applies to all proxies of a pool, " +
      "its pages fail: they are never fetched without a proxy.",
  ),
  identity: setting(
    "IDENTITY",
    oneOf(["trawl", "browser"]),
    "trawl",
    "How this server identifies itself to sites. `trawl`: as TrawlBot, with PUBLIC_URL as the contact. `browser`: with the " +
      "User-Agent and client hints of the installed Chromium, which it requires. robots.txt is obeyed as TrawlBot in both " +
      "cases.",
  ),
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
    "Requests to one host at the same time, for all teams and all servers on one database.",
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
