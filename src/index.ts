// What programs import that embed Trawl.
export { type App, type AppDeps, start, version } from "./app.ts";
export { createLog, type Logger } from "./base/index.ts";
export { type Config, ConfigError, loadConfig } from "./config.ts";
