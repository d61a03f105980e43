// Usage under v1's names; history and queue are the same in both versions.
import * as z from "zod";
import {
  concurrency,
  creditHistory,
  type creditUsage,
  historyQuery,
  queueStatus,
  tokenHistory,
  type tokenUsage,
} from "../endpoints/team.ts";
import { success, time } from "../fields/fields.ts";
import { endpoint } from "../table/endpoint.ts";

const billingPeriod = { billing_period_start: time.nullable(), billing_period_end: time.nullable() };

interface BillingPeriod {
  billingPeriodStart: string | null;
  billingPeriodEnd: string | null;
}

function fromV2Period({ billingPeriodStart, billingPeriodEnd }: BillingPeriod) {
  return { billing_period_start: billingPeriodStart, billing_period_end: billingPeriodEnd };
}

const row = { tag: "Team", method: "GET", rateGroup: "status" } as const;

export const v1TeamEndpoints = [
  endpoint({
    ...row,
    path: "/v1/team/credit-usage",
    summary: "Get the remaining credits",
    operation: "readCreditUsage",
    response: z.object({
      success,
      data: z.object({ remaining_credits: z.number(), plan_credits: z.number(), ...billingPeriod }),
    }),
    toResponse: ({ success, data }: z.output<typeof creditUsage>) => ({
      success,
      data: { remaining_credits: data.remainingCredits, plan_credits: data.planCredits, ...fromV2Period(data) },
    }),
  }),
  endpoint({
    ...row,
    path: "/v1/team/credit-usage/historical",
    summary: "Get the credits used per month",
    operation: "readCreditHistory",
    query: historyQuery,
    response: creditHistory,
  }),
  endpoint({
    ...row,
    path: "/v1/team/token-usage",
    summary: "Get the remaining tokens",
    operation: "readTokenUsage",
    response: z.object({
      success,
      data: z.object({ remaining_tokens: z.number(), plan_tokens: z.number(), ...billingPeriod }),
    }),
    toResponse: ({ success, data }: z.output<typeof tokenUsage>) => ({
      success,
      data: { remaining_tokens: data.remainingTokens, plan_tokens: data.planTokens, ...fromV2Period(data) },
    }),
  }),
  endpoint({
    ...row,
    path: "/v1/team/token-usage/historical",
    summary: "Get the tokens used per month",
    operation: "readTokenHistory",
    query: historyQuery,
    response: tokenHistory,
  }),
  endpoint({
    ...row,
    path: "/v1/team/queue-status",
    summary: "Get the number of waiting and running jobs",
    operation: "readQueueStatus",
    response: queueStatus,
  }),
  endpoint({
    ...row,
    path: "/v1/concurrency-check",
    summary: "Get the number of pages in progress",
    operation: "readConcurrency",
    response: concurrency,
  }),
];
