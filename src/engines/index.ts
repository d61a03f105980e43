export { createHttpEngine, type Engine, type EngineRequest, type HttpEngineDeps } from "./http.ts";
export type { EngineName, Outcome, Page } from "./page.ts";
