export {
  type ActionFailure,
  type ActionResults,
  type BrowserEngine,
  type BrowserEngineOptions,
  type BrowserSession,
  type BrowserStatus,
  createBrowserEngine,
  type PageQuestion,
  type RenderedPage,
  type RenderFailure,
  type RenderOutcome,
  type RenderRequest,
  type Screencast,
  type StorageState,
  startScreencast,
} from "./browser/index.ts";
export { createHttpEngine, type EngineRequest, type HttpEngine } from "./http/http-engine.ts";
export { browserNeeds, chooseEngine, type EngineChoice, type OutputNeeds, whyRender } from "./page/choose-engine.ts";
export type { EngineName, Outcome, Page } from "./page/fetched-page.ts";
export {
  createProgramRunner,
  type ProgramOutcome,
  type ProgramRequest,
  type ProgramRunner,
  type ProgramRunnerOptions,
  readVerbLines,
  type SessionMemory,
} from "./programs/index.ts";
export { wayOf } from "./visitor/proxy-way.ts";
export { acceptLanguage } from "./visitor/visitor-country.ts";
