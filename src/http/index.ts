export { type HttpDeps, type HttpOptions, type HttpServer, startHttpServer } from "./http-server.ts";
export { whyNotListen } from "./port-check.ts";
