// The model that the operator configured.
import type { Clock } from "../base/index.ts";
import type { Net } from "../net/index.ts";
import { type BudgetOptions, createBudget, type TokenLedger } from "./budget.ts";
import { openEndpointCall } from "./endpoint-fetch.ts";
import { fillForm } from "./fill-form.ts";
import type { Model, ModelFailure, ModelRequest, TextAnswer } from "./model.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";
import { type ModelSession, maxContinuations, openModelSession } from "./model-session.ts";
import { createOutputModes } from "./output-modes.ts";
import { createProvider } from "./provider.ts";
import { joinContinuation, withoutThoughts } from "./repair.ts";

export interface ModelDeps {
  net: Pick<Net, "fetch">;
  clock: Clock;
  ledger: TokenLedger;
}

export function createModel(deps: ModelDeps, endpoint: ModelEndpoint, options: BudgetOptions): Model {
  const provider = createProvider(endpoint, () => openEndpointCall(deps, endpoint));
  const budget = createBudget(deps, options);
  const outputModes = createOutputModes(deps.clock);
  const modelKey = `${endpoint.baseUrl} ${endpoint.name}`;

  async function within<Answer>(
    request: ModelRequest,
    work: (session: ModelSession) => Promise<Answer>,
  ): Promise<Answer> {
    const session = openModelSession({ provider, budget, clock: deps.clock }, request);
    try {
      return await work(session);
    } finally {
      session.close();
    }
  }

  return {
    name: endpoint.name,
    ask: (request) => within(request, (session) => askInWords(session, request.prompt)),
    fill: (request) => within(request, (session) => fillForm({ session, outputModes, modelKey }, request)),
  };
}

/** An answer whose connection broke is continued where it ended. */
async function askInWords(session: ModelSession, prompt: string): Promise<TextAnswer | ModelFailure> {
  const first = await session.ask({ mode: "text", turns: [prompt], schema: null });
  if (!first.ok) return { ok: false, code: first.code, message: first.message, tokens: first.tokens };
  let { text, isCutOff, isBroken } = first;
  for (let count = 0; isBroken && count < maxContinuations; count += 1) {
    const more = await session.askToContinue(prompt, text);
    if (!more.ok) break;
    text = joinContinuation(text, more.text);
    ({ isCutOff, isBroken } = more);
  }
  const words = withoutThoughts(text);
  if (words !== "") return { ok: true, text: words, isCutOff, tokens: session.tokens() };
  const message = "The language model returned an empty answer.";
  return { ok: false, code: "MODEL_ANSWER_UNUSABLE", message, tokens: session.tokens() };
}
