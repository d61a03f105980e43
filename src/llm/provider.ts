// One question in one way, by the provider packages of the AI SDK. They are loaded with the first question, so that an idle
// server stays small.
import { estimateTokens } from "../text/index.ts";
import { type Gathered, gather, type SdkModel, type SdkResult } from "./answer-stream.ts";
import { imageTokens, noTokens } from "./budget.ts";
import { type EndpointCall, type EndpointFetch, isEventStream } from "./endpoint-fetch.ts";
import type { JsonObject, ModelImage, OutputMode, Tokens } from "./model.ts";
import { type CallFailure, EndpointError, type ModelEndpoint, toldInStream } from "./model-endpoint.ts";

export interface Call {
  mode: OutputMode;
  system: string;
  /** Our words and the model's in turn, ours first. */
  turns: readonly string[];
  /** Shown with our first words. */
  image: ModelImage | null;
  /** Null: the answer is text. */
  schema: JsonObject | null;
  maxOutputTokens: number;
  signal: AbortSignal;
}

export interface CallAnswer {
  ok: true;
  text: string;
  isCutOff: boolean;
  /** Cut off by the connection, not by a limit: the rest may be asked for. */
  isBroken: boolean;
  tokens: Tokens;
}

export interface FailedCall {
  ok: false;
  failure: CallFailure;
  /** Of an answer that had begun. */
  tokens: Tokens;
}

export type CallOutcome = CallAnswer | FailedCall;

export type Provider = (call: Call) => Promise<CallOutcome>;

type SdkOptions = Parameters<SdkModel["doGenerate"]>[0];

/** The only tool there is: its call carries the answer and does nothing. */
const toolName = "answer";

/** What some services refuse: once refused, it is left out. */
interface Capabilities {
  hasTemperature: boolean;
  hasOldLimitName: boolean;
  isStreamed: boolean;
  hasStreamUsage: boolean;
}

export function createProvider(endpoint: ModelEndpoint, openCall: () => EndpointCall): Provider {
  const capabilities: Capabilities = {
    hasTemperature: true,
    hasOldLimitName: true,
    isStreamed: true,
    hasStreamUsage: true,
  };
  /** A service that has streamed once does not refuse a question because it should be streamed. */
  let hasStreamed = false;

  async function askWhole(call: Call, ask: EndpointFetch): Promise<CallOutcome> {
    const model = await openModel(endpoint, ask, capabilities);
    return readResult(await model.doGenerate(optionsOf(call, capabilities)), call);
  }

  async function askStreamed(call: Call): Promise<CallOutcome> {
    const { fetch, brokenBy } = openCall();
    const model = await openModel(endpoint, onlyEvents(fetch), capabilities);
    const { stream } = await model.doStream(optionsOf(call, capabilities));
    const gathered = await gather(stream, call.maxOutputTokens);
    hasStreamed ||= gathered.finish !== null;
    const broken = brokenBy();
    return readGathered(broken === null ? gathered : { ...gathered, error: new EndpointError(broken) }, call);
  }

  async function callOnce(call: Call, isStreamed: boolean): Promise<CallOutcome> {
    try {
      return await (isStreamed ? askStreamed(call) : askWhole(call, openCall().fetch));
    } catch (error) {
      if (!(error instanceof NotStreamed)) return failed(error, call);
      const outcome = await askWhole(call, async () => error.response).catch((reason) => failed(reason, call));
      if (outcome.ok) capabilities.isStreamed = false;
      return outcome;
    }
  }

  return async (call) => {
    for (;;) {
      const sent = { ...capabilities };
      const outcome = await callOnce(call, sent.isStreamed);
      if (outcome.ok) return outcome;
      if (dropRefused(capabilities, sent, outcome.failure)) continue;
      // The plainest question was refused, and perhaps for being streamed.
      const isSuspect = sent.isStreamed && !hasStreamed && call.mode === "text" && outcome.failure.next === "other";
      if (!isSuspect) return outcome;
      const whole = await callOnce(call, false);
      if (whole.ok) capabilities.isStreamed = false;
      return whole;
    }
  };
}

/** The service accepted the question but does not stream its answer. */
class NotStreamed extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super("The answer is not streamed");
    this.response = response;
  }
}

function onlyEvents(ask: EndpointFetch): EndpointFetch {
  return async (input, init) => {
    const response = await ask(input, init);
    if (!isEventStream(response)) throw new NotStreamed(response);
    return response;
  };
}

/** The package of one protocol only: each takes memory, and a server uses one of them. */
async function openModel(endpoint: ModelEndpoint, fetch: EndpointFetch, capabilities: Capabilities): Promise<SdkModel> {
  const { protocol, baseUrl: baseURL, apiKey, name } = endpoint;
  if (protocol === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ baseURL, apiKey, fetch })(name);
  }
  if (protocol === "google") {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return createGoogleGenerativeAI({ baseURL, apiKey, fetch })(name);
  }
  // Loaded late for the reason given above.
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "model",
    baseURL,
    ...(apiKey === "" ? {} : { apiKey }),
    fetch,
    supportsStructuredOutputs: true,
    includeUsage: capabilities.hasStreamUsage,
    transformRequestBody: ({ max_tokens: limit, ...body }) => ({
      ...body,
      [capabilities.hasOldLimitName ? "max_tokens" : "max_completion_tokens"]: limit,
    }),
  });
  return provider.chatModel(name);
}

function optionsOf(call: Call, { hasTemperature }: Capabilities): SdkOptions {
  const { mode, schema, image } = call;
  const shown = image && { type: "file" as const, mediaType: image.type, data: image.bytes };
  const options: SdkOptions = {
    prompt: [
      { role: "system", content: call.system },
      ...call.turns.map((text, place) => ({
        role: place % 2 === 0 ? ("user" as const) : ("assistant" as const),
        content: [...(place === 0 && shown ? [shown] : []), { type: "text" as const, text }],
      })),
    ],
    maxOutputTokens: call.maxOutputTokens,
    abortSignal: call.signal,
    // The same page and question should give the same answer, as far as the model can.
    ...(hasTemperature ? { temperature: 0 } : {}),
  };
  if (schema === null || mode === "text") return options;
  if (mode === "json_object") return { ...options, responseFormat: { type: "json" } };
  if (mode === "json_schema") {
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
  const tokens = tokensOf(call, text, usage);
  return { ok: true, text, isCutOff: finishReason.unified === "length", isBroken: false, tokens };
}

function readGathered(gathered: Gathered, call: Call): CallOutcome {
  const { text, written, finish, isOverlong, error } = gathered;
  const tokens = written === "" && finish === null ? noTokens : tokensOf(call, written, finish?.usage);
  const isBroken = finish === null && !isOverlong;
  // Words that came before the time ran out, or nothing but thoughts, are no answer.
  if (isBroken && (call.signal.aborted || text === "")) return { ...failed(error, call), tokens };
  const isCutOff = isBroken || isOverlong || finish?.finishReason.unified === "length";
  return { ok: true, text, isCutOff, isBroken, tokens };
}

/** An estimate where the service does not say. */
function tokensOf(call: Call, written: string, usage?: SdkResult["usage"]): Tokens {
  return {
    input: usage?.inputTokens.total ?? estimateTokens(call.system + call.turns.join("")) + imageTokens(call.image),
    output: usage?.outputTokens.total ?? estimateTokens(written),
  };
}

/** The packages throw for answers that are not of the protocol; a request that they cannot even write may go another way. */
function failed(error: unknown, { signal }: Call): FailedCall {
  const fail = (failure: Pick<CallFailure, "code" | "message" | "next">): FailedCall => ({
    ok: false,
    failure: { ...failure, retryAfterSeconds: null, words: "" },
    tokens: noTokens,
  });
  if (error instanceof EndpointError) return { ok: false, failure: error.failure, tokens: noTokens };
  if (signal.aborted) {
    const isLate = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    const code = isLate ? "MODEL_TIMEOUT" : "ABORTED";
    return fail({ code, message: "The language model did not answer in time.", next: "end" });
  }
  if (isBrokenStream(error)) return fail(toldInStream((error as { message?: string } | null)?.message ?? ""));
  const message = "The language model's service returned an answer that cannot be parsed.";
  return fail({ code: "MODEL_ANSWER_UNUSABLE", message, next: "other" });
}

/** Services that have sent their 200 can tell of a failure only in the stream, or by ending it. */
function isBrokenStream(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { name, statusCode } = error as { name: string; statusCode?: number };
  return name === "AI_InvalidResponseDataError" || Number(statusCode) >= 500;
}

/** True when something that was sent is refused and now left out, so that asking again makes sense. */
function dropRefused(capabilities: Capabilities, sent: Capabilities, { next, words }: CallFailure): boolean {
  if (next !== "other") return false;
  const isRefused = {
    hasOldLimitName: words.includes("max_completion_tokens"),
    hasTemperature: words.includes("temperature"),
    hasStreamUsage: words.includes("stream_options"),
    isStreamed: /\bstream(?:s|ed|ing)?\b/.test(words),
  };
  const changed = (Object.keys(isRefused) as (keyof Capabilities)[]).filter((name) => sent[name] && isRefused[name]);
  for (const name of changed) capabilities[name] = false;
  return changed.length > 0;
}
