// Why a request failed, in the few kinds that other services know, and the status of each. A fault of a page or file is never
// one of this server.
import { type ErrorCode, ServiceError } from "../../base/index.ts";
import type { Issue } from "../../contract/index.ts";

const causes = {
  badRequest: 400,
  noKey: 401,
  wrongKey: 401,
  noCredits: 402,
  refused: 403,
  notFound: 404,
  wrongMethod: 405,
  timeout: 408,
  overBudget: 409,
  tooLarge: 413,
  unknownKind: 415,
  unreadable: 422,
  rateLimited: 429,
  hungUp: 499,
  defect: 500,
  notServed: 501,
  unavailable: 503,
} as const;
export type Cause = keyof typeof causes;

/** Codes whose cause does not follow from their status. */
const ofCode: Partial<Record<ErrorCode, Cause>> = {
  UNAUTHORIZED: "noKey",
  TOKEN_MISSING: "noKey",
  TOKEN_INVALID: "wrongKey",
  TOKEN_EXPIRED: "wrongKey",
  UNSUPPORTED_MEDIA_TYPE: "badRequest",
  UNSUPPORTED_FILE_TYPE: "unknownKind",
  PARSE_UNSUPPORTED_OPTIONS: "badRequest",
  TOKEN_BUDGET_EXCEEDED: "overBudget",
  MODEL_ANSWER_UNUSABLE: "unavailable",
  MODEL_MISCONFIGURED: "unavailable",
  MODEL_INPUT_TOO_LONG: "unavailable",
};

const ofStatus: Readonly<Record<number, Cause>> = {
  402: "noCredits",
  403: "refused",
  404: "notFound",
  405: "wrongMethod",
  408: "timeout",
  413: "tooLarge",
  429: "rateLimited",
  499: "hungUp",
  501: "notServed",
  503: "unavailable",
};

/** What went wrong, ready to be put into a dialect's shape. */
export interface Fault {
  cause: Cause;
  status: number;
  /** One sentence. */
  message: string;
  /** The field that a bad request is about; null when it is about none. */
  field: string | null;
  issues: readonly Issue[];
}

export function causeOf({ code, status }: ServiceError): Cause {
  const known = ofCode[code];
  if (known !== undefined) return known;
  if (/^PARSE_/.test(code) || (/^SCRAPE_/.test(code) && status === 500)) return "unreadable";
  return ofStatus[status] ?? (status < 500 ? "badRequest" : "defect");
}

export function faultOf(error: ServiceError, statuses: Partial<Readonly<Record<Cause, number>>> = {}): Fault {
  const cause = causeOf(error);
  const issues = cause === "badRequest" && Array.isArray(error.details) ? (error.details as Issue[]) : [];
  const [first] = issues;
  return {
    cause,
    status: statuses[cause] ?? causes[cause],
    message: first ? describeIssue(first) : error.message,
    field: first && first.path.length > 0 ? first.path.join(".") : null,
    issues,
  };
}

/** What is wrong with which field, in one line. */
export function describeIssue({ path, message }: Issue): string {
  const field = path.join(".");
  if (field === "") return message;
  return message.startsWith("Required") ? `${field} is required` : `${field}: ${message}`;
}

/** A bad value of a field that no schema can judge. */
export function badField(field: string | readonly (string | number)[], message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", undefined, {
    details: [{ code: "custom", path: [field].flat(), message }] satisfies Issue[],
  });
}
