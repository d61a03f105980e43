// Agent jobs: gather data by following links, and show how it was done.
import * as z from "zod";
import {
  idParams,
  jsonSchemaField,
  nameField,
  promptField,
  queryBoolean,
  queryInteger,
  senderKeys,
  success,
  time,
  urlField,
  uuidField,
} from "../fields/common-fields.ts";
import { webhookField } from "../fields/webhook.ts";
import { section } from "../table/endpoint.ts";

const agentBody = z
  .strictObject({
    prompt: promptField("What to find, in plain language"),
    urls: z.array(urlField("URL of a page")).max(1000).prefault([]).describe("URLs to start from"),
    schema: jsonSchemaField().optional(),
    maxCredits: z.number().gt(0).default(2500).describe("Maximum credits the job may use"),
    strictConstrainToURLs: z.boolean().default(false).describe("Visit only the given URLs"),
    model: z
      .enum(["spark-1-pro", "spark-1-mini", "spark-2"])
      .default("spark-2")
      .describe("Model tier, accepted for compatibility; the server's own model is used"),
    effort: z
      .enum(["low", "medium", "high"])
      .optional()
      .describe("How thoroughly to search: more effort visits more pages"),
    webhook: webhookField("AgentWebhook", "agent", [
      "started",
      "action",
      "completed",
      "failed",
      "cancelled",
    ]).optional(),
    threadId: uuidField("Id of the conversation to continue").optional(),
    mode: z.enum(["extract", "chat"]).default("extract").describe("Whether to return data or to answer in a message"),
    exchange: z.unknown().optional().describe("Accepted and ignored"),
    ...senderKeys,
  })
  .transform(({ exchange, ...body }) => body);

const started = z.object({
  success,
  id: z.string(),
  threadId: z.string().optional(),
  threadTurn: z.int().optional(),
  warning: z.string().optional(),
});

const suggestion = z.object({ label: z.string(), prompt: z.string() });
const effort = z.enum(["low", "medium", "high"]);
const mode = z.enum(["extract", "chat"]);

/** How a run ended early, in its status and in its thread. */
const early = {
  partial: z
    .unknown()
    .optional()
    .describe("What a job that ended early has found, where that is not all that is required"),
  partialSchemaValid: z.boolean().optional().describe("Whether partial is valid against the schema"),
  stopReason: z.string().optional().describe("Why the job ended early"),
};

const agentStatus = z.object({
  success,
  status: z.enum(["processing", "completed", "failed", "cancelled"]),
  data: z.unknown().optional().describe("The data that was found"),
  error: z.string().optional(),
  model: z.string().optional(),
  effort: effort.optional(),
  expiresAt: time.optional(),
  creditsUsed: z.number().optional(),
  tokensUsed: z.number().optional().describe("Language model tokens used, once the job has an answer"),
  threadId: z.string().optional(),
  threadTurn: z.int().optional(),
  mode: mode.optional(),
  message: z
    .string()
    .nullish()
    .describe("The answer of the mode chat; in the mode extract what the caller should know"),
  suggestions: z.array(suggestion).optional().describe("What could be asked next, in the mode chat"),
  ...early,
});

const agentList = z.object({
  success,
  agents: z.array(
    z.object({
      id: z.string(),
      createdAt: time,
      targetHint: z.string(),
      origin: z.string().optional(),
      integration: z.string().nullish(),
      status: z.string(),
      settings: z.object({ hidden: z.boolean(), starred: z.boolean(), label: z.string().nullish() }),
      options: z.object({
        urls: z.array(z.string()).optional(),
        prompt: z.string().optional(),
        schema: z.record(z.string(), z.unknown()).optional(),
        model: z.string().optional(),
        effort: z.string().optional(),
      }),
    }),
  ),
  next: z.string().optional().describe("URL of the next page of results"),
});

const traceError = z.object({
  code: z.enum(["cancelled", "credit_limit_reached", "parent_finished", "refused", "internal"]),
  source: z.enum(["agent", "tool", "billing", "system"]),
  retryable: z.boolean(),
  message: z.string(),
});
const agentOutcome = z.enum(["succeeded", "failed", "cancelled", "refused"]);
const toolCall = { toolCallId: z.string(), toolName: z.string() };

function event<const Type extends string, Own extends z.ZodRawShape>(type: Type, own: Own) {
  return z.object({
    schemaVersion: z.literal(1),
    eventId: z.string(),
    runId: z.string(),
    occurredAt: time,
    producerSequence: z.int().describe("Rises by one with each event, from 1"),
    agent: z.object({
      id: z.string(),
      role: z.enum(["orchestrator", "subagent", "browser", "system"]),
      name: z.string(),
      parentId: z.string().optional(),
    }),
    type: z.literal(type),
    ...own,
  });
}

const traceEvent = z.discriminatedUnion("type", [
  event("run.started", {}),
  event("run.cancel_requested", { reason: z.literal("user") }),
  event("run.finished", {
    outcome: z.enum([...agentOutcome.options, "credit_limit_reached"]),
    error: traceError.nullable(),
  }),
  event("agent.started", {}),
  event("agent.finished", { outcome: agentOutcome, durationMs: z.int(), error: traceError.nullable() }),
  event("progress.reported", { phase: z.enum(["planning", "working", "finalizing"]), message: z.string() }),
  event("reasoning.summary", { text: z.string() }),
  event("tool_call.started", { ...toolCall, parameters: z.unknown() }),
  event("tool_call.finished", { ...toolCall, result: z.unknown() }),
  event("artifact.updated", {
    artifact: z.object({
      kind: z.literal("json"),
      artifactId: z.string(),
      snapshotId: z.string().describe("Where its content is: GET /v2/agent/{id}/snapshots/{snapshotId}"),
      change: z.enum(["init", "partial", "append", "modify", "update"]),
      changedFields: z.array(z.string()).optional(),
      itemCount: z.int().optional(),
    }),
  }),
  event("error.occurred", { error: traceError }),
]);

const agentTrace = z.object({
  success,
  id: z.string(),
  events: z.array(traceEvent),
  creditsUsed: z.number().optional(),
  tokensUsed: z.number().optional().describe("Language model tokens used so far"),
  activeBrowserSessions: z
    .array(
      z.object({
        id: z.string(),
        liveViewUrl: z.string(),
        viewport: z.object({ width: z.int(), height: z.int() }),
      }),
    )
    .optional()
    .describe("With liveView alone"),
});

const snapshot = z.object({ success, id: z.string(), snapshotId: z.string(), snapshot: z.string() });

const thread = z.object({
  success,
  thread: z.object({
    id: z.string(),
    createdAt: time,
    updatedAt: time,
    status: z.enum(["idle", "running"]),
    runs: z.array(
      z.object({
        id: z.string(),
        turn: z.int(),
        mode,
        prompt: z.string(),
        urls: z.array(z.string()).optional(),
        schema: z.record(z.string(), z.unknown()).optional(),
        effort: effort.optional(),
        status: z.enum(["processing", "succeeded", "failed", "cancelled", "refused", "credit_limit_reached"]),
        createdAt: time,
        finishedAt: time.nullable(),
        creditsUsed: z.number().nullable(),
        message: z.string().nullable(),
        data: z.unknown().optional(),
        suggestions: z.array(suggestion).nullish(),
        ...early,
      }),
    ),
  }),
});

const endpoint = section({ tag: "Agent", group: "agent", rateGroup: "status", notFound: "AGENT_NOT_FOUND" });

export const agentEndpoints = [
  endpoint("POST /v2/agent", "startAgent", "Start an agent that gathers data from the web", {
    body: agentBody,
    response: started,
    rateGroup: "job",
    activity: "agent",
  }),
  endpoint("GET /v2/agent", "listAgents", "List the team's agent jobs", {
    query: z.strictObject({
      before: queryInteger(z.int().min(0))
        .optional()
        .describe("Only jobs created before this time (Unix milliseconds)"),
    }),
    response: agentList,
  }),
  endpoint("GET /v2/agent/threads/{threadId}", "readAgentThread", "Get a conversation and its jobs", {
    params: z.strictObject({ threadId: nameField("Id of the conversation") }),
    query: z.strictObject({
      includeData: queryBoolean().prefault(false).describe("Include the data of each job"),
    }),
    response: thread,
    notFound: "thread_not_found",
  }),
  endpoint("GET /v2/agent/{id}", "readAgent", "Get the status and result of an agent job", {
    params: idParams,
    response: agentStatus,
  }),
  endpoint("DELETE /v2/agent/{id}", "cancelAgent", "Cancel an agent job", {
    params: idParams,
    response: z.object({ success }),
  }),
  endpoint("GET /v2/agent/{id}/trace", "readAgentTrace", "Get the steps of an agent job", {
    params: idParams,
    query: z.strictObject({
      liveView: queryBoolean().prefault(false).describe("Include live view URLs of running browser sessions"),
    }),
    response: agentTrace,
  }),
  endpoint(
    "GET /v2/agent/{id}/snapshots/{snapshotId}",
    "readAgentSnapshot",
    "Get a snapshot of an agent job's result",
    { params: idParams.safeExtend({ snapshotId: nameField("Id of the snapshot") }), response: snapshot },
  ),
];
