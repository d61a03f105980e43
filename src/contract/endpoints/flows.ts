// Flows: steps that were shown once, and repeated.
import * as z from "zod";
import { type Action, action } from "../fields/actions.ts";
import {
  idParams,
  nameField,
  queryInteger,
  senderKeys,
  success,
  time,
  urlField,
  warning,
} from "../fields/common-fields.ts";
import { type Document, document } from "../fields/document.ts";
import {
  type FlowParameters,
  type FlowStep,
  type FlowTarget,
  type FlowValues,
  flowParameters,
  flowStep,
  flowSteps,
  flowTarget,
  flowValues,
  parameterName,
} from "../fields/flow.ts";
import { exportFile } from "../fields/job.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import { type ScrapeOptions, scrapeOptions } from "../fields/scrape-options.ts";
import { section } from "../table/endpoint.ts";

const name = z.string().trim().min(1).max(100).describe("Name of the flow");
const description = z.string().max(2000).optional().describe("What the flow is for");

const from = z
  .strictObject({
    sessionId: nameField("Browser session of which a flow is made").optional(),
    url: urlField("Page on which the actions are done").optional(),
    actions: z.array(action).min(1).max(50).optional().describe("Actions as of a scrape"),
    recording: z.record(z.string(), z.unknown()).optional().describe("JSON of Chrome's Recorder"),
    flow: z.record(z.string(), z.unknown()).optional().describe("What the export as JSON gave"),
  })
  .superRefine(({ sessionId, url, actions, recording, flow }, context) => {
    const forms = [sessionId, actions, recording, flow].filter((each) => each !== undefined).length;
    if (forms !== 1)
      context.addIssue({
        code: "custom",
        message: "from takes exactly one of sessionId, url with actions, recording and flow",
      });
    if ((url === undefined) !== (actions === undefined))
      context.addIssue({ code: "custom", message: "url and actions belong together" });
  });

export interface NewFlow {
  name: string;
  description?: string | undefined;
  from: {
    sessionId?: string | undefined;
    url?: string | undefined;
    actions?: Action[] | undefined;
    recording?: Record<string, unknown> | undefined;
    flow?: Record<string, unknown> | undefined;
  };
  parameters?: Record<string, string | { value: string; required?: boolean | undefined }> | undefined;
  secrets?: Record<string, string> | undefined;
  origin: string;
  integration?: string | null | undefined;
}

export type SentFlow = Omit<NewFlow, "from" | "origin"> & { from: object; origin?: string | undefined };

const createBody: z.ZodType<NewFlow, SentFlow> = z.strictObject({
  name,
  description,
  from: from.describe("What the flow is made of"),
  parameters: z
    .record(
      parameterName,
      z.union([
        z.string().min(1).max(10_000),
        z.strictObject({ value: z.string().min(1).max(10_000), required: z.boolean().optional() }),
      ]),
    )
    .optional()
    .describe("Name of each parameter, with the shown value that it stands for"),
  secrets: z
    .record(z.string().max(64), z.string().regex(/^[A-Za-z0-9._-]{1,64}$/))
    .optional()
    .describe("Secret to type into each password field"),
  ...senderKeys,
});

const summary = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  version: z.int(),
  createdAt: time,
  updatedAt: time,
  source: z.enum(["session", "actions", "recording", "flow"]),
  url: z.string().describe("Where it begins"),
};

export interface ShownFlow {
  id: string;
  name: string;
  description?: string | undefined;
  version: number;
  createdAt: string;
  updatedAt: string;
  source: "session" | "actions" | "recording" | "flow";
  url: string;
  parameters: FlowParameters;
  secrets: string[];
  steps: FlowStep[];
}

const flow: z.ZodType<ShownFlow> = z
  .object({ ...summary, parameters: flowParameters, secrets: z.array(z.string()), steps: z.array(flowStep) })
  .meta({ id: "Flow", description: "A flow" });
const one = z.object({ success, flow, warning });

const listed = z.object({
  ...summary,
  stepCount: z.int(),
  lastRunAt: time.nullable(),
  lastRunStatus: z.string().nullable(),
});

export interface HealedTarget {
  step: string;
  index: number;
  by: "rules" | "model";
  score: number;
  from: FlowTarget;
  to: FlowTarget;
  reasons: string[];
}

const healedTarget: z.ZodType<HealedTarget> = z
  .object({
    step: z.string(),
    index: z.int(),
    by: z.enum(["rules", "model"]),
    score: z.number(),
    from: flowTarget,
    to: flowTarget,
    reasons: z.array(z.string()),
  })
  .meta({ id: "HealedTarget", description: "What the element of a step has become" });

const version = z.object({
  version: z.int(),
  createdAt: time,
  by: z.enum(["created", "edited", "healed", "restored"]),
  healed: z.array(healedTarget),
});

export interface DoneFlowStep {
  id: string;
  type: string;
  status: "done" | "healed" | "skipped";
  ms: number;
}

const runStep: z.ZodType<DoneFlowStep> = z.object({
  id: z.string(),
  type: z.string(),
  status: z.enum(["done", "healed", "skipped"]),
  ms: z.int(),
});

const notOfRuns = ["actions", "maxAge", "minAge", "lockdown", "flow"] as const;

export interface FlowRunInput {
  parameters: FlowValues;
  url: string | undefined;
  version: number | undefined;
  heal: boolean;
  stepTimeout: number | undefined;
  scrapeOptions: ScrapeOptions;
  origin: string;
  integration: string | null | undefined;
}

/** As it is sent: and every option of a scrape but some. */
export interface SentFlowRun {
  parameters?: FlowValues | undefined;
  url?: string | undefined;
  version?: number | undefined;
  heal?: boolean | undefined;
  stepTimeout?: number | undefined;
  timeout?: number | undefined;
  [option: string]: unknown;
}

const runBody: z.ZodType<FlowRunInput, SentFlowRun> = z
  .looseObject({
    parameters: flowValues.optional().describe("Values of the parameters, by name"),
    url: urlField("Opened instead of the flow's first page").optional(),
    version: z.int().min(1).optional().describe("An earlier version; the latest unless given"),
    heal: z.boolean().default(true).describe("Look for what a changed element has become"),
    stepTimeout: z.int().min(100).max(30_000).optional().describe("Waiting time for an element, in milliseconds"),
    timeout: z.int().min(1000).max(300_000).default(60_000).describe("Time of the whole run, in milliseconds"),
    ...senderKeys,
  })
  .transform((body, context) => {
    const { parameters = {}, url, version: wanted, heal, stepTimeout, timeout, origin, integration, ...others } = body;
    for (const field of notOfRuns) {
      if (others[field] === undefined) continue;
      context.addIssue({ code: "custom", path: [field], message: `${field} cannot be used in the run of a flow` });
    }
    const read = scrapeOptions.safeParse({ ...others, timeout, maxAge: 0, storeInCache: false });
    if (!read.success) {
      for (const issue of read.error.issues) context.issues.push({ ...issue, input: others } as never);
      return z.NEVER;
    }
    return { parameters, url, version: wanted, heal, stepTimeout, scrapeOptions: read.data, origin, integration };
  })
  .meta({ description: "And every option of a scrape but actions, maxAge, minAge, lockdown and flow" });

export interface FlowRunAnswer {
  success: boolean;
  id: string;
  flowId: string;
  version: number;
  status: "completed";
  durationMs: number;
  creditsUsed: number;
  steps: DoneFlowStep[];
  healed: HealedTarget[];
  data: Document;
  warning?: string | undefined;
}

const runAnswer: z.ZodType<FlowRunAnswer> = z.object({
  success,
  id: z.string(),
  flowId: z.string(),
  version: z.int(),
  status: z.literal("completed"),
  durationMs: z.int(),
  creditsUsed: z.number(),
  steps: z.array(runStep),
  healed: z.array(healedTarget),
  data: document,
  warning,
});

const run = z.object({
  id: z.string(),
  version: z.int(),
  status: z.enum(["completed", "failed"]),
  startedAt: time,
  durationMs: z.int(),
  healed: z.int(),
  error: z.string().optional(),
});

const endpoint = section({ tag: "Browser", group: "browser", rateGroup: "status", notFound: "FLOW_NOT_FOUND" });

export const flowEndpoints = [
  endpoint("POST /v2/flow", "createFlow", "Make a flow of what was shown", {
    body: createBody,
    response: one,
    notFound: "SESSION_NOT_FOUND",
  }),
  endpoint("GET /v2/flow", "listFlows", "List flows, the newest first", {
    query: z.strictObject(cursorQuery),
    response: z.object({ success, flows: z.array(listed), ...cursorEnd }),
  }),
  endpoint("GET /v2/flow/{id}", "readFlow", "Get a flow", {
    params: idParams,
    query: z.strictObject({ version: queryInteger(z.int().min(1)).optional().describe("An earlier version") }),
    response: one,
  }),
  endpoint("PATCH /v2/flow/{id}", "updateFlow", "Change a flow; new steps make a new version", {
    params: idParams,
    body: z.strictObject({
      name: name.optional(),
      description,
      steps: flowSteps.optional().describe("All steps, in place of those before"),
      parameters: flowParameters.optional().describe("What may be given to a run, by name"),
      ...senderKeys,
    }),
    response: one,
  }),
  endpoint("DELETE /v2/flow/{id}", "deleteFlow", "Delete a flow", {
    params: idParams,
    response: z.object({ success }),
  }),
  endpoint("GET /v2/flow/{id}/versions", "listFlowVersions", "List versions of a flow, the newest first", {
    params: idParams,
    response: z.object({ success, versions: z.array(version) }),
  }),
  endpoint("POST /v2/flow/{id}/versions/{version}/restore", "restoreFlow", "Make an earlier version the latest", {
    params: z.strictObject({
      ...idParams.shape,
      version: queryInteger(z.int().min(1)).describe("Number of the version"),
    }),
    response: one,
  }),
  endpoint("POST /v2/flow/{id}/run", "runFlow", "Run a flow", {
    params: idParams,
    body: runBody,
    response: runAnswer,
    rateGroup: "scrape",
    activity: "flow",
  }),
  endpoint("GET /v2/flow/{id}/runs", "listFlowRuns", "List runs of the last 24 hours, the newest first", {
    params: idParams,
    query: z.strictObject(cursorQuery),
    response: z.object({ success, runs: z.array(run), ...cursorEnd }),
  }),
  endpoint("GET /v2/flow/{id}/export", "exportFlow", "Get a flow as a file", {
    params: idParams,
    query: z.strictObject({ format: z.enum(["playwright", "json"]).default("json").describe("Format of the file") }),
    response: exportFile,
    responseType: "text/javascript; charset=utf-8",
    isFile: true,
  }),
];
