// The only place where a failure becomes a response. Whatever is thrown arrives here and leaves as
// { success: false, error, code, details? } with the status of its row in the error table.
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, errorPage, errorTable, type Logger, newId, ServiceError } from "../base/index.ts";

import { addChallenge } from "./issuer.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Where the links of errors begin; null: they are relative. */
    publicUrl: string | null;
  }
  interface FastifyRequest {
    /** Why it failed; null as long as it has not. */
    failure: ErrorCode | null;
  }
}

export interface ErrorAnswer {
  success: false;
  error: string;
  code: ErrorCode;
  details?: unknown;
  /** Some clients read the message from these two. */
  title?: string;
  detail?: string;
  replacement?: string;
}

/** On every response, besides its request id. */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** What to use in place of what is gone. */
const replacements: Partial<Record<ErrorCode, string>> = { RESEARCH_GITHUB_GONE: "/v2/search/developer" };

/** Clients read errors of these paths from the two fields of problem details. */
const problemPaths = /^\/v2\/search\/(?:research\/|developer\b)/;

function toErrorAnswer(error: ServiceError, url = ""): ErrorAnswer {
  const answer: ErrorAnswer = { success: false, error: error.message, code: error.code };
  if (error.details !== undefined) answer.details = error.details;
  if (error.code === "NOT_IMPLEMENTED" || problemPaths.test(url)) {
    answer.title = errorTable[error.code].message;
    answer.detail = error.message;
  }
  const replacement = replacements[error.code];
  if (replacement !== undefined) answer.replacement = replacement;
  return answer;
}

/** Errors of the framework, as rows of our table. */
const frameworkErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_REQ_FILE_TOO_LARGE: "BODY_TOO_LARGE",
  FST_FILES_LIMIT: "BAD_REQUEST",
  FST_ERR_BAD_URL: "BAD_REQUEST",
};

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code = "", statusCode = 500, message } = error as Partial<FastifyError>;
  const known = frameworkErrors[code];
  if (known === "UNSUPPORTED_MEDIA_TYPE") {
    return new ServiceError(known, "The body must be JSON. Send it with Content-Type: application/json.", {
      cause: error,
    });
  }
  if (known) return new ServiceError(known, undefined, { cause: error });
  if (statusCode >= 400 && statusCode < 500) return new ServiceError("BAD_REQUEST", message, { cause: error });
  return new ServiceError("INTERNAL_ERROR", undefined, { cause: error });
}

function logError(error: ServiceError, request: FastifyRequest): void {
  // A failure of the target is an ordinary outcome, and its text may contain what must not be logged.
  if (error.status < 500 || error.status === 501 || /^(?:SCRAPE|PARSE)_/.test(error.code)) return;
  request.log.error({ requestId: request.id, code: error.code, err: error.cause ?? error }, "request failed");
}

/** The entry of an error in the docs that this server serves. */
function helpLink(code: ErrorCode, publicUrl: string | null): string {
  return `<${publicUrl ?? ""}${errorPage(code)}>; rel="help"`;
}

/** Logs a failure and sets the headers of its response; whoever calls it sends the body. */
export function prepareError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): ServiceError {
  const error = toServiceError(thrown);
  request.failure = error.code;
  logError(error, request);
  // A request that the router could not parse has passed no hook.
  if (!reply.hasHeader("x-request-id")) reply.headers(securityHeaders).header("x-request-id", request.id);
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  addChallenge(error, request, reply);
  const links = [reply.getHeader("link") ?? [], helpLink(error.code, reply.server.publicUrl)].flat();
  reply.header("link", links.join(", "));
  return error;
}

export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = prepareError(thrown, request, reply);
  void reply.status(error.status).send(toErrorAnswer(error, request.url));
}

/** Refuses a WebSocket handshake over HTTP. Node no longer owns the connection, so it is closed here. */
export function handshakeRefusal(answerError: typeof sendError): typeof sendError {
  return (thrown, request, reply) => {
    reply.raw.once("finish", () => request.raw.socket.destroySoon());
    reply.header("connection", "close");
    answerError(thrown, request, reply);
  };
}

/** Close codes: 3000 for an unknown caller, 1008 for a bad request, 1011 for a fault of this server. */
export function toSocketFailure(thrown: unknown, request: FastifyRequest): { closeCode: number; error: string } {
  const error =
    thrown instanceof ServiceError ? thrown : new ServiceError("INTERNAL_ERROR", undefined, { cause: thrown });
  logError(error, request);
  if (error.status === 401) return { closeCode: 3000, error: error.message };
  if (error.status < 500) return { closeCode: 1008, error: error.message };
  return { closeCode: 1011, error: errorTable[error.code].message };
}

/** Answers what never becomes a request: malformed, oversized or late headers. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string | null): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  endPlainly(socket, new ServiceError(connectionErrors[error.code ?? ""] ?? "BAD_REQUEST"), publicUrl);
}

/** What a refusal outside of the framework needs. */
export interface RefusalDeps {
  log: Logger;
  publicUrl: string | null;
}

/** Refuses a handshake outside of the framework; returns the status. */
export function refuseUpgrade(thrown: unknown, socket: Duplex, { log, publicUrl }: RefusalDeps): number {
  const error = toServiceError(thrown);
  if (error.status >= 500) log.error({ code: error.code, err: error.cause ?? error }, "request failed");
  endPlainly(socket, error, publicUrl);
  return error.status;
}

function endPlainly(socket: Duplex, error: ServiceError, publicUrl: string | null): void {
  const { status, headers, body } = plainAnswer(error, publicUrl);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

const connectionErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

/** The only known expectation is 100-continue, which Node handles itself. */
export function refuseExpectation(response: ServerResponse, publicUrl: string | null): void {
  const { status, headers, body } = plainAnswer(new ServiceError("EXPECTATION_FAILED"), publicUrl);
  response.writeHead(status, headers).end(body);
}

function plainAnswer(error: ServiceError, publicUrl: string | null) {
  const body = JSON.stringify(toErrorAnswer(error));
  const headers = {
    ...securityHeaders,
    "x-request-id": newId(),
    link: helpLink(error.code, publicUrl),
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  return { status: error.status, headers, body };
}
