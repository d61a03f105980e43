export { type BrowserEngineDeps, type BrowserEngineOptions, createBrowserEngine } from "./browser-engine.ts";
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
} from "./render.ts";
export { type PageQuestion, type Screencast, startScreencast } from "./screencast.ts";
export type { BrowserSession, SessionOutcome, SessionRequest } from "./session-process.ts";
export type { StorageState } from "./session-storage.ts";
