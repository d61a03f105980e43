// Monitors: check pages on a schedule and report what changed.
import * as z from "zod";
import {
  emailAddress,
  emptyBody,
  idParams,
  nameField,
  queryInteger,
  senderKeys,
  success,
  time,
  uuid,
  warning,
} from "../fields/common-fields.ts";
import { changeRules, schedule, target } from "../fields/monitor-targets.ts";
import { notifyField, shownNotify } from "../fields/notify.ts";
import { webhookField } from "../fields/webhook.ts";
import { section } from "../table/endpoint.ts";

const retentionDays = z.int().min(1).max(365).describe("Days to keep results");
const monitorFields = {
  name: z.string().min(1).max(256).describe("Name of the monitor"),
  schedule: schedule.describe("When to check"),
  targets: z.array(target).min(1).max(50).describe("What to check"),
  goal: z.string().max(2000).optional().describe("Which changes matter, in plain language"),
  judgeEnabled: z.boolean().optional().describe("Let a language model decide which changes matter"),
  rules: changeRules.optional(),
  webhook: webhookField("MonitorWebhook", "monitor", ["page", "check.completed"]).optional(),
  notification: z
    .strictObject({
      email: z
        .strictObject({
          enabled: z.boolean().default(true).describe("Send email"),
          recipients: z
            .array(emailAddress)
            .max(25)
            .optional()
            .describe("Email addresses; without any, the members of the team who have one"),
          includeDiffs: z.boolean().optional().describe("Include the changes in the email"),
        })
        .optional()
        .describe("Email notification"),
    })
    .optional()
    .describe("Who is notified"),
  notify: notifyField.optional().describe("Channels that are told, in place of those of the team"),
};

const createBody = z
  .strictObject({
    ...monitorFields,
    retentionDays: retentionDays.default(30),
    dryRun: z.boolean().default(false).describe("Only check the request and estimate what the monitor would cost"),
    ...senderKeys,
  })
  .refine(
    ({ targets, goal, judgeEnabled }) =>
      goal !== undefined || judgeEnabled === false || targets.every((one) => one.type !== "search"),
    { message: "Search targets need a goal unless judgeEnabled is false", path: ["goal"] },
  );

const updateBody = z
  .strictObject({
    ...monitorFields,
    name: monitorFields.name.optional(),
    schedule: monitorFields.schedule.optional(),
    targets: monitorFields.targets.optional(),
    goal: monitorFields.goal.nullable().describe("Which changes matter; null removes it"),
    rules: monitorFields.rules.nullable().describe("Which changes count; null removes them"),
    webhook: monitorFields.webhook.nullable().describe("Where events go; null removes it"),
    notification: monitorFields.notification.nullable().describe("Who is notified; null removes it"),
    notify: monitorFields.notify.nullable().describe("Channels that are told; null: those of the team"),
    retentionDays: retentionDays.optional(),
    status: z.enum(["active", "paused"]).optional().describe("Whether the monitor runs"),
    ...senderKeys,
  })
  .refine(({ origin, integration, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
    message: `At least one of ${[...Object.keys(monitorFields), "retentionDays", "status"].join(", ")} is required`,
  });

const summary = z.object({
  totalPages: z.int(),
  same: z.int(),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  error: z.int(),
});

const monitor = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(["active", "paused", "deleted"]),
    schedule: z.object({ cron: z.string(), timezone: z.string() }),
    nextRunAt: time.nullish(),
    lastRunAt: time.nullish(),
    currentCheckId: z.string().nullish(),
    targets: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    webhook: z.unknown().optional(),
    notification: z.unknown().optional(),
    notify: shownNotify.optional(),
    emailRecipientSubscriptions: z
      .array(
        z.object({
          email: z.string(),
          status: z.enum(["pending", "confirmed", "unsubscribed"]),
          source: z.enum(["team", "opt_in", "legacy"]),
          confirmationEmailSent: z.boolean().optional(),
        }),
      )
      .optional()
      .describe("Whether the named recipients get email; not in lists"),
    retentionDays: z.int(),
    estimatedCreditsPerMonth: z.number().optional(),
    lastCheckSummary: summary.nullish(),
    goal: z.string().nullish(),
    judgeEnabled: z.boolean().optional(),
    rules: z.unknown().optional(),
    feedUrl: z.string().optional().describe("Atom feed of what changed, for reader apps; keep it secret"),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Monitor", description: "A monitor and its latest check" });

const checkStatus = z.enum([
  "queued",
  "running",
  "completed",
  "failed",
  "partial",
  "skipped_overlap",
  "skipped_no_credits",
]);
const pageStatus = z.enum(["same", "new", "changed", "removed", "error"]);
const check = z
  .object({
    id: z.string(),
    monitorId: z.string(),
    status: checkStatus,
    trigger: z.enum(["scheduled", "manual"]),
    scheduledFor: time.nullish(),
    startedAt: time.nullish(),
    finishedAt: time.nullish(),
    estimatedCredits: z.number().nullish(),
    reservedCredits: z.number().nullish(),
    actualCredits: z.number().nullish(),
    billingStatus: z.enum(["not_applicable", "reserved", "confirmed", "released", "failed"]),
    summary,
    targetResults: z.unknown().optional(),
    notificationStatus: z.unknown().optional(),
    error: z.string().nullish(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "MonitorCheck", description: "One check of everything a monitor watches" });
const judgment = z.object({
  meaningful: z.boolean(),
  confidence: z.enum(["high", "medium", "low"]),
  reason: z.string(),
  meaningfulChanges: z
    .array(
      z.object({
        type: z.enum(["added", "removed", "changed"]),
        before: z.string().nullable(),
        after: z.string().nullable(),
        reason: z.string(),
      }),
    )
    .describe("The changes that matter, in words of the diff"),
});

const checkPage = z.object({
  id: z.string(),
  targetId: z.string(),
  url: z.string(),
  status: pageStatus,
  previousScrapeId: z.string().nullish(),
  currentScrapeId: z.string().nullish(),
  statusCode: z.int().nullish(),
  error: z.string().nullish(),
  metadata: z.unknown().optional(),
  judgment: judgment.optional(),
  diff: z
    .object({
      text: z.string().optional().describe("A unified diff of the page's text"),
      json: z
        .unknown()
        .optional()
        .describe("Changed fields, each with previous and current; or files: the unified diff, parsed"),
    })
    .nullish(),
  snapshot: z.object({ json: z.unknown().optional() }).nullish(),
  createdAt: time,
});

const limit = queryInteger(z.int().min(1).max(100)).prefault(25).describe("Entries per page");
const offset = queryInteger(z.int().min(0)).prefault(0).describe("Number of entries to skip");
const one = z.object({ success, data: monitor, warning });
const created = z.object({
  success,
  data: monitor.optional().describe("Absent after a dry run"),
  estimate: z
    .object({
      creditsPerCheck: z.number(),
      checksPerMonth: z.number(),
      creditsPerMonth: z.number(),
      nextRuns: z.array(time).describe("The first times at which it would run"),
    })
    .optional()
    .describe("Of a dry run"),
  warning,
});
const checkParams = idParams.safeExtend({ checkId: uuid.describe("Id of the check") });
const next = z.string().nullish().describe("URL of the next page of results");
/** Only emails hold the token: a caller who has it can read the mail of that address. */
const mailToken = {
  body: z.strictObject({ token: z.string().min(1).max(1000).describe("Token from the link in the email") }),
  badRequest: "invalid_token",
  rateGroup: null,
  notFound: "SUBSCRIPTION_NOT_FOUND",
} as const;
const mailAnswer = { success, email: z.string(), monitorName: z.string() };
const endpoint = section({ tag: "Monitor", group: "monitor", rateGroup: "status", notFound: "MONITOR_NOT_FOUND" });

export const monitorEndpoints = [
  endpoint("POST /v2/monitor", "createMonitor", "Create a monitor", {
    body: createBody,
    response: created,
    rateGroup: "job",
  }),
  endpoint("GET /v2/monitor", "listMonitors", "List monitors", {
    query: z.strictObject({ limit, offset }),
    response: z.object({ success, data: z.array(monitor) }),
  }),
  endpoint("POST /v2/monitor/email/confirm", "confirmMonitorEmail", "Agree to get the email of a monitor", {
    ...mailToken,
    response: z.object({
      ...mailAnswer,
      result: z.enum(["confirmed", "already_confirmed", "already_unsubscribed"]),
    }),
  }),
  endpoint("POST /v2/monitor/email/unsubscribe", "unsubscribeMonitorEmail", "Get no more email of a monitor", {
    ...mailToken,
    response: z.object({ ...mailAnswer, result: z.enum(["unsubscribed", "already_unsubscribed"]) }),
  }),
  endpoint("GET /v2/monitor/{id}", "readMonitor", "Get a monitor", { params: idParams, response: one }),
  endpoint("PATCH /v2/monitor/{id}", "updateMonitor", "Update a monitor", {
    params: idParams,
    body: updateBody,
    response: one,
  }),
  endpoint("DELETE /v2/monitor/{id}", "deleteMonitor", "Delete a monitor", {
    params: idParams,
    response: z.object({ success }),
  }),
  endpoint("POST /v2/monitor/{id}/run", "runMonitor", "Run a monitor now", {
    params: idParams,
    body: emptyBody,
    response: z.object({ success, id: z.string(), data: check, warning }),
    rateGroup: "job",
  }),
  endpoint("GET /v2/monitor/{id}/checks", "listMonitorChecks", "List the checks of a monitor", {
    params: idParams,
    query: z.strictObject({ limit, offset, status: checkStatus.optional().describe("Only checks with this status") }),
    response: z.object({ success, data: z.array(check) }),
  }),
  endpoint("GET /v2/monitor/{id}/checks/{checkId}", "readMonitorCheck", "Get a check and its pages", {
    params: checkParams,
    query: z.strictObject({
      limit,
      skip: queryInteger(z.int().min(0)).prefault(0).describe("Number of pages to skip"),
      status: pageStatus.optional().describe("Only pages with this status"),
    }),
    response: z.object({
      success,
      next,
      data: check.safeExtend({ pages: z.array(checkPage), next }),
      warning,
    }),
  }),
  endpoint("DELETE /v2/monitor/{id}/checks/{checkId}", "cancelMonitorCheck", "Cancel a check that runs", {
    params: checkParams,
    response: z.object({ success, data: check }),
  }),
  endpoint(
    "GET /v2/monitor/{id}/feed/{token}",
    "readMonitorFeed",
    "Read what changed as an Atom feed; the token of feedUrl takes the place of a key",
    {
      params: idParams.safeExtend({ token: nameField("Token of the feed") }),
      response: z.string(),
      responseType: "application/atom+xml; charset=utf-8",
      rateGroup: null,
    },
  ),
];
