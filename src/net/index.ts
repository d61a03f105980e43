export { parseAllowList } from "./allow-list.ts";
export type { BrowserChannel, Permits } from "./browser-channels.ts";
export type { BrowserProxy } from "./browser-proxy.ts";
export {
  type CompanyProxy,
  createCompanyProxy,
  parseCompanyProxy,
  parseExceptions,
  proxiedTarget,
} from "./company-proxy.ts";
export type { DevtoolsClient } from "./devtools-client.ts";
export type { DevtoolsGateway } from "./devtools-gateway.ts";
export { whyNotReachable } from "./dial.ts";
export type { Fetch, FetchRequest } from "./fetch.ts";
export { isConnectionHeader, parseRetryAfter } from "./headers.ts";
export type { ArchivedAnswer, ArchiveUse, BodyCut, HeaderPair, KeptExchange } from "./kept-exchange.ts";
export { createNet, type Net, type NetOptions } from "./net.ts";
export {
  aboutProxy,
  type FetchFailure,
  type FetchFailureCode,
  type FetchOutcome,
  type FetchSuccess,
  type RedirectDeclined,
  type ResponseHeaders,
  stoppedBy,
} from "./outcome.ts";
export type { HostShare } from "./pace.ts";
export {
  type ProxySettings,
  type ProxyTier,
  type ProxyUse,
  parseUpstream,
  type Upstream,
  type Way,
} from "./upstreams.ts";
