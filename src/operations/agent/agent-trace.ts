// What an agent did, as events: made of what its tasks left behind, so they are the same at every reading.

import { isoTime } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { AgentSettings, ExtractionRecord, ExtractionSettings } from "../../jobs/index.ts";
import type { Job, JobError } from "../../store/index.ts";

type TraceEvent = OperationOutput<"readAgentTrace">["events"][number];
type Happened = { at: number; type: string } & Record<string, unknown>;

export function traceEvents(
  job: Job,
  { extraction, agent }: { extraction: ExtractionSettings; agent: AgentSettings },
  records: readonly ExtractionRecord[],
  errors: readonly JobError[],
): TraceEvent[] {
  const { prompt, urls } = extraction;
  const name = agent.planning ? "planned" : "plain";
  const begun: Happened = { at: job.createdAt, type: "run.started", prompt, urls };
  const done = [...records.map(happened), ...errors.map(errorEvent)].sort((one, two) => one.at - two.at);
  const isOver = job.finishedAt !== null;
  const type = job.status === "cancelled" ? "run.cancel_requested" : "run.finished";
  const ended = isOver ? [{ at: job.finishedAt ?? 0, type, status: job.status, error: job.error ?? undefined }] : [];
  return [begun, ...done, ...ended].map(({ at, ...event }, index) => ({
    schemaVersion: 1,
    eventId: `${job.id}-${index}`,
    runId: job.id,
    occurredAt: isoTime(at),
    producerSequence: index,
    agent: { id: job.id, role: "root", name, parentId: null },
    ...event,
  }));
}

function happened(record: ExtractionRecord): Happened {
  const { at, steps } = record;
  switch (record.kind) {
    case "page":
      return {
        at,
        type: "tool_call.finished",
        tool: "scrape",
        input: { url: record.sourceUrl },
        output: { url: record.url, found: record.finding?.found != null, warning: record.warning },
        creditsUsed: record.credits,
        steps,
      };
    case "answer": {
      const { data, missing, pages, stopReason, evidence, tokens } = record;
      return { at, type: "artifact.updated", data, missing, pages, stopReason, evidence, tokens };
    }
    case "step": {
      const { number, tool, reason, query, urls, actions, refused, tokens, stopReason, failure } = record;
      const input = { query, urls, actions };
      return { at, type: "reasoning.summary", number, tool, reason, input, refused, tokens, stopReason, failure };
    }
    case "action": {
      const { tool, input, links, answer, credits, tokens, warning } = record;
      const output = tool === "extract" ? { answer } : { links: links.map(({ url }) => url), warning };
      return { at, type: "tool_call.finished", tool, input, output, creditsUsed: credits, tokens, steps };
    }
    default:
      return { at, type: "tool_call.finished", tool: record.kind, output: { warning: record.warning }, steps };
  }
}

function errorEvent({ at, url, code, message }: JobError): Happened {
  return { at, type: "error.occurred", tool: "scrape", input: { url }, code, message };
}
