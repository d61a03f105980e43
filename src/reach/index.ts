export { createReach, type Reach, type ReachOptions } from "./assembly/create-reach.ts";
export type {
  AttemptReading,
  NotModified,
  ReachedPage,
  ReachFailure,
  ReachWork,
} from "./attempts/reach-request.ts";
export {
  type BrowserProfiles,
  type OpenProfile,
  type ProfileRefusal,
  savesProfile,
} from "./fetching/browser-profiles.ts";
export type { BrowserTasks, PageConditions } from "./fetching/make-attempt.ts";
export type { HostStats } from "./hosts/host-stats.ts";
export { loadDiscovery } from "./robots/load-discovery.ts";
export { headersFor, type ReadRules, type RulesRequest } from "./robots/read-rules.ts";
export { isOffline, type RobotsCheck, type RobotsChecks, type RobotsRefusal } from "./robots/robots-check.ts";
export type { CallerProxyCheck } from "./url-checks/proxy-check.ts";
export { type CheckUrl, requireAllowedUrl } from "./url-checks/url-check.ts";
