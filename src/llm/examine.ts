// What `trawl doctor` asks a model: something it must answer in JSON, and something long enough to measure its speed.
import { createAllowance } from "./budget.ts";
import type { Model, ModelFailure, ModelRequest, OutputMode, Problem } from "./model.ts";

export type ModelExamination =
  | { ok: true; mode: OutputMode; answerMs: number; tokensPerSecond: number; isRepaired: boolean }
  | ModelFailure;

const schema = {
  type: "object",
  properties: { city: { type: "string" }, inhabitants: { type: "integer" } },
  required: ["city", "inhabitants"],
};
const expected = { city: "Tallinn", inhabitants: 461_346 };

/** The team is charged with the tokens, which are some hundreds. */
export async function examineModel(
  model: Model,
  given: Pick<ModelRequest, "teamId" | "maxOutputTokens" | "timeoutMs" | "signal">,
): Promise<ModelExamination> {
  const request = {
    system: "Answer the question exactly and with nothing else.",
    allowance: createAllowance(0),
    ...given,
  };
  const startedAt = performance.now();
  const filled = await model.fill({
    ...request,
    prompt: `Which city does this sentence name, and how many inhabitants? "${expected.city} has ${expected.inhabitants} inhabitants."`,
    schema,
    check: findProblems,
  });
  const answerMs = performance.now() - startedAt;
  if (!filled.ok) return filled;
  if (JSON.stringify(filled.value) !== JSON.stringify(expected)) {
    const message = "The language model could not copy two values from one sentence. Try a larger model.";
    return { ok: false, code: "MODEL_ANSWER_UNUSABLE", message, tokens: filled.tokens };
  }
  const speedStart = performance.now();
  const counted = await model.ask({ ...request, prompt: "Write the numbers from 1 to 120, separated by spaces." });
  if (!counted.ok) return counted;
  const seconds = (performance.now() - speedStart) / 1000;
  const tokensPerSecond = Math.round(counted.tokens.output / seconds);
  return {
    ok: true,
    mode: filled.mode,
    answerMs: Math.round(answerMs),
    tokensPerSecond,
    isRepaired: filled.isRepaired,
  };
}

function findProblems(value: unknown): Problem[] {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  return Object.entries(expected).flatMap(([name, wanted]): Problem[] => {
    if (fields[name] === undefined) return [{ path: [name], kind: "missing", message: "is missing" }];
    const type = typeof wanted;
    return typeof fields[name] === type ? [] : [{ path: [name], kind: "wrong", message: `must be a ${type}` }];
  });
}
