// Agents as jobs: started, read, listed, cancelled. Without a language model one goes from the given pages, or from what a search
// finds, along the most relevant links until every field of the schema has a value; with one the model plans it step by step.

import type { Caller } from "../../accounts/index.ts";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import { cancelRunning, costEvent, type ExtractionRecord, requireLiving } from "../../jobs/index.ts";
import type { Job } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { progressOf } from "./agent-progress.ts";
import { agentSettings, createThreads } from "./agent-thread.ts";
import { artifactOf, traceEvents } from "./agent-trace.ts";
import { listedAgent, runOf, statusOf } from "./shown-run.ts";
import { type AgentOptions, createAgentStart } from "./start-agent.ts";

type AgentList = OperationOutput<"listAgents">;

const listed = 20;

export function createAgentOperations(parts: OperationParts, options: AgentOptions) {
  const { store, clock } = parts;
  const { records, signals } = parts.jobs;

  const threads = createThreads(parts);
  const startAgent = createAgentStart(parts, options);

  async function find(id: string, teamId: string): Promise<Job> {
    return requireAgent(await store.jobs.find(teamId, id), clock.now());
  }

  async function cancelAgent({ id }: { id: string }, { teamId }: Caller): Promise<OperationOutput<"cancelAgent">> {
    const now = clock.now();
    await store.transaction(async (statements) => {
      const found = await statements.jobs.lock(id);
      const job = requireAgent(found?.teamId === teamId ? found : null, now);
      if (job.status !== "scraping") throw new ServiceError("JOB_ALREADY_ENDED", "Agent job has already ended");
      await cancelRunning(statements, job, now);
      await statements.webhooks.enqueue(costEvent(job, "cancelled", "The job was cancelled.", now));
    });
    signals.publishCancelled(id);
    return { success: true };
  }

  async function listAgents({ before }: OperationInput<"listAgents">, { teamId, baseUrl }: Caller): Promise<AgentList> {
    const now = clock.now();
    const found = await store.jobs.listNewest({ teamId, kind: "agent", before: before ?? now + 1, limit: listed + 1 });
    const jobs = found.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    const page = jobs.slice(0, listed);
    const last = page.at(-1);
    return {
      success: true,
      agents: page.map(listedAgent),
      ...(jobs.length > listed && last ? { next: `${baseUrl}/v2/agent?before=${last.createdAt}` } : {}),
    };
  }

  return {
    startAgent,
    cancelAgent,
    listAgents,

    async readAgent({ id }, { teamId }) {
      const job = await find(id, teamId);
      return statusOf(job, await records.readAnswer(job));
    },

    async readAgentTrace({ id, liveView }, { teamId }) {
      const job = await find(id, teamId);
      const errors = await store.jobResults.listErrors(job.id, options.maxPages * 10);
      const done = await records.readAll(job);
      const events = traceEvents(job, agentSettings(job).agent, done, errors);
      const used = { creditsUsed: job.credits, tokensUsed: tokensOf(done) };
      // Pages that are acted upon are opened for that moment, not as sessions to be watched.
      return { success: true, id, events, ...used, ...(liveView ? { activeBrowserSessions: [] } : {}) };
    },

    async readAgentSnapshot({ id, snapshotId }, { teamId }) {
      const job = await find(id, teamId);
      const data = artifactOf((await records.readAll(job))[Number(snapshotId)]);
      if (data === undefined) throw new ServiceError("AGENT_NOT_FOUND", "Snapshot not found");
      return { success: true, id, snapshotId, snapshot: JSON.stringify(data) };
    },

    async readAgentThread({ threadId, includeData }, { teamId }) {
      const runs = await threads.list(teamId, threadId);
      const [first, last] = [runs[0], runs.at(-1)] as [Job, Job];
      return {
        success: true,
        thread: {
          id: threadId,
          createdAt: isoTime(first.createdAt),
          updatedAt: isoTime(last.finishedAt ?? last.createdAt),
          status: last.status === "scraping" ? "running" : "idle",
          runs: await Promise.all(runs.map(async (job) => runOf(job, await records.readAnswer(job), includeData))),
        },
      };
    },
  } satisfies ServedOperations;
}

/** The answer's are those of the whole run. */
function tokensOf(done: readonly ExtractionRecord[]): number {
  const answer = done.find((record) => record.kind === "answer");
  return answer?.tokens ?? progressOf(done).tokens;
}

function requireAgent(job: Job | null, now: number): Job {
  return requireLiving(job?.kind === "agent" ? job : null, now, "AGENT_NOT_FOUND");
}
