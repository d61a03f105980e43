// An agent's run as its callers see it: its status, in the list and in its thread.
import { isoTime } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import { type AnswerRecord, holdsValue } from "../../jobs/index.ts";
import { type Job, resultAgeMs } from "../../store/index.ts";
import { agentSettings } from "./agent-thread.ts";

type AgentList = OperationOutput<"listAgents">;
type ThreadRun = OperationOutput<"readAgentThread">["thread"]["runs"][number];

/** Whatever was asked for: the server's own model is used. */
const model = "spark-2";
const hintLength = 100;

export function statusOf(job: Job, record: AnswerRecord | null): OperationOutput<"readAgent"> {
  const { agent } = agentSettings(job);
  const message = messageOf(job, record);
  return {
    success: true,
    status: shownStatus(job),
    ...dataOf(record),
    ...(job.error === null ? {} : { error: job.error }),
    model,
    ...(agent.effort === undefined ? {} : { effort: agent.effort }),
    expiresAt: isoTime(job.expiresAt ?? job.createdAt + resultAgeMs),
    creditsUsed: job.credits,
    ...(record?.tokens === undefined ? {} : { tokensUsed: record.tokens }),
    threadId: job.threadId ?? job.id,
    threadTurn: agent.threadTurn ?? 1,
    mode: agent.mode ?? "extract",
    ...(message === null ? {} : { message }),
    ...(record?.suggestions ? { suggestions: record.suggestions } : {}),
    ...earlyEnd(job, record),
  };
}

export function runOf(job: Job, record: AnswerRecord | null, includeData: boolean): ThreadRun {
  const { extraction, agent } = agentSettings(job);
  const { prompt, urls, schema } = extraction;
  const { finishedAt } = job;
  return {
    id: job.id,
    turn: agent.threadTurn ?? 1,
    mode: agent.mode ?? "extract",
    prompt: prompt ?? "",
    ...(urls.length > 0 ? { urls } : {}),
    ...(schema ? { schema } : {}),
    ...(agent.effort === undefined ? {} : { effort: agent.effort }),
    status: runStatusOf(job),
    createdAt: isoTime(job.createdAt),
    finishedAt: finishedAt === null ? null : isoTime(finishedAt),
    creditsUsed: finishedAt === null ? null : job.credits,
    message: messageOf(job, record),
    ...(includeData ? dataOf(record) : {}),
    ...(agent.mode === "chat" ? { suggestions: record?.suggestions ?? null } : {}),
    ...earlyEnd(job, record),
  };
}

function shownStatus({ status }: Job) {
  return status === "scraping" ? "processing" : status;
}

function runStatusOf({ status, stopReason }: Job): ThreadRun["status"] {
  if (status === "failed") return stopReason === "credit_limit_reached" ? stopReason : "failed";
  return status === "scraping" ? "processing" : status === "completed" ? "succeeded" : status;
}

function messageOf(job: Job, record: AnswerRecord | null): string | null {
  return record?.message ?? ([job.warning, record?.warning].filter(Boolean).join(" ") || null);
}

/** Of a whole answer that is no message. */
function dataOf(record: AnswerRecord | null): { data?: unknown } {
  return record && record.error === undefined && record.message === undefined ? { data: record.data } : {};
}

function earlyEnd({ stopReason }: Job, record: AnswerRecord | null) {
  const { error, data, isSchemaValid } = record ?? {};
  return {
    ...(error !== undefined && holdsValue(data) ? { partial: data } : {}),
    ...(isSchemaValid === undefined ? {} : { partialSchemaValid: isSchemaValid }),
    ...(stopReason === null ? {} : { stopReason }),
  };
}

export function listedAgent(job: Job): AgentList["agents"][number] {
  const { extraction, agent } = agentSettings(job);
  const { prompt, schema, urls } = extraction;
  return {
    id: job.id,
    createdAt: isoTime(job.createdAt),
    targetHint: (prompt ?? "").slice(0, hintLength),
    origin: agent.origin,
    integration: agent.integration,
    status: shownStatus(job),
    settings: { hidden: false, starred: false },
    options: {
      ...(urls.length > 0 ? { urls } : {}),
      ...(prompt ? { prompt } : {}),
      ...(schema ? { schema } : {}),
      model,
      ...(agent.effort === undefined ? {} : { effort: agent.effort }),
    },
  };
}
