// The model that the operator configured.
import type { Clock } from "../base/index.ts";
import type { Net } from "../net/index.ts";
import { type BudgetOptions, createBudget, type TokenLedger } from "./budget.ts";
import { createEndpointFetch, type ModelEndpoint } from "./endpoint.ts";
import { fill } from "./fill.ts";
import { createLadder } from "./ladder.ts";
import type { Model, ModelRequest } from "./model.ts";
import { createProvider } from "./provider.ts";
import { withoutThoughts } from "./repair.ts";
import { openSession, type Session } from "./session.ts";

export interface ModelDeps {
  net: Pick<Net, "fetch">;
  clock: Clock;
  ledger: TokenLedger;
}

export function createModel(deps: ModelDeps, endpoint: ModelEndpoint, options: BudgetOptions): Model {
  const provider = createProvider(endpoint, createEndpointFetch(deps, endpoint));
  const budget = createBudget(deps, options);
  const ladder = createLadder(deps.clock);
  const ladderKey = `${endpoint.baseUrl} ${endpoint.name}`;

  async function within<Answer>(request: ModelRequest, work: (session: Session) => Promise<Answer>): Promise<Answer> {
    const session = openSession({ provider, budget }, request);
    try {
      return await work(session);
    } finally {
      session.close();
    }
  }

  return {
    name: endpoint.name,
    ask: (request) =>
      within(request, async (session) => {
        const answer = await session.ask({ rung: "text", turns: [request.prompt], schema: null });
        if (!answer.ok) return { ok: false, code: answer.code, message: answer.message, tokens: answer.tokens };
        const text = withoutThoughts(answer.text);
        if (text !== "") return { ok: true, text, isCutOff: answer.isCutOff, tokens: session.tokens() };
        const message = "The language model answered with nothing.";
        return { ok: false, code: "MODEL_ANSWER_UNUSABLE", message, tokens: session.tokens() };
      }),
    fill: (request) => within(request, (session) => fill({ session, ladder, ladderKey }, request)),
  };
}
