// Names and numbers of Jina's errors.
import * as z from "zod";
import type { Cause, Fault } from "../frame/cause.ts";

const kinds: Partial<Record<Cause, [name: string, status: number]>> = {
  badRequest: ["ParamValidationError", 40001],
  noKey: ["AuthenticationRequiredError", 40103],
  wrongKey: ["AuthenticationFailedError", 40102],
  noCredits: ["InsufficientBalanceError", 40203],
  refused: ["SecurityCompromiseError", 45102],
  notFound: ["RequestedEntityNotFoundError", 40403],
  timeout: ["TimeoutExpectingTaskCompleteError", 40802],
  overBudget: ["BudgetExceededError", 40904],
  tooLarge: ["RequestPayloadTooLargeError", 41301],
  unreadable: ["AssertionFailureError", 42206],
  rateLimited: ["RateLimitTriggeredError", 42903],
  notServed: ["NotImplementedError", 50101],
  unavailable: ["ServiceDisabledError", 50301],
};

export function jinaFailure({ cause, status: code, message, field }: Fault) {
  const [name, status] = kinds[cause] ?? ["ApplicationError", code * 100];
  const path = cause === "refused" ? "url" : cause === "badRequest" ? field : null;
  return {
    data: null,
    ...(path === null ? {} : { path }),
    code,
    name,
    status,
    message,
    readableMessage: `${name}: ${message}`,
  };
}

export const jinaFailureSchema = z.object({
  data: z.null(),
  path: z.string().optional().describe("The field that is wrong"),
  code: z.int().describe("Status of the response"),
  name: z.string().describe("Kind of the error"),
  status: z.int(),
  message: z.string().describe("What went wrong"),
  readableMessage: z.string(),
});
