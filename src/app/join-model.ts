// The language model that the settings choose. Its room is loaded with the first question, so that an idle server stays
// small.
import type { Config } from "../config.ts";
import type { Model, ModelDeps } from "../llm/index.ts";
import { createLanguageModel, type LanguageModel } from "../pages/index.ts";

export type OpenModel = () => Promise<Model>;

export function joinModel(config: Config, deps: ModelDeps): OpenModel | null {
  const { model: endpoint, llmConcurrency: concurrency, llmTokensPerMonth: tokensPerMonth } = config;
  if (endpoint === null) return null;
  let opening: Promise<Model> | null = null;
  return () => {
    // Loaded with the first question: an idle server stays small.
    opening ??= import("../llm/index.ts").then(({ createModel }) =>
      createModel(deps, endpoint, { concurrency, tokensPerMonth }),
    );
    return opening;
  };
}

/** As operations ask it; null when none is configured. */
export function joinLanguageModel(config: Config, openModel: OpenModel | null): LanguageModel | null {
  if (openModel === null || config.model === null) return null;
  const { llmContextTokens: contextTokens, llmMaxOutputTokens: maxOutputTokens } = config;
  const { llmTimeoutMs: timeoutMs, llmTokensPerRequest: tokensPerRequest } = config;
  const limits = { contextTokens, maxOutputTokens, timeoutMs, tokensPerRequest };
  return createLanguageModel({ name: config.model.name, openModel }, limits);
}
