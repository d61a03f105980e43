export type { DashboardFaceDeps } from "./dashboard-route.ts";
export { whyNotListen } from "./port-check.ts";
export { type HttpDeps, type HttpOptions, type HttpServer, startHttpServer } from "./server.ts";
