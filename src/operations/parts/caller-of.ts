// On whose behalf work is done that no request asks for at the moment: a check of a monitor, the next reading of a source.
import type { Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";

export function callerOf(
  { teamId, keyId, baseUrl }: Pick<Caller, "teamId" | "keyId" | "baseUrl">,
  idempotencyKey: string | null,
): Caller {
  const unknown = { teamName: "", keyName: "", requestsPerMinute: null };
  return { ...unknown, teamId, keyId, baseUrl, apiVersion: "v2", idempotencyKey, externalRequestId: null };
}

/** The job that an earlier request with the same idempotency key has started; null for any other failure. */
export function startedBefore(error: unknown): string | null {
  if (!(error instanceof ServiceError) || error.code !== "IDEMPOTENCY_KEY_USED") return null;
  return (error.details as { id: string }).id;
}

/** The server takes no work just now. */
export function isBusy({ code }: ServiceError): boolean {
  return code === "QUEUE_FULL" || code === "OVERLOADED" || code === "STORE_UNAVAILABLE";
}
