// Language models: one small interface over the services that operators have. Page text is data, answers are checked,
// failures are values.
export { type BudgetOptions, createAllowance, type TokenLedger } from "./budget.ts";
export { type CleanedText, cleanLines } from "./clean-lines.ts";
export { coerceTypes } from "./coerce-types.ts";
export { createModel, type ModelDeps } from "./create-model.ts";
export { examineModel, type ModelExamination } from "./examine.ts";
export type {
  Allowance,
  Check,
  Model,
  ModelFailure,
  ModelImage,
  ModelRequest,
  OutputMode,
  Path,
  Problem,
  StructuredAnswer,
  StructuredRequest,
  TextAnswer,
  Tokens,
} from "./model.ts";
export type { ModelEndpoint } from "./model-endpoint.ts";
export { buildPrompt, cleanText, type PagePrompt, type PageText, type Question, wordsOfSchema } from "./prompt.ts";
export {
  answerFromPages,
  type Doubts,
  examineWords,
  type FilledPages,
  fillByPrompt,
  fillFromPages,
  type ModelReading,
  type PageAnswer,
  quoteFromPages,
  type ReadingLimits,
  summarisePages,
} from "./read-pages.ts";
export { createSupport, dropUnsupported, type Passage, type Support } from "./support.ts";
export { chooseText, splitText } from "./text-sections.ts";
export { transcribeImage } from "./transcribe.ts";
