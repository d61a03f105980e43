export { type HttpDeps, type HttpOptions, type HttpServer, startHttpServer } from "./server.ts";
