// Gathering data from pages and the links between them, as a job; and looking at how that was done.
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
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
  uuid,
  uuidField,
} from "./fields.ts";
import { webhookField } from "./webhook.ts";

const agentBody = z
  .strictObject({
    prompt: promptField("What to find"),
    urls: z.array(urlField("Address of a page")).max(1000).prefault([]).describe("Pages to start from"),
    schema: jsonSchemaField().optional(),
    maxCredits: z.number().gt(0).default(2500).describe("Credits the job may use"),
    strictConstrainToURLs: z.boolean().default(false).describe("Visit only the given pages"),
    model: z.enum(["spark-1-pro", "spark-1-mini", "spark-2"]).default("spark-1-pro").describe("Kind of model"),
    effort: z.enum(["low", "medium", "high"]).optional().describe("How hard to try"),
    webhook: webhookField("AgentWebhook", "agent", [
      "started",
      "action",
      "completed",
      "failed",
      "cancelled",
    ]).optional(),
    threadId: uuidField("Conversation to continue").optional(),
    mode: z.enum(["extract", "chat"]).optional().describe("Whether data or a conversation is wanted"),
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

const agentStatus = z.object({
  success,
  status: z.enum(["processing", "completed", "failed", "cancelled"]),
  data: z.unknown().optional().describe("What was found"),
  error: z.string().optional(),
  model: z.string().optional(),
  effort: z.string().optional(),
  expiresAt: time.optional(),
  creditsUsed: z.number().optional(),
  tokensUsed: z.number().optional().describe("Tokens of the language model, when it is completed"),
  threadId: z.string().optional(),
  threadTurn: z.int().optional(),
  mode: z.string().optional(),
  message: z.string().nullish(),
  suggestions: z.array(z.unknown()).optional(),
  pendingApproval: z.unknown().optional(),
  exchange: z.unknown().optional(),
  partial: z.boolean().optional().describe("The job ended early; data holds what was found until then"),
  stopReason: z.string().optional().describe("Why the job ended early"),
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
  next: z.string().optional().describe("Address of the next page"),
});

const agentTrace = z.object({
  success,
  id: z.string(),
  events: z.array(
    z.looseObject({
      schemaVersion: z.int(),
      eventId: z.string(),
      runId: z.string(),
      occurredAt: time,
      producerSequence: z.int(),
      agent: z.object({
        id: z.string(),
        role: z.string(),
        name: z.string().optional(),
        parentId: z.string().nullish(),
      }),
      type: z.string(),
    }),
  ),
  creditsUsed: z.number().optional(),
  tokensUsed: z.number().optional().describe("Tokens of the language model so far"),
  activeBrowserSessions: z
    .array(z.object({ id: z.string(), liveViewUrl: z.string().optional(), viewport: z.unknown().optional() }))
    .optional(),
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
        mode: z.string().optional(),
        prompt: z.string(),
        status: z.enum(["processing", "succeeded", "failed", "cancelled", "refused", "credit_limit_reached"]),
        createdAt: time,
        finishedAt: time.nullish(),
        creditsUsed: z.number().optional(),
        message: z.string().nullish(),
        data: z.unknown().optional(),
      }),
    ),
  }),
});

const row = { tag: "Agent", rateGroup: "status", notFound: "AGENT_NOT_FOUND" } as const;

export const agentEndpoints = [
  endpoint({
    ...row,
    method: "POST",
    path: "/v2/agent",
    summary: "Start gathering data by following links",
    operation: "startAgent",
    body: agentBody,
    response: started,
    rateGroup: "job",
    activity: "agent",
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/agent",
    summary: "List the team's agent jobs",
    operation: "listAgents",
    query: z.strictObject({
      before: queryInteger(z.int().min(0)).optional().describe("Only jobs made before this time (Unix milliseconds)"),
    }),
    response: agentList,
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/agent/threads/{threadId}",
    summary: "Read a conversation with its jobs",
    operation: "readAgentThread",
    params: z.strictObject({ threadId: uuid.describe("Id of the conversation") }),
    query: z.strictObject({
      includeData: queryBoolean().prefault(false).describe("Answer what each job found"),
    }),
    response: thread,
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/agent/{id}",
    summary: "Read the state and result of an agent job",
    operation: "readAgent",
    params: idParams,
    response: agentStatus,
  }),
  endpoint({
    ...row,
    method: "DELETE",
    path: "/v2/agent/{id}",
    summary: "Cancel an agent job",
    operation: "cancelAgent",
    params: idParams,
    response: z.object({ success }),
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/agent/{id}/trace",
    summary: "Read what an agent job did",
    operation: "readAgentTrace",
    params: idParams,
    query: z.strictObject({
      liveView: queryBoolean().prefault(false).describe("Answer where running sessions can be watched"),
    }),
    response: agentTrace,
  }),
  endpoint({
    ...row,
    method: "GET",
    path: "/v2/agent/{id}/snapshots/{snapshotId}",
    summary: "Read a state of an agent job's result",
    operation: "readAgentSnapshot",
    params: idParams.safeExtend({ snapshotId: nameField("Id of the state") }),
    response: snapshot,
  }),
];
