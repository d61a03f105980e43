export type {
  ActionFailure,
  ActionResults,
  BrowserEngine,
  BrowserStatus,
  RenderedPage,
  RenderFailure,
  RenderFailureCode,
  RenderOutcome,
  RenderRequest,
  ScreenshotLook,
  StorageState,
} from "./browser/index.ts";
export { browserNeeds, chooseEngine, type EngineChoice, whyRender } from "./choose.ts";
export { createHttpEngine, type Engine, type EngineRequest, type HttpEngineDeps } from "./http.ts";
export { acceptLanguage } from "./language.ts";
export type { EngineName, Outcome, Page } from "./page.ts";
