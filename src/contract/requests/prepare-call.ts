// From a request to the input of its operation, the same for every face: read, or refused with the reason.
import { ServiceError } from "../../base/index.ts";
import type { Endpoint } from "../table/endpoint.ts";
import { insteadOf } from "../table/unserved.ts";
import { type RequestParts, readRequest } from "./read-request.ts";

interface PreparedCall {
  input: unknown;
  /** Fields that were ignored. */
  unknownFields: string[];
}

/** Throws for a request that does not fit its row, and for an operation that is not served. */
export function prepareCall(row: Endpoint, parts: RequestParts): PreparedCall {
  if (row.refusal) throw new ServiceError(row.refusal);
  const reading = readRequest(row, parts);
  if (!reading.ok) throw new ServiceError(reading.code, reading.message, { details: reading.issues });
  checkServed(row);
  return { input: reading.input, unknownFields: reading.unknownFields };
}

/** An id in the path of an operation that is not served names nothing, so that is a 404. */
function checkServed(row: Endpoint): void {
  const instead = insteadOf(row.operation);
  if (instead === null) return;
  if (row.notFound && row.path.includes("{")) throw new ServiceError(row.notFound);
  throw new ServiceError("NOT_IMPLEMENTED", `${row.method} ${row.path} is not available. ${instead} See /docs.`);
}

/** Unknown fields do no harm, but whoever sent them should know that they had no effect. */
export function withIgnoredFields(response: object, unknownFields: readonly string[]): object {
  if (unknownFields.length === 0) return response;
  const own = (response as { warning?: string | null }).warning;
  const text = `Unknown fields were ignored: ${unknownFields.join(", ")}.`;
  return { ...response, warning: own ? `${own} ${text}` : text };
}
