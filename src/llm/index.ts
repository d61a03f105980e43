// Language models: one small interface over the services that operators have. Page text is data, answers are checked,
// failures are values.
export { createAllowance } from "./budget.ts";
export { createModel, type ModelDeps } from "./create-model.ts";
export { examineModel } from "./examine.ts";
export type { Check, Model, ModelFailure, Path, Problem, StructuredRequest } from "./model.ts";
export type { ModelEndpoint } from "./model-endpoint.ts";
export { type Asker, createModelUse, type LanguageModel, type ModelUse, type OpenUse } from "./model-use.ts";
export type { PagePrompt, PageText, Question } from "./prompt.ts";
export type { FilledPages } from "./read-pages.ts";
export type { Passage } from "./support.ts";
