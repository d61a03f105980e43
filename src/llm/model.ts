// What a language model is to the other rooms: one question, one answer, and every failure of the model or its service as a
// value with its name.
import type { ErrorCode } from "../base/index.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** How an answer was asked for, the surest first. */
export type OutputMode = "json_schema" | "tool_call" | "json_object" | "text";

export interface Tokens {
  input: number;
  output: number;
}

/** Names and places in lists, from the root of a value. */
export type Path = readonly (string | number)[];

export interface Problem {
  path: Path;
  /** `missing`: a required field is absent. That is no fault of the answer: the page may not have it. */
  kind: "missing" | "wrong";
  /** Completes the sentence "this value …". */
  message: string;
}

/** Where a value breaks the caller's own schema; empty when it does not. */
export type Check = (value: unknown) => Problem[] | Promise<Problem[]>;

export interface ModelImage {
  type: "image/jpeg" | "image/png";
  bytes: Uint8Array;
}

export interface ModelRequest {
  /** Our own words. Page text never gets in here. */
  system: string;
  prompt: string;
  /** What the prompt is about, for models that take images. */
  image?: ModelImage;
  teamId: string;
  /** The key that was used, when one was. */
  keyId?: string | null;
  /** What the request that this question belongs to has used so far, and may use. */
  allowance: Allowance;
  maxOutputTokens: number;
  /** Tries, repairs and waiting for a place included. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface StructuredRequest extends ModelRequest {
  /** A JSON Schema of the caller's, already checked. */
  schema: JsonObject;
  check: Check;
  /** Turns values into the wanted types before they are checked, without guessing; see coerceTypes. */
  coerce?: (value: unknown) => unknown;
}

export interface TextAnswer {
  ok: true;
  text: string;
  /** The answer ends in the middle. */
  isCutOff: boolean;
  tokens: Tokens;
}

export interface StructuredAnswer {
  ok: true;
  /** Valid by `check`, except for required fields that are absent. */
  value: unknown;
  mode: OutputMode;
  /** The answer's text was mended, continued, or asked for again in part. */
  isRepaired: boolean;
  /** The model ended in the middle: lists may lack their last items. */
  isPartial: boolean;
  /** Paths of values that stayed wrong and were left out. */
  dropped: readonly Path[];
  /** Paths of required fields that the model did not find. */
  missing: readonly Path[];
  tokens: Tokens;
}

export interface ModelFailure {
  ok: false;
  code: Extract<ErrorCode, `MODEL_${string}` | "ABORTED">;
  /** A sentence for the caller; it holds no key. */
  message: string;
  /** Used before it failed. */
  tokens: Tokens;
}

export interface Model {
  name: string;
  /** Answers in words. */
  ask(request: ModelRequest): Promise<TextAnswer | ModelFailure>;
  /** Answers with a value of the schema. */
  fill(request: StructuredRequest): Promise<StructuredAnswer | ModelFailure>;
}

/** Tokens of one request to this server; all its questions share it. */
export interface Allowance {
  readonly used: Tokens;
  /** Tokens that are left; infinite when there is no limit. */
  left(): number;
  add(tokens: Tokens): void;
}
