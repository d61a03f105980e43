// The operator's model service, and everything that can go wrong with a call to it as one named failure. No key gets into a
// failure.
import { holdsSecret, isObject } from "../base/index.ts";
import { aboutProxy, type FetchFailure, type FetchOutcome, type FetchSuccess } from "../net/index.ts";
import type { ModelFailure } from "./model.ts";

/** As the settings choose it. */
export interface ModelEndpoint {
  protocol: "openai" | "anthropic" | "google";
  baseUrl: string;
  /** "" when the service needs none. */
  apiKey: string;
  name: string;
  /** The settings that name it, for the operator who reads a failure. */
  setting: string;
}

export interface CallFailure {
  code: ModelFailure["code"];
  message: string;
  /** `retry`: the same again may help. `other`: another way of asking may. `end`: neither. */
  next: "retry" | "other" | "end";
  /** What the service wants. */
  retryAfterSeconds: number | null;
  /** What the service said, for deciding how to go on; never shown. */
  words: string;
}

/** Thrown through the provider packages, which pass errors of their fetch on as they are. */
export class EndpointError extends Error {
  readonly failure: CallFailure;

  constructor(failure: CallFailure) {
    super(failure.message);
    this.name = "EndpointError";
    this.failure = failure;
  }
}

/** Of one answer. */
export const maxAnswerBytes = 8 * 1024 * 1024;
const maxWords = 160;
/** A service says with these that it does not know the way it was asked in. */
const unknownWay = new Set([400, 404, 405, 415, 422, 501]);

/** Null when the service has answered the question. */
export function failureOf(endpoint: ModelEndpoint, outcome: FetchOutcome): CallFailure | null {
  if (!outcome.ok) return unreachable(endpoint, outcome);
  return isGood(outcome.status) ? null : refused(endpoint, outcome);
}

export function isGood(status: number): boolean {
  return status >= 200 && status <= 299;
}

function unreachable({ setting }: ModelEndpoint, outcome: FetchFailure): CallFailure {
  const { code } = outcome;
  const proxy = aboutProxy(outcome);
  const failure = (name: CallFailure["code"], problem: string, next: CallFailure["next"]): CallFailure => ({
    code: name,
    message: sentence(problem),
    next,
    retryAfterSeconds: null,
    words: "",
  });
  if (code === "SCRAPE_TIMEOUT") return failure("MODEL_TIMEOUT", `did not answer in time${proxy}`, "end");
  if (code === "ABORTED") return failure("ABORTED", "was cancelled", "end");
  if (code === "SCRAPE_SSL_ERROR")
    return failure("MODEL_MISCONFIGURED", `has a certificate that is not trusted${proxy}`, "end");
  if (code === "SCRAPE_PAGE_TOO_LARGE") return failure("MODEL_ANSWER_UNUSABLE", "returned more than 8 MB", "end");
  if (code === "URL_NOT_ALLOWED")
    return failure("MODEL_MISCONFIGURED", `leads to another origin: check ${setting}`, "end");
  if (code === "SCRAPE_DNS_RESOLUTION_ERROR") {
    return failure("MODEL_UNAVAILABLE", `has a host name that does not resolve: check ${setting}`, "end");
  }
  return failure("MODEL_UNAVAILABLE", `cannot be reached${proxy || `: check ${setting}`}`, "retry");
}

function refused(endpoint: ModelEndpoint, { status, body, retryAfterSeconds }: FetchSuccess): CallFailure {
  const words = wordsOf(body);
  const { setting, apiKey } = endpoint;
  const shown =
    words === "" || holdsSecret(words, [apiKey]) ? "" : `: ${words.slice(0, maxWords).replace(/[.\s]+$/, "")}`;
  const failure = (code: CallFailure["code"], problem: string, next: CallFailure["next"]): CallFailure => ({
    code,
    message: sentence(problem),
    next,
    retryAfterSeconds,
    words: words.toLowerCase(),
  });
  if (status === 401 || status === 403) {
    return failure("MODEL_MISCONFIGURED", `rejected the API key (${status}): check ${setting}`, "end");
  }
  if (status === 402 || /insufficient_quota|credit balance is too low/i.test(words)) {
    return failure("MODEL_MISCONFIGURED", `has no credit left for the API key (${status})`, "end");
  }
  if (status === 429) return failure("MODEL_UNAVAILABLE", "is rate-limiting requests (429)", "retry");
  if (status === 408 || status >= 500)
    return failure("MODEL_UNAVAILABLE", `failed (${status})`, status === 501 ? "other" : "retry");
  if (status === 413 || isTooLong(words)) return failure("MODEL_INPUT_TOO_LONG", tooLong, "end");
  if (status === 404 && /model/i.test(words)) {
    return failure("MODEL_MISCONFIGURED", `does not know the model ${endpoint.name}: check MODEL_NAME`, "end");
  }
  if (status >= 300 && status < 400) {
    return failure("MODEL_MISCONFIGURED", `has moved (${status}): check ${setting}`, "end");
  }
  const next = unknownWay.has(status) ? "other" : "end";
  return failure("MODEL_MISCONFIGURED", `rejected the request (${status})${shown}: check ${setting}`, next);
}

/** OpenAI, vLLM, Anthropic, llama.cpp and Google each say it in their own words. */
function isTooLong(words: string): boolean {
  return /context_length|context length|context window|context size|prompt is too long|too many tokens|input token count/i.test(
    words,
  );
}

const tooLong = "cannot read that much text: check LLM_CONTEXT_TOKENS";

/** What a service says in the middle of a stream, after its 200. */
export function toldInStream(words: string): Pick<CallFailure, "code" | "message" | "next"> {
  if (isTooLong(words)) return { code: "MODEL_INPUT_TOO_LONG", message: sentence(tooLong), next: "end" };
  return { code: "MODEL_UNAVAILABLE", message: sentence("ended its answer early"), next: "retry" };
}

function sentence(problem: string): string {
  return `The language model's service ${problem}.`;
}

/** What the service says of its refusal, on one line. */
function wordsOf(body: Buffer): string {
  try {
    const json: unknown = JSON.parse(body.toString("utf8"));
    if (!isObject(json)) return "";
    const { error, message, detail } = json;
    const found = [isObject(error) ? error.message : error, message, detail].find((each) => typeof each === "string");
    const code = isObject(error) && typeof error.code === "string" ? ` ${error.code}` : "";
    return `${found ?? ""}${code}`.replace(/[\s\p{C}]+/gu, " ").trim();
  } catch {
    return "";
  }
}
