export { type BrowserEngineOptions, createBrowserEngine } from "./browser-engine.ts";
export type { DoneStep, FlowReport, FlowWork, HealedStep } from "./flow-work.ts";
export { hideSecretFields } from "./hide-fields.ts";
export type { NetworkLook } from "./network-kinds.ts";
export type {
  ActionFailure,
  ActionResults,
  BrowserEngine,
  BrowserStatus,
  RenderedPage,
  RenderFailure,
  RenderOutcome,
  RenderRequest,
} from "./render.ts";
export { type PageQuestion, type Screencast, startScreencast } from "./screencast.ts";
export type { SessionExchange, SessionNetwork } from "./session-network.ts";
export type { BrowserSession } from "./session-process.ts";
export type { SessionRecorder } from "./session-recorder.ts";
export type { StorageState } from "./session-storage.ts";
export type { NetworkEntry, NetworkRecord } from "./watch-network.ts";
