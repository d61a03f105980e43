// What an agent did, as events: made of what its tasks left behind, so they are the same at every reading. A tool's call begins
// where what was done before it ended.
import { type ErrorCode, errorTable, isObject, isoTime } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { AgentSettings, ExtractionRecord } from "../../jobs/index.ts";
import type { Job, JobError } from "../../store/index.ts";

type TraceEvent = OperationOutput<"readAgentTrace">["events"][number];
type TraceError = Extract<TraceEvent, { type: "error.occurred" }>["error"];
type OwnFields<Event> = Event extends TraceEvent
  ? Omit<Event, "schemaVersion" | "eventId" | "runId" | "occurredAt" | "producerSequence" | "agent">
  : never;
type Happened = { at: number } & OwnFields<TraceEvent>;

interface ToolCall {
  id: string;
  toolName: string;
  parameters: object;
  result: object;
  from: number;
  to: number;
}

/** `records` in the order of their places, by which snapshots are named. */
export function traceEvents(
  job: Job,
  agent: AgentSettings,
  records: readonly ExtractionRecord[],
  errors: readonly JobError[],
): TraceEvent[] {
  const plan = agent.planning ? "The language model plans the steps." : "The most promising pages are read first.";
  const happened: Happened[] = [
    { at: job.createdAt, type: "run.started" },
    { at: job.createdAt, type: "agent.started" },
    { at: job.createdAt, type: "progress.reported", phase: "planning", message: plan },
  ];
  // A page that is opened in a browser follows the step that says what to do on it.
  const stepBefore = (place: number) => records.slice(0, place).findLast((record) => record.kind === "step");
  const done = [
    ...records.map((record, place) => ({
      at: record.at,
      tell: (from: number) => ofRecord(record, place, from, stepBefore(place)?.actions),
    })),
    ...errors.map((error) => ({ at: error.at, tell: (from: number) => ofError(job, error, from) })),
  ].sort((one, two) => one.at - two.at);
  for (const { tell } of done) happened.push(...tell(happened.at(-1)?.at ?? job.createdAt));
  let data: unknown;
  for (const event of happened) {
    if (event.type !== "artifact.updated") continue;
    const next = artifactOf(records[Number(event.artifact.snapshotId)]);
    Object.assign(event.artifact, changeOf(data, next, event.artifact.change));
    data = next;
  }
  happened.push(...endOf(job));
  return happened.map(({ at, ...event }, index) => ({
    schemaVersion: 1,
    eventId: `${job.id}-${index + 1}`,
    runId: job.id,
    occurredAt: isoTime(at),
    producerSequence: index + 1,
    agent: { id: job.id, role: "orchestrator", name: agent.planning ? "planned" : "plain" },
    ...event,
  }));
}

/** The data that a record holds; undefined where it holds none. */
export function artifactOf(record: ExtractionRecord | undefined): unknown {
  if (record?.kind === "answer") return record.data ?? undefined;
  return record?.kind === "action" && record.answer?.ok ? record.answer.data : undefined;
}

function ofRecord(record: ExtractionRecord, place: number, from: number, actions: readonly object[] = []): Happened[] {
  const { at: to, warning } = record;
  const call = (toolName: string, parameters: object, result: object) =>
    toolCall({ id: `call-${place}`, toolName, parameters, result: { ...result, warning }, from, to });
  switch (record.kind) {
    case "page": {
      const { url, sourceUrl, credits: creditsUsed, finding, controls } = record;
      const result = { url, found: finding?.found != null, creditsUsed };
      return controls ? call("act", { url: sourceUrl, actions }, result) : call("scrape", { url: sourceUrl }, result);
    }
    case "step": {
      const { reason, tool, refused, failure } = record;
      return [
        { at: to, type: "reasoning.summary", text: reason || tool },
        ...(refused.length > 0 ? [progress(to, "working", refused.join(" "))] : []),
        ...(failure ? [{ at: to, type: "error.occurred" as const, error: errorOf("agent", failure) }] : []),
      ];
    }
    case "action": {
      const { tool, input, links, answer, credits: creditsUsed } = record;
      const result = tool === "extract" ? { answer } : { links: links.map(({ url }) => url), creditsUsed };
      return [...call(tool, input, result), ...artifactEvent(record, place)];
    }
    case "answer": {
      const { missing, evidence, pages, stopReason, isSchemaValid } = record;
      const result = { missing, evidence, stopReason, isSchemaValid };
      return [
        progress(from, "finalizing", "The answer is made from the pages that were read."),
        ...call("answer", { pages }, result),
        ...artifactEvent(record, place),
      ];
    }
    default:
      return call(record.kind, {}, {});
  }
}

function toolCall({ id: toolCallId, toolName, parameters, result, from, to }: ToolCall): Happened[] {
  return [
    { at: from, type: "tool_call.started", toolCallId, toolName, parameters },
    { at: to, type: "tool_call.finished", toolCallId, toolName, result },
  ];
}

function progress(at: number, phase: "working" | "finalizing", message: string): Happened {
  return { at, type: "progress.reported", phase, message };
}

function artifactEvent(record: ExtractionRecord, place: number): Happened[] {
  if (artifactOf(record) === undefined) return [];
  const isPartial = record.kind === "answer" && record.error !== undefined;
  const artifact = { kind: "json", artifactId: "data", snapshotId: String(place) } as const;
  return [
    { at: record.at, type: "artifact.updated", artifact: { ...artifact, change: isPartial ? "partial" : "init" } },
  ];
}

function changeOf(before: unknown, after: unknown, change: string) {
  const [was, is] = [before, after].map((data) => (isObject(data) ? data : {}));
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  const changedFields = names.filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]));
  return {
    change: before === undefined || change === "partial" ? change : "update",
    ...(isObject(after) ? { changedFields } : {}),
    ...(Array.isArray(after) ? { itemCount: after.length } : {}),
  };
}

/** Of a page that was not read; the failure of the whole run is told at its end. */
function ofError(job: Job, { id, at, url, code, message }: JobError, from: number): Happened[] {
  if (message === job.error) return [{ at, type: "error.occurred", error: errorOf("agent", { code, message }) }];
  const [started, finished] = toolCall({
    id: `call-${id}`,
    toolName: "scrape",
    parameters: { url },
    result: { error: message, code },
    from,
    to: at,
  }) as [Happened, Happened];
  return [started, { at, type: "error.occurred", error: errorOf("tool", { code, message }) }, finished];
}

function errorOf(source: TraceError["source"], { code, message }: { code: string; message: string }): TraceError {
  const retryable = Object.hasOwn(errorTable, code) && errorTable[code as ErrorCode].retry;
  return { code: "internal", source, retryable, message: `${message} (${code})` };
}

function endOf({ status, createdAt, finishedAt, error: message, stopReason }: Job): Happened[] {
  if (finishedAt === null) return [];
  const at = finishedAt;
  const durationMs = at - createdAt;
  const end = (outcome: "succeeded" | "failed" | "cancelled", error: TraceError | null): Happened[] => {
    const isCapped = error?.code === "credit_limit_reached";
    return [
      { at, type: "agent.finished", outcome, durationMs, error },
      { at, type: "run.finished", outcome: isCapped ? "credit_limit_reached" : outcome, error },
    ];
  };
  if (status === "completed") return end("succeeded", null);
  if (status === "cancelled") {
    const error: TraceError = {
      code: "cancelled",
      source: "system",
      retryable: false,
      message: "The run was cancelled.",
    };
    return [{ at, type: "run.cancel_requested", reason: "user" }, ...end("cancelled", error)];
  }
  const capped = stopReason === "credit_limit_reached" ? ({ code: stopReason, source: "billing" } as const) : null;
  const why = { code: "internal", source: "agent", retryable: false, message: message ?? "The run failed." } as const;
  return end("failed", { ...why, ...capped });
}
