// A language model for tests of agents: a server on loopback with a script for the steps and for the answer.
import { type AskedModel, type ModelReply, type ModelServer, startModelServer } from "./model-server.ts";

export interface Step {
  tool: string;
  reason?: string;
  query?: string;
  urls?: string[];
  actions?: object[];
  /** Of steps on the page of a session. */
  element?: number;
  text?: string;
  key?: string;
  answer?: string;
}

type StepReply = Step | ModelReply;

export interface AgentScript {
  /** Answers the question for a step, counted from 1. */
  step(number: number, asked: AskedModel): StepReply;
  /** Answers a question about pages: data, or how to answer. */
  answer?(asked: AskedModel): unknown;
}

export interface AgentModel extends ModelServer {
  /** What makes an app use it. */
  env: Record<string, string>;
  /** Another script from now on; forgets what was asked. */
  play(script: AgentScript): void;
  /** Questions for steps. */
  steps: AskedModel[];
  /** Questions about pages. */
  answers: AskedModel[];
}

export const modelKey = "sk-secret-of-the-tests";

export async function startAgentModel(first: AgentScript = { step: inTurn() }): Promise<AgentModel> {
  const steps: AskedModel[] = [];
  const answers: AskedModel[] = [];
  let script = first;
  const server = await startModelServer((asked) => {
    if (!isStep(asked)) {
      answers.push(asked);
      const said = script.answer?.(asked) ?? {};
      return isReply(said) ? said : { json: said };
    }
    steps.push(asked);
    const reply = script.step(steps.length, asked);
    if (!("tool" in reply)) return reply;
    return { json: { reason: `step ${steps.length}`, query: null, urls: null, ...reply } };
  });
  const env = { OPENAI_BASE_URL: server.openai, OPENAI_API_KEY: modelKey, MODEL_NAME: "test" };
  const play = (next: AgentScript) => {
    script = next;
    steps.length = 0;
    answers.length = 0;
  };
  return { ...server, env, steps, answers, play };
}

/** Whether the model was asked for an agent's next step. */
function isStep({ schema }: AskedModel): boolean {
  return schema !== null && "tool" in ((schema.properties ?? {}) as object);
}

function isReply(value: unknown): value is ModelReply {
  if (typeof value === "function") return true;
  return typeof value === "object" && value !== null && ["status", "text", "json"].some((name) => name in value);
}

/** These steps in turn, then finish. */
export function inTurn(...steps: StepReply[]): AgentScript["step"] {
  return (number) => steps[number - 1] ?? { tool: "finish" };
}
