export * from "./browser/index.ts";
export { createHttpEngine, type EngineRequest, type HttpEngine } from "./http/http-engine.ts";
export { browserNeeds, chooseEngine, type EngineChoice, type OutputNeeds, whyRender } from "./page/choose-engine.ts";
export type { EngineName, Outcome, Page } from "./page/fetched-page.ts";
export * from "./programs/index.ts";
export { wayOf } from "./visitor/proxy-way.ts";
export { acceptLanguage } from "./visitor/visitor-country.ts";
