import { ServiceError } from "../../base/index.ts";

const retryAfterSeconds = 5;

/** The error for everything that means "the storage cannot serve now". */
export function storeUnavailable(cause: unknown, message?: string): ServiceError {
  return new ServiceError("STORE_UNAVAILABLE", message, { cause, retryAfterSeconds });
}
