// One question in one way, by the provider packages of the AI SDK. They are loaded with the first question, so that an idle
// server stays small.
import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { estimateTokens } from "./allowance.ts";
import { type CallFailure, EndpointError, type ModelEndpoint } from "./endpoint.ts";
import type { JsonObject, Rung, Tokens } from "./model.ts";

export interface Call {
  rung: Rung;
  system: string;
  /** Ours and the model's words by turns, beginning with ours. */
  turns: readonly string[];
  /** Null: the answer is text. */
  schema: JsonObject | null;
  maxOutputTokens: number;
  signal: AbortSignal;
}

export interface CallAnswer {
  ok: true;
  text: string;
  isCutOff: boolean;
  tokens: Tokens;
}

export type CallOutcome = CallAnswer | { ok: false; failure: CallFailure };

export type Provider = (call: Call) => Promise<CallOutcome>;

type Fetch = typeof globalThis.fetch;
type SdkModel = ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;
type SdkOptions = Parameters<SdkModel["doGenerate"]>[0];
type SdkResult = Awaited<ReturnType<SdkModel["doGenerate"]>>;

/** The only tool there is: its call carries the answer and does nothing. */
const toolName = "answer";

/** Parameters that newer models refuse; what was refused once is left out from then on. */
interface Habits {
  hasTemperature: boolean;
  hasOldLimitName: boolean;
}

export function createProvider(endpoint: ModelEndpoint, fetch: Fetch): Provider {
  const habits: Habits = { hasTemperature: true, hasOldLimitName: true };
  let opening: Promise<SdkModel> | null = null;

  async function callOnce(call: Call): Promise<CallOutcome> {
    opening ??= openModel(endpoint, fetch, habits);
    try {
      return readResult(await (await opening).doGenerate(optionsOf(call, habits)), call);
    } catch (error) {
      return { ok: false, failure: failureOf(error, call) };
    }
  }

  return async (call) => {
    for (;;) {
      const sent = { ...habits };
      const outcome = await callOnce(call);
      if (outcome.ok || !changeHabits(habits, sent, outcome.failure)) return outcome;
    }
  };
}

async function openModel(endpoint: ModelEndpoint, fetch: Fetch, habits: Habits): Promise<SdkModel> {
  const { protocol, baseUrl: baseURL, apiKey, name } = endpoint;
  if (protocol === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ baseURL, apiKey, fetch })(name);
  }
  if (protocol === "google") {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return createGoogleGenerativeAI({ baseURL, apiKey, fetch })(name);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "model",
    baseURL,
    ...(apiKey === "" ? {} : { apiKey }),
    fetch,
    supportsStructuredOutputs: true,
    transformRequestBody: ({ max_tokens: limit, ...body }) => ({
      ...body,
      [habits.hasOldLimitName ? "max_tokens" : "max_completion_tokens"]: limit,
    }),
  });
  return provider.chatModel(name);
}

function optionsOf(call: Call, { hasTemperature }: Habits): SdkOptions {
  const { rung, schema } = call;
  const options: SdkOptions = {
    prompt: [
      { role: "system", content: call.system },
      ...call.turns.map((text, place) => ({
        role: place % 2 === 0 ? ("user" as const) : ("assistant" as const),
        content: [{ type: "text" as const, text }],
      })),
    ],
    maxOutputTokens: call.maxOutputTokens,
    abortSignal: call.signal,
    // The same page and question shall give the same answer, as far as the model can.
    ...(hasTemperature ? { temperature: 0 } : {}),
  };
  if (schema === null || rung === "text") return options;
  if (rung === "json_object") return { ...options, responseFormat: { type: "json" } };
  if (rung === "json_schema") {
    return { ...options, responseFormat: { type: "json", name: toolName, schema } };
  }
  return {
    ...options,
    tools: [{ type: "function", name: toolName, description: "Gives the answer.", inputSchema: schema }],
    toolChoice: { type: "tool", toolName },
  };
}

function readResult({ content, finishReason, usage }: SdkResult, call: Call): CallOutcome {
  const words = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const given = content.map((part) => (part.type === "tool-call" ? part.input : "")).find((input) => input !== "");
  const text = given ?? words;
  const tokens = {
    input: usage.inputTokens.total ?? estimateTokens(call.system + call.turns.join("")),
    output: usage.outputTokens.total ?? estimateTokens(text),
  };
  return { ok: true, text, isCutOff: finishReason.unified === "length", tokens };
}

/** The packages throw for answers that are not of the protocol; a request that they cannot even write may go another way. */
function failureOf(error: unknown, { signal }: Call): CallFailure {
  if (error instanceof EndpointError) return error.failure;
  const base = { retryAfterSeconds: null, words: "" };
  if (signal.aborted) {
    const isLate = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    const code = isLate ? ("MODEL_TIMEOUT" as const) : ("ABORTED" as const);
    return { ...base, code, message: "The language model did not answer in time.", next: "end" };
  }
  return {
    ...base,
    code: "MODEL_ANSWER_UNUSABLE",
    message: "The language model's service answered something that cannot be read.",
    next: "other",
  };
}

/** True when a parameter that was sent is refused and now left out, so that asking again makes sense. */
function changeHabits(habits: Habits, sent: Habits, { next, words }: CallFailure): boolean {
  if (next !== "other") return false;
  const isLimitRefused = sent.hasOldLimitName && words.includes("max_completion_tokens");
  const isTemperatureRefused = sent.hasTemperature && words.includes("temperature");
  if (isLimitRefused) habits.hasOldLimitName = false;
  if (isTemperatureRefused) habits.hasTemperature = false;
  return isLimitRefused || isTemperatureRefused;
}
