// A model that does not answer, as callers are told: in a warning where something else can answer, else as an error.
import { ServiceError } from "../../base/index.ts";
import type { ModelFailure } from "../../llm/index.ts";

export function modelError({ code, message }: ModelFailure): ServiceError {
  return new ServiceError(code, message);
}

/** `instead` says what the caller gets: "The answer is …". Nobody reads the warning of a request that was given up. */
export function modelWarning({ code, message }: Pick<ModelFailure, "code" | "message">, instead: string): string {
  return `The language model did not answer (${code}): ${message} ${instead}`;
}
