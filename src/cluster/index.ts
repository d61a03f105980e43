export { createCluster } from "./create-cluster.ts";
export type { Role } from "./directory.ts";
export { createElection } from "./election.ts";
export { openHostShare } from "./host-share.ts";
export { openStoreClock } from "./store-clock.ts";
