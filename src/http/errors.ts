// The only place where a failure becomes an answer. Whatever is thrown arrives here and leaves as
// { success: false, error, code, details? } with the status of its row in the error table.
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, errorTable, ServiceError } from "../base/index.ts";

export interface ErrorAnswer {
  success: false;
  error: string;
  code: ErrorCode;
  details?: unknown;
  /** Some clients read a failure's text from these two. */
  title?: string;
  detail?: string;
}

export function toErrorAnswer(error: ServiceError): ErrorAnswer {
  const answer: ErrorAnswer = { success: false, error: error.message, code: error.code };
  if (error.details !== undefined) answer.details = error.details;
  if (error.code === "NOT_IMPLEMENTED") {
    answer.title = errorTable.NOT_IMPLEMENTED.message;
    answer.detail = error.message;
  }
  return answer;
}

/** What the framework reports, by its code, as rows of our table. */
const frameworkErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_REQ_FILE_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_BAD_URL: "BAD_REQUEST",
};

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code = "", statusCode = 500, message } = error as Partial<FastifyError>;
  const known = frameworkErrors[code];
  if (known === "UNSUPPORTED_MEDIA_TYPE") {
    return new ServiceError(known, "The body must be JSON: send Content-Type: application/json.", { cause: error });
  }
  if (known) return new ServiceError(known, undefined, { cause: error });
  if (statusCode >= 400 && statusCode < 500) return new ServiceError("BAD_REQUEST", message, { cause: error });
  return new ServiceError("INTERNAL_ERROR", undefined, { cause: error });
}

export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toServiceError(thrown);
  if (error.status >= 500 && error.status !== 501) {
    request.log.error({ requestId: request.id, code: error.code, err: error.cause ?? error }, "request failed");
  }
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  void reply.status(error.status).send(toErrorAnswer(error));
}
