// The configured language model. Its room is loaded with the first question, so that an idle server stays small.
import { createLazy } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { LanguageModel, Model, ModelDeps } from "../llm/index.ts";

export interface ModelPart {
  /** The service itself, for `trawl doctor`. */
  open(): Promise<Model>;
  /** As features use it. */
  languageModel: LanguageModel;
}

/** Null when none is configured. */
export function joinModel(config: Config, deps: ModelDeps): ModelPart | null {
  const { model: endpoint, llmConcurrency: concurrency, llmTokensPerMonth: tokensPerMonth } = config;
  if (endpoint === null) return null;
  const limits = {
    contextTokens: config.llmContextTokens,
    maxOutputTokens: config.llmMaxOutputTokens,
    timeoutMs: config.llmTimeoutMs,
    tokensPerRequest: config.llmTokensPerRequest,
  };
  const service = createLazy(async () => {
    // Loaded with the first question: an idle server stays small.
    const { createModel, createModelUse } = await import("../llm/index.ts");
    return { model: await createModel(deps, endpoint, { concurrency, tokensPerMonth }), createModelUse };
  });
  return {
    open: async () => (await service.open()).model,
    languageModel: {
      name: endpoint.name,
      async open(asker) {
        const { model, createModelUse } = await service.open();
        return createModelUse(model, limits, asker);
      },
    },
  };
}
