// What a team decides about its own requests, and the log of who decided it.
import * as z from "zod";
import { ipRange, isoInstant, senderKeys, success, time } from "../fields/common-fields.ts";
import { exportFile } from "../fields/job.ts";
import { cursorEnd, cursorQuery } from "../fields/list-cursor.ts";
import { section } from "../table/endpoint.ts";

const most = 1000;
const hostEntry = z.string().min(1).max(260);
const hosts = (description: string) => z.array(hostEntry).max(most).default([]).describe(description);

const allowlist = z.object({ success, ranges: z.array(z.string()) });

const targetModes = z.enum(["off", "manual-only", "normal", "zscaler"]);
const targetsBody = z.strictObject({
  mode: targetModes.default("off").describe("manual-only: the lists hold; normal and zscaler are not available"),
  whitelist: hosts("Hosts that may always be read; *.host for its subdomains alone"),
  blacklist: hosts("Hosts that are never read"),
  blockedTlds: hosts("Top-level domains that are never read"),
  defaultAction: z.enum(["allow", "block"]).default("allow").describe("block: only the whitelist may be read"),
  allowRequestOverrides: z.boolean().default(true).describe("Whether requests may send threatProtection"),
  riskScoreThreshold: z.number().min(0).max(100).optional().describe("Accepted without effect"),
  failurePolicy: z.enum(["open", "closed"]).optional().describe("Accepted without effect"),
  ...senderKeys,
});
const targets = z.object({
  success,
  data: z.object({
    mode: z.string(),
    blacklist: z.array(z.string()),
    whitelist: z.array(z.string()),
    blockedTlds: z.array(z.string()),
    defaultAction: z.string().optional(),
    allowRequestOverrides: z.boolean(),
    configured: z.boolean(),
    failurePolicy: z.string().optional(),
    riskScoreThreshold: z.number().optional(),
    updatedAt: time.nullable(),
  }),
});

const auditFilter = {
  action: z.string().min(1).max(64).optional().describe("Only this action, or all that begin alike: key.*"),
  actor: z.string().min(1).max(256).optional().describe("Only acts of this person, key or app, by id or name"),
  from: isoInstant.optional().describe("Only from this time on"),
  to: isoInstant.optional().describe("Only before this time"),
};
const auditRow = z.object({
  id: z.string(),
  at: time,
  action: z.string(),
  actor: z.object({ type: z.string(), id: z.string().nullable(), name: z.string() }),
  ip: z.string().nullable(),
  target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string() }),
  details: z.record(z.string(), z.unknown()),
  requestId: z.string().nullable(),
});

const reading = section({ tag: "Team", group: "team", rateGroup: "status" });
const deciding = section({ tag: "Team", group: "admin", rateGroup: "status" });

export const teamPolicyEndpoints = [
  reading("GET /v2/team/ip-allowlist", "readIpAllowlist", "Get the IP addresses that may call", {
    response: allowlist,
  }),
  deciding("PUT /v2/team/ip-allowlist", "replaceIpAllowlist", "Replace the IP addresses that may call", {
    body: z.strictObject({
      ranges: z.array(ipRange).max(most).default([]).describe("IP addresses and ranges; empty: everywhere"),
      ...senderKeys,
    }),
    response: allowlist,
  }),
  reading("GET /v2/team/threat-protection", "readThreatPolicy", "Get the team's target lists", { response: targets }),
  deciding("PUT /v2/team/threat-protection", "replaceThreatPolicy", "Replace the team's target lists", {
    body: targetsBody,
    response: targets,
  }),
  deciding("GET /v2/team/audit", "listAudit", "List administrative acts, latest first", {
    query: z.strictObject({ ...auditFilter, ...cursorQuery }),
    response: z.object({ success, data: z.array(auditRow), ...cursorEnd }),
  }),
  deciding("GET /v2/team/audit/export", "exportAudit", "Download administrative acts, one JSON object a line", {
    query: z.strictObject(auditFilter),
    response: exportFile,
    responseType: "application/x-ndjson",
    isFile: true,
  }),
];
