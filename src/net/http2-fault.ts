// What can go wrong with HTTP/2 itself. Apart from the connection, so that an idle server does not load HTTP/2.
import { errorCode } from "./outcome.ts";

/**
 * - unprocessed: the site did nothing with the request, so it may be sent again, whatever it is
 * - refused: the same, and the site wants HTTP/1.1
 * - unanswered: the connection or stream ended before an answer
 * - broken: the site reset the stream within its answer
 */
export type FaultKind = "unprocessed" | "refused" | "unanswered" | "broken";

/** What went wrong between the two ends, as opposed to what a site answered. */
export class Http2Fault extends Error {
  readonly code: string;
  readonly kind: FaultKind;
  /** The connection has carried an answer before, so HTTP/2 itself works with this site. */
  readonly isProven: boolean;

  constructor(kind: FaultKind, isProven: boolean, cause: unknown) {
    super("HTTP/2 failed", { cause });
    this.name = "Http2Fault";
    this.code = errorCode(cause) || "ERR_HTTP2_STREAM_ERROR";
    this.kind = kind;
    this.isProven = isProven;
  }
}

/** The fault behind an error, or behind what was made of it. */
export function http2FaultOf(error: unknown): Http2Fault | null {
  if (error instanceof Http2Fault) return error;
  return error instanceof Error && error.cause instanceof Http2Fault ? error.cause : null;
}
