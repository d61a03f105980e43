// What a team can ask about itself: its activity, its usage, its queue.
import { type Caller, type shownActivity, tokensPerCredit, unlimitedCredits } from "../../accounts/index.ts";
import { isoTime } from "../../base/index.ts";
import type { ActivityName } from "../../contract/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

/** Pages of a team's jobs that are counted as active. */
const maxActive = 10_000;

export function createTeamOperations({ accounts, store, clock, hostStats, readyAt }: OperationParts) {
  const { activity, credits, tokens, slots } = accounts;

  /** Pages active and waiting: those of jobs, of whatever process, and those of requests that this one answers. */
  async function countPages(teamId: string): Promise<{ active: number; waiting: number }> {
    const ofJobs = await store.jobs.countOfTeam(teamId);
    const here = slots.count(teamId);
    // A job's page that this process reads holds or waits for one of the slots, too.
    const active = Math.max(ofJobs.active, here.active);
    return { active, waiting: ofJobs.waiting + Math.max(0, here.active + here.waiting - active) };
  }

  /** Of jobs, in whatever process. */
  async function countJobPages(teamId: string): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const url of await store.jobPages.listActiveUrls(teamId, maxActive)) {
      const { host } = new URL(url);
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    return counts;
  }

  const inTokens = (amount: number) => (amount === unlimitedCredits ? amount : amount * tokensPerCredit);

  /** Without a language model, tokens are another unit of credits. */
  const creditsAsTokens = {
    async readBalance(teamId: string) {
      const { remainingCredits, planCredits, periodStart, periodEnd } = await credits.readBalance(teamId);
      const [remainingTokens, planTokens] = [inTokens(remainingCredits), inTokens(planCredits)];
      return { remainingTokens, planTokens, periodStart, periodEnd };
    },
    async history(caller: Caller, byApiKey: boolean) {
      const periods = await credits.history(caller, byApiKey);
      return periods.map(({ credits: sum, ...period }) => ({ ...period, tokens: sum * tokensPerCredit }));
    },
  };

  return {
    async listActivity(input, caller) {
      const { rows, cursor, hasMore } = await activity.page(caller.teamId, input);
      return { success: true, data: rows.map(listedRow), cursor, has_more: hasMore };
    },

    async readCreditUsage(_input, caller) {
      const { remainingCredits, planCredits, periodStart, periodEnd } = await credits.readBalance(caller.teamId);
      const data = { remainingCredits, planCredits, billingPeriodStart: periodStart, billingPeriodEnd: periodEnd };
      return { success: true, data };
    },

    async readCreditHistory(input, caller) {
      const periods = await credits.history(caller, input.byApiKey);
      // The specification names the sum totalCredits, the official clients read creditsUsed.
      return {
        success: true,
        periods: periods.map(({ credits: sum, ...period }) => ({ ...period, totalCredits: sum, creditsUsed: sum })),
      };
    },

    async readTokenUsage(_input, caller) {
      const { remainingTokens, planTokens, periodStart, periodEnd } = await (tokens ?? creditsAsTokens).readBalance(
        caller.teamId,
      );
      const data = { remainingTokens, planTokens, billingPeriodStart: periodStart, billingPeriodEnd: periodEnd };
      return { success: true, data };
    },

    async readTokenHistory(input, caller) {
      const periods = await (tokens ?? creditsAsTokens).history(caller, input.byApiKey);
      return {
        success: true,
        periods: periods.map(({ tokens: sum, ...period }) => ({ ...period, totalTokens: sum, tokensUsed: sum })),
      };
    },

    async readQueueStatus(_input, caller) {
      const { active, waiting } = await countPages(caller.teamId);
      return {
        success: true,
        jobsInQueue: active + waiting,
        activeJobsInQueue: active,
        waitingJobsInQueue: waiting,
        maxConcurrency: slots.limit,
        mostRecentSuccess: await activity.lastSuccess(caller.teamId),
      };
    },

    async listHosts(_input, { teamId }) {
      const [hosts, ofJobs] = await Promise.all([hostStats.list(teamId), countJobPages(teamId)]);
      return {
        success: true,
        hosts: hosts.map(({ host, delayMs, inFlight, last429At, robots, attempt, verdicts }) => {
          const [state] = verdicts;
          return {
            host,
            delayMs: Math.max(delayMs, readyAt(`http://${host}/`) - clock.now(), 0),
            inFlight: inFlight + (ofJobs.get(host) ?? 0),
            last429At: last429At === null ? null : isoTime(last429At),
            robots,
            ...(attempt ? { rung: attempt } : {}),
            ...(state ? { state, verdicts } : {}),
          };
        }),
      };
    },

    async readConcurrency(_input, caller) {
      const { active } = await countPages(caller.teamId);
      return { success: true, concurrency: active, maxConcurrency: slots.limit };
    },
  } satisfies ServedOperations;
}

type Listed = ReturnType<typeof shownActivity>;

function listedRow({ apiVersion, createdAt, credits, externalRequestId, cacheState, keyName, error, ...row }: Listed) {
  return {
    id: row.id,
    endpoint: row.endpoint as ActivityName,
    api_version: apiVersion,
    created_at: createdAt,
    target: row.target,
    ...(externalRequestId === null ? {} : { externalRequestId }),
    status: row.status,
    durationMs: row.durationMs,
    creditsUsed: credits,
    ...(cacheState === null ? {} : { cacheState }),
    ...(keyName === null ? {} : { apiKey: keyName }),
    ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
  };
}
