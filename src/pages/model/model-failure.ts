// A model that does not answer, as reported to callers: a warning where there is a fallback, an error otherwise.
import { ServiceError } from "../../base/index.ts";
import type { ModelFailure } from "../../llm/index.ts";

export function modelError({ code, message }: ModelFailure): ServiceError {
  return new ServiceError(code, message);
}

/** `instead` says what the caller gets: "The answer is …". A request that was given up has no reader for its warning. */
export function modelWarning({ code, message }: Pick<ModelFailure, "code" | "message">, instead: string): string {
  return `The language model did not answer (${code}): ${message} ${instead}`;
}
