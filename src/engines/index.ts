export { createHttpEngine, type Engine, type EngineRequest, type HttpEngineDeps } from "./http.ts";
export { acceptLanguage } from "./language.ts";
export type { EngineName, Outcome, Page } from "./page.ts";
