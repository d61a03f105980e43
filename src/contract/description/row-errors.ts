// The errors of an endpoint, by status: what its row says of it, and what its operation is known to end with.
import { type ErrorCode, errorTable } from "../../base/index.ts";
import { type OperationError, operationErrors } from "../operations/operation-errors.ts";
import type { Endpoint } from "../table/endpoint.ts";
import { insteadOf } from "../table/unserved.ts";
import { fieldNames } from "./json-schema.ts";

/** Any request may meet these. */
export const errorsOfAnyRequest: readonly ErrorCode[] = [
  "FORBIDDEN",
  "INSUFFICIENT_SCOPE",
  "FORMAT_NOT_ALLOWED",
  "IP_NOT_ALLOWED",
  "TOKEN_EXPIRED",
  "REQUEST_TIMEOUT",
  "BODY_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "EXPECTATION_FAILED",
  "HEADERS_TOO_LARGE",
  "ABORTED",
  "INTERNAL_ERROR",
  "OVERLOADED",
  "STORE_UNAVAILABLE",
];

const places = Object.fromEntries(Object.keys(errorTable).map((code, place) => [code, place])) as Record<
  ErrorCode,
  number
>;

/** In the order of their statuses. */
export function errorsOf(row: Endpoint): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  const errors = [...errorsOfFace(row), ...errorsOfOperation(row)];
  const pairs = errors.map((error) =>
    typeof error === "string" ? ([error, errorTable[error].status] as const) : error,
  );
  // In the order of the table, so that equal sets are the same.
  for (const [code, status] of pairs.toSorted(
    ([one, first], [other, second]) => first - second || places[one] - places[other],
  )) {
    const codes = found.get(status) ?? [];
    if (!codes.includes(code) && !errorsOfAnyRequest.includes(code)) found.set(status, [...codes, code]);
  }
  return found;
}

function errorsOfFace(row: Endpoint): ErrorCode[] {
  const { rateGroup, notFound, path } = row;
  return [
    "BAD_REQUEST",
    "BAD_REQUEST_INVALID_JSON",
    ...(hasUuid(row) ? (["INVALID_ID"] as const) : []),
    ...(fieldNames(row.query).includes("cursor") ? (["INVALID_CURSOR"] as const) : []),
    ...(rateGroup === null ? [] : (["UNAUTHORIZED", "TOKEN_MISSING", "TOKEN_INVALID", "RATE_LIMITED"] as const)),
    // The credits of a key are checked where requests are counted.
    ...(rateGroup === null || rateGroup === "status" ? [] : (["INSUFFICIENT_CREDITS"] as const)),
    ...(notFound !== undefined && path.includes("{") ? [notFound] : []),
  ];
}

function errorsOfOperation({ operation, refusal }: Endpoint): readonly OperationError[] {
  if (refusal !== undefined) return [refusal];
  if (insteadOf(operation) !== null) return ["NOT_IMPLEMENTED"];
  return (operationErrors as Partial<Record<string, readonly OperationError[]>>)[operation] ?? [];
}

/** Whether the path has an id of which any other text is refused. */
function hasUuid({ params }: Endpoint): boolean {
  const texts = Object.fromEntries(fieldNames(params).map((name) => [name, "text"]));
  const issues = params?.safeParse(texts).error?.issues ?? [];
  return issues.some((issue) => issue.code === "custom" && issue.params?.["code"] === "INVALID_ID");
}
