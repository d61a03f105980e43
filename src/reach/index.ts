export { createReach, type Reach, type ReachOptions } from "./assembly/create-reach.ts";
export type {
  NotModified,
  ReachedPage,
  ReachFailure,
  ReachWork,
} from "./attempts/reach-request.ts";
export {
  type OpenProfile,
  savesProfile,
} from "./fetching/browser-profiles.ts";
export type { BrowserTasks, PageConditions } from "./fetching/make-attempt.ts";
export { loadDiscovery } from "./robots/load-discovery.ts";
export { headersFor, type ReadRules, type RulesRequest } from "./robots/read-rules.ts";
export { isOffline, type RobotsCheck, type RobotsChecks, type RobotsRefusal } from "./robots/robots-check.ts";
export { canonicalHost, createTargetCheck, type TargetCheck } from "./url-checks/target-lists.ts";
export { type CheckUrl, requireAllowedUrl } from "./url-checks/url-check.ts";
