// What a team can ask about itself: its activity, its usage, its queue.
import { type Accounts, type Caller, tokensPerCredit, unlimitedCredits } from "../accounts/index.ts";
import type { ActivityName, OperationInput, OperationOutput } from "../contract/index.ts";

export function createTeamOperations({ accounts }: { accounts: Accounts }) {
  const { activity, credits, slots } = accounts;

  const inTokens = (amount: number) => (amount === unlimitedCredits ? amount : amount * tokensPerCredit);

  return {
    async listActivity(
      input: OperationInput<"listActivity">,
      caller: Caller,
    ): Promise<OperationOutput<"listActivity">> {
      const { rows, cursor, hasMore } = await activity.page(caller.teamId, input);
      const data = rows.map((row) => ({
        id: row.id,
        endpoint: row.endpoint as ActivityName,
        api_version: row.apiVersion,
        created_at: row.createdAt,
        target: row.target,
      }));
      return { success: true, data, cursor, has_more: hasMore };
    },

    async readCreditUsage(_input: object, caller: Caller): Promise<OperationOutput<"readCreditUsage">> {
      const { remainingCredits, planCredits, periodStart, periodEnd } = await credits.readBalance(caller.teamId);
      const data = { remainingCredits, planCredits, billingPeriodStart: periodStart, billingPeriodEnd: periodEnd };
      return { success: true, data };
    },

    async readCreditHistory(
      input: OperationInput<"readCreditHistory">,
      caller: Caller,
    ): Promise<OperationOutput<"readCreditHistory">> {
      const periods = await credits.history(caller, input.byApiKey);
      // The specification names the sum totalCredits, the official clients read creditsUsed.
      return {
        success: true,
        periods: periods.map(({ credits: sum, ...period }) => ({ ...period, totalCredits: sum, creditsUsed: sum })),
      };
    },

    async readTokenUsage(_input: object, caller: Caller): Promise<OperationOutput<"readTokenUsage">> {
      const { remainingCredits, planCredits, periodStart, periodEnd } = await credits.readBalance(caller.teamId);
      return {
        success: true,
        data: {
          remainingTokens: inTokens(remainingCredits),
          planTokens: inTokens(planCredits),
          billingPeriodStart: periodStart,
          billingPeriodEnd: periodEnd,
        },
      };
    },

    async readTokenHistory(
      input: OperationInput<"readTokenHistory">,
      caller: Caller,
    ): Promise<OperationOutput<"readTokenHistory">> {
      const periods = await credits.history(caller, input.byApiKey);
      return {
        success: true,
        periods: periods.map(({ credits: sum, ...period }) => {
          const tokens = sum * tokensPerCredit;
          return { ...period, totalTokens: tokens, tokensUsed: tokens };
        }),
      };
    },

    async readQueueStatus(_input: object, caller: Caller): Promise<OperationOutput<"readQueueStatus">> {
      const { active, waiting } = slots.count(caller.teamId);
      return {
        success: true,
        jobsInQueue: active + waiting,
        activeJobsInQueue: active,
        waitingJobsInQueue: waiting,
        maxConcurrency: slots.limit,
        mostRecentSuccess: await activity.lastSuccess(caller.teamId),
      };
    },

    async readConcurrency(_input: object, caller: Caller): Promise<OperationOutput<"readConcurrency">> {
      return { success: true, concurrency: slots.count(caller.teamId).active, maxConcurrency: slots.limit };
    },
  };
}
