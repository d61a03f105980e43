// Browser settings: which browser, its sandbox, what it blocks.
import { availableParallelism } from "node:os";
import { parseUrl, splitList } from "../base/index.ts";
import { flag, optional, optionalUrl, setting, share, wholeNumber } from "./setting.ts";

const debuggingUrl = {
  takes: "a URL that starts with ws://, wss://, http:// or https://",
  read: (value: string): string | null | undefined =>
    /^(ws|http)s?:$/.test(parseUrl(value)?.protocol ?? "") ? value : undefined,
};

const fileList = {
  takes: "a comma-separated list of file names",
  read: (value: string): readonly string[] | undefined => splitList(value),
};

export const browserSettings = {
  chromiumPath: optional(
    "CHROMIUM_PATH",
    "Path of the Chromium that renders pages. Set it when Chromium is not found, or to choose among several.",
    "the first one found in PATH and the usual locations",
  ),
  browserWsEndpoint: setting(
    "BROWSER_WS_ENDPOINT",
    debuggingUrl,
    null,
    "DevTools URL of a remote Chromium to use instead of a local one. Requires EGRESS_PROXY_URL.",
  ),
  egressProxyUrl: optionalUrl(
    "EGRESS_PROXY_URL",
    "Proxy for the traffic of the remote browser. It must block private IP addresses: this server checks the URLs that " +
      "pages request, but does not see that traffic.",
  ),
  browserNoSandbox: setting(
    "BROWSER_NO_SANDBOX",
    flag,
    false,
    "Set to 1 to start Chromium without its sandbox, where the system does not allow one. A page that exploits Chromium " +
      "then has the permissions of its user.",
  ),
  browserConcurrency: setting(
    "BROWSER_CONCURRENCY",
    wholeNumber(1, 256),
    availableParallelism(),
    "Pages that this process renders at the same time. Lower it if memory is short.",
    "number of cores",
  ),
  networkBodyBytes: setting(
    "NETWORK_BODY_BYTES",
    wholeNumber(1, 10_485_760),
    1_048_576,
    "Longest body of a response, in bytes, that the format network and recordings of the network hold.",
  ),
  blockLists: setting(
    "BLOCK_LISTS",
    fileList,
    [],
    "Paths of ad blocker filter lists that blockAds uses in addition to the built-in list.",
  ),
  teamSessions: setting(
    "TEAM_SESSIONS",
    wholeNumber(1, 1000),
    10,
    "Browser sessions that one team may have at the same time. More are refused with 429.",
  ),
  maxSessions: setting(
    "MAX_SESSIONS",
    wholeNumber(0, 1000),
    32,
    "Browser sessions that this process may run for all teams. More are refused with 503. Each session is a separate Chromium.",
  ),
  browserAddress: setting(
    "BROWSER_ADDRESS",
    flag,
    true,
    "Set to 0 to turn off the one URL for browser tools (`/browser?token=KEY`, docs/network.md) and the dialect browserless.",
  ),
  sessionRecording: setting(
    "SESSION_RECORDING",
    flag,
    true,
    "Record pictures and events of browser sessions. 0: no session is recorded.",
  ),
  sessionRecordingBytes: setting(
    "SESSION_RECORDING_BYTES",
    wholeNumber(0, 4_294_967_296),
    67_108_864,
    "Bytes of the pictures of one session. Beyond them no more pictures are kept; events go on.",
  ),
  sessionRecordingHours: setting(
    "SESSION_RECORDING_HOURS",
    wholeNumber(1, 8760),
    24,
    "Hours for which the recording of a session can be read after its end.",
  ),
  flowStepMs: setting(
    "FLOW_STEP_MS",
    wholeNumber(100, 30_000),
    5000,
    "How long the element of a flow's step is waited for, in milliseconds.",
  ),
  flowHealScore: setting(
    "FLOW_HEAL_SCORE",
    share,
    0.6,
    "How much an element must be like the one that a step was shown with to be taken by rules, from 0 to 1.",
  ),
  flowHealLead: setting("FLOW_HEAL_LEAD", share, 0.2, "How far it must be ahead of every other element, from 0 to 1."),
  sessionUrl: optionalUrl(
    "SESSION_URL",
    "Public URL of this process, used in links to its browser sessions. Any server on the same database can also serve " +
      "these links.",
    "PUBLIC_URL, or the Host of the request",
  ),
};

/** What is wrong with the combination, in one sentence; null when it is valid. */
export function checkBrowserSettings(settings: {
  browserWsEndpoint: string | null;
  egressProxyUrl: string | null;
}): string | null {
  if (settings.browserWsEndpoint === null || settings.egressProxyUrl !== null) return null;
  return (
    "EGRESS_PROXY_URL is required with BROWSER_WS_ENDPOINT: the URL of the proxy for the remote browser's traffic, " +
    "which this server cannot check."
  );
}
