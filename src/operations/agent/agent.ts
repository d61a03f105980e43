// Agents as jobs: started, read, listed, cancelled. Without a language model one goes from the given pages, or from what a search
// finds, along the most relevant links until every field of the schema has a value; with one the model plans it step by step.

import type { Caller } from "../../accounts/index.ts";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import {
  type AnswerRecord,
  cancelRunning,
  costEvent,
  type ExtractionRecord,
  requireLiving,
  type SettingsOf,
  shownSettings,
} from "../../jobs/index.ts";
import { type Job, resultAgeMs } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { progressOf } from "./agent-progress.ts";
import { traceEvents } from "./agent-trace.ts";
import { type AgentOptions, createAgentStart } from "./start-agent.ts";

type AgentList = OperationOutput<"listAgents">;

const listed = 20;
const hintLength = 100;

export function createAgentOperations(parts: OperationParts, options: AgentOptions) {
  const { store, clock } = parts;
  const { records, signals } = parts.jobs;

  const startAgent = createAgentStart(parts, options);

  async function find(id: string, teamId: string): Promise<Job> {
    return requireAgent(await store.jobs.find(teamId, id), clock.now());
  }

  const answerOf = async (job: Job): Promise<AnswerRecord | null> =>
    job.status === "completed" ? records.readAnswer(job) : null;

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
      const { agent } = agentSettings(job);
      const record = await answerOf(job);
      return {
        success: true,
        status: statusOf(job),
        ...(record ? { data: record.data } : {}),
        ...(job.error === null ? {} : { error: job.error }),
        model: agent.model,
        ...(agent.effort === undefined ? {} : { effort: agent.effort }),
        expiresAt: isoTime(job.expiresAt ?? job.createdAt + resultAgeMs),
        creditsUsed: job.credits,
        ...(record?.tokens === undefined ? {} : { tokensUsed: record.tokens }),
        threadId: job.id,
        threadTurn: 1,
        mode: "extract",
        ...messageField(job, record),
        ...(record?.stopReason === undefined ? {} : { partial: true, stopReason: record.stopReason }),
      };
    },

    async readAgentTrace({ id }, { teamId }) {
      const job = await find(id, teamId);
      const errors = await store.jobResults.listErrors(job.id, options.maxPages * 10);
      const done = await records.readAll(job);
      const events = traceEvents(job, agentSettings(job), done, errors);
      const used = { creditsUsed: job.credits, tokensUsed: tokensOf(done) };
      return { success: true, id, events, ...used, activeBrowserSessions: [] };
    },

    /** Each run is a separate conversation, and without a model there is nothing to talk to. */
    async readAgentThread({ threadId, includeData }, { teamId }) {
      const job = await find(threadId, teamId);
      const record = await answerOf(job);
      const ended = { completed: "succeeded", failed: "failed", cancelled: "cancelled" } as const;
      const isCut = record?.stopReason === "credit_limit_reached";
      return {
        success: true,
        thread: {
          id: job.id,
          createdAt: isoTime(job.createdAt),
          updatedAt: isoTime(job.finishedAt ?? job.createdAt),
          status: job.status === "scraping" ? "running" : "idle",
          runs: [
            {
              id: job.id,
              turn: 1,
              mode: "extract",
              prompt: agentSettings(job).extraction.prompt ?? "",
              status: job.status === "scraping" ? "processing" : isCut ? "credit_limit_reached" : ended[job.status],
              createdAt: isoTime(job.createdAt),
              finishedAt: job.finishedAt === null ? null : isoTime(job.finishedAt),
              creditsUsed: job.credits,
              message: messageOf(job, record),
              ...(includeData && record ? { data: record.data } : {}),
            },
          ],
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

function statusOf({ status }: Job) {
  return status === "scraping" ? "processing" : status;
}

function messageOf(job: Job, record: AnswerRecord | null): string | null {
  return [job.warning, record?.warning].filter(Boolean).join(" ") || null;
}

function messageField(job: Job, record: AnswerRecord | null): { message?: string } {
  const message = messageOf(job, record);
  return message === null ? {} : { message };
}

function agentSettings(job: Job): SettingsOf<"agent"> {
  const settings = shownSettings(job);
  if (settings.kind !== "agent") throw new ServiceError("AGENT_NOT_FOUND");
  return settings;
}

function listedAgent(job: Job): AgentList["agents"][number] {
  const { extraction, agent } = agentSettings(job);
  const { prompt, schema, urls } = extraction;
  return {
    id: job.id,
    createdAt: isoTime(job.createdAt),
    targetHint: (prompt ?? "").slice(0, hintLength),
    origin: agent.origin,
    integration: agent.integration,
    status: statusOf(job),
    settings: { hidden: false, starred: false },
    options: {
      ...(urls.length > 0 ? { urls } : {}),
      ...(prompt ? { prompt } : {}),
      ...(schema ? { schema } : {}),
      model: agent.model,
      ...(agent.effort === undefined ? {} : { effort: agent.effort }),
    },
  };
}
