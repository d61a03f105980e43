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
import { success, time } from "../fields/common-fields.ts";
import { section } from "../table/endpoint.ts";

const billingPeriod = { billing_period_start: time.nullable(), billing_period_end: time.nullable() };

interface BillingPeriod {
  billingPeriodStart: string | null;
  billingPeriodEnd: string | null;
}

function fromV2Period({ billingPeriodStart, billingPeriodEnd }: BillingPeriod) {
  return { billing_period_start: billingPeriodStart, billing_period_end: billingPeriodEnd };
}

const endpoint = section({ tag: "Team", group: "team", rateGroup: "status" });

export const v1TeamEndpoints = [
  endpoint("GET /v1/team/credit-usage", "readCreditUsage", "Get the remaining credits", {
    response: z.object({
      success,
      data: z.object({ remaining_credits: z.number(), plan_credits: z.number(), ...billingPeriod }),
    }),
    toResponse: ({ success, data }: z.output<typeof creditUsage>) => ({
      success,
      data: { remaining_credits: data.remainingCredits, plan_credits: data.planCredits, ...fromV2Period(data) },
    }),
  }),
  endpoint("GET /v1/team/credit-usage/historical", "readCreditHistory", "Get the credits used per month", {
    query: historyQuery,
    response: creditHistory,
  }),
  endpoint("GET /v1/team/token-usage", "readTokenUsage", "Get the remaining tokens", {
    response: z.object({
      success,
      data: z.object({ remaining_tokens: z.number(), plan_tokens: z.number(), ...billingPeriod }),
    }),
    toResponse: ({ success, data }: z.output<typeof tokenUsage>) => ({
      success,
      data: { remaining_tokens: data.remainingTokens, plan_tokens: data.planTokens, ...fromV2Period(data) },
    }),
  }),
  endpoint("GET /v1/team/token-usage/historical", "readTokenHistory", "Get the tokens used per month", {
    query: historyQuery,
    response: tokenHistory,
  }),
  endpoint("GET /v1/team/queue-status", "readQueueStatus", "Get the number of waiting and running jobs", {
    response: queueStatus,
  }),
  endpoint("GET /v1/concurrency-check", "readConcurrency", "Get the number of pages in progress", {
    response: concurrency,
  }),
];
