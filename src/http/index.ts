export type { DashboardFaceDeps } from "./dashboard-route.ts";
export { type HttpDeps, type HttpOptions, type HttpServer, startHttpServer } from "./http-server.ts";
export { whyNotListen } from "./port-check.ts";
