// Every failure has a row in error-table.json: its status, whether a retry can help, and its default message. Messages without
// a full stop are Firecrawl's: clients compare them. An unreadable file of a page is the site's fault (500); one that the caller
// sent is the caller's (400, by `status` of the options).
import rows from "./error-table.json" with { type: "json" };

interface ErrorRow {
  status: number;
  /** True when the same request may succeed later, unchanged. */
  retry: boolean;
  message: string;
}

export type ErrorCode = keyof typeof rows;

export const errorTable: Record<ErrorCode, ErrorRow> = rows;

/** What an error means and what to do about it: docs/errors.md is made of these. */
export interface ErrorHelp {
  happened: string;
  causes: readonly string[];
  fix: string;
  charge: ErrorCharge;
}

export const errorCharges = {
  none: "Nothing is charged.",
  page: "Nothing is charged for this page. The other pages of its job are.",
  work: "What was done before the error stays charged. The error itself costs nothing.",
  session: "The request costs nothing. The session is charged by the minute until it ends.",
} as const;

export type ErrorCharge = keyof typeof errorCharges;

/** The path of an error's entry in the docs that servers serve. */
export function errorPage(code: ErrorCode): string {
  return `/docs/errors#${code.toLowerCase()}`;
}

/** Read when somebody asks: servers and their threads answer with the table alone. */
export async function loadErrorHelp(): Promise<Record<ErrorCode, ErrorHelp>> {
  const { default: rows } = await import("./error-help.json", { with: { type: "json" } });
  return rows as Record<ErrorCode, ErrorHelp>;
}

export interface ErrorOptions {
  cause?: unknown;
  /** Sent as `details`: field issues of a bad request, or guidance for a retry. */
  details?: unknown;
  /** Sent as the Retry-After header. */
  retryAfterSeconds?: number;
  /** Instead of the table's, where the same failure has another cause. */
  status?: number;
}

/** The only error type that rooms throw on purpose. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: ErrorOptions = {}) {
    super(message ?? errorTable[code].message, { cause: options.cause });
    this.name = "ServiceError";
    this.code = code;
    this.status = options.status ?? errorTable[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The refusal of one field of a request; `code` as zod names such issues. */
export function refusedField(path: readonly (string | number)[], message: string, code = "custom"): ServiceError {
  return new ServiceError("BAD_REQUEST", undefined, { details: [{ code, path, message }] });
}
