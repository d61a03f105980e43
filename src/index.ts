// What programs import that embed Trawl.
import { type App, type EmbeddedDeps, start } from "./app.ts";
import type { Config } from "./config.ts";

export { type App, type EmbeddedDeps, version } from "./app.ts";
export { createLog, type Logger } from "./base/index.ts";
export { type Config, ConfigError, loadConfig } from "./config.ts";

/** Without the parts inside, which change from version to version. */
const startEmbedded: (config: Config, deps: EmbeddedDeps) => Promise<App> = start;

export { startEmbedded as start };
