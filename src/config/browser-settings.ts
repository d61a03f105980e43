// The settings of the browser: which one, how it is shut in, what it leaves out.
import { availableParallelism } from "node:os";
import { flag, httpUrl, parseUrl, setting, splitList, text, wholeNumber } from "../base/index.ts";

const debuggingUrl = {
  takes: "an address that starts with ws://, wss://, http:// or https://",
  read: (value: string): string | null | undefined =>
    /^(ws|http)s?:$/.test(parseUrl(value)?.protocol ?? "") ? value : undefined,
};

const fileList = {
  takes: "file names, separated by commas",
  read: (value: string): readonly string[] | undefined => splitList(value),
};

export const browserSettings = {
  chromiumPath: setting(
    "CHROMIUM_PATH",
    text,
    null,
    "Chromium to render pages with.",
    "the first of PATH and the usual places",
  ),
  browserWsEndpoint: setting(
    "BROWSER_WS_ENDPOINT",
    debuggingUrl,
    null,
    "Address of a remote Chromium's debugging port, used instead of one on this machine. Needs EGRESS_PROXY_URL.",
  ),
  egressProxyUrl: setting(
    "EGRESS_PROXY_URL",
    httpUrl,
    null,
    "Proxy through which the pages of the remote browser go out. It must refuse private addresses: their traffic does not " +
      "pass this server, which judges only the addresses that pages ask for.",
  ),
  browserNoSandbox: setting(
    "BROWSER_NO_SANDBOX",
    flag,
    false,
    "1: start Chromium without its sandbox, where the system forbids it. A page that breaks Chromium then has the rights " +
      "of its user.",
    "`0`",
  ),
  browserConcurrency: setting(
    "BROWSER_CONCURRENCY",
    wholeNumber(1, 256),
    availableParallelism(),
    "Pages that are rendered at the same time.",
    "the cores",
  ),
  blockLists: setting(
    "BLOCK_LISTS",
    fileList,
    [],
    "Filter lists on disk, in the syntax of ad blockers, that blockAds uses besides its own short one.",
    "none",
  ),
  teamSessions: setting(
    "TEAM_SESSIONS",
    wholeNumber(1, 1000),
    10,
    "Browser sessions that a team may have at the same time; more is 429.",
  ),
  maxSessions: setting(
    "MAX_SESSIONS",
    wholeNumber(0, 1000),
    32,
    "Browser sessions of all teams that this process holds; more is 503. Each is a Chromium of its own.",
  ),
  sessionUrl: setting(
    "SESSION_URL",
    httpUrl,
    null,
    "Address under which callers reach this very process; links to browser sessions begin with it. Needed where several " +
      "servers share one address, because a session lives in one of them.",
    "PUBLIC_URL, or the request's Host",
  ),
};

/** What is wrong with them together, in one sentence; null when nothing is. */
export function checkBrowserSettings(settings: {
  browserWsEndpoint: string | null;
  egressProxyUrl: string | null;
}): string | null {
  if (settings.browserWsEndpoint === null || settings.egressProxyUrl !== null) return null;
  return (
    "EGRESS_PROXY_URL must be set with BROWSER_WS_ENDPOINT: it takes the address of the proxy through which the remote " +
    "browser's pages go out, because this server cannot judge their traffic."
  );
}
