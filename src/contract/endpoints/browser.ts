// Browser sessions under their two names, /v2/browser and /v2/interact.
import * as z from "zod";
import { nameField, profile, senderKeys, success, time } from "../fields/fields.ts";
import { executionFields, executionResult, sessionEnd, sessionLife, sessionLinks } from "../fields/session.ts";
import { endpoint } from "../table/endpoint.ts";

const sessionParams = z.strictObject({ sessionId: nameField("Id of the browser session") });
const executeBody = z.strictObject({ ...executionFields, ...senderKeys });

const withId = ({ sessionId }: { sessionId: string }) => ({ id: sessionId });

const createBody = z.strictObject({
  ...sessionLife,
  streamWebView: z.boolean().default(true).describe("Enable the live view"),
  recordSession: z.boolean().default(true).describe("Accepted and ignored: sessions are not recorded"),
  profile: profile.optional().describe("Browser profile to use"),
  ...senderKeys,
});
const created = z.object({ success, id: z.string(), ...sessionLinks, expiresAt: time });

const sessionStatus = z.enum(["active", "destroyed", "error"]);
const session = z.object({
  id: z.string(),
  status: sessionStatus,
  ...sessionLinks,
  streamWebView: z.boolean(),
  createdAt: time,
  lastActivity: time,
});

const deleteBody = z.strictObject({ id: nameField("Id of the browser session"), ...senderKeys });
const deleted = z.object({ success });

const row = { tag: "Browser", notFound: "SESSION_NOT_FOUND" } as const;

function sessionEndpoints<const Base extends "/v2/browser" | "/v2/interact">(base: Base) {
  return [
    endpoint({
      ...row,
      method: "POST",
      path: base,
      summary: "Open a browser session",
      operation: "createSession",
      body: createBody,
      response: created,
      rateGroup: "browser",
      activity: "browser",
    }),
    endpoint({
      ...row,
      method: "GET",
      path: base,
      summary: "List browser sessions",
      operation: "listSessions",
      query: z.strictObject({ status: sessionStatus.optional().describe("Only sessions with this status") }),
      response: z.object({ success, sessions: z.array(session) }),
      rateGroup: "status",
    }),
    endpoint({
      ...row,
      method: "DELETE",
      path: base,
      summary: "End the browser session given in the body",
      operation: "deleteSession",
      body: deleteBody,
      response: sessionEnd,
      rateGroup: "status",
      toInput: ({ id }: z.output<typeof deleteBody>) => ({ id }),
    }),
    endpoint({
      ...row,
      method: "DELETE",
      path: `${base}/profiles/{name}`,
      summary: "Delete a browser profile",
      operation: "deleteProfile",
      params: z.strictObject({ name: nameField("Name of the profile") }),
      response: deleted,
      rateGroup: "status",
      notFound: "PROFILE_NOT_FOUND",
    }),
    endpoint({
      ...row,
      method: "GET",
      path: `${base}/{sessionId}`,
      summary: "Get a browser session",
      operation: "readSession",
      params: sessionParams,
      response: sessionEnd.extend(session.partial().shape),
      rateGroup: "status",
      toInput: withId,
    }),
    endpoint({
      ...row,
      method: "DELETE",
      path: `${base}/{sessionId}`,
      summary: "End a browser session",
      operation: "deleteSession",
      params: sessionParams,
      response: sessionEnd,
      rateGroup: "status",
      toInput: withId,
    }),
    endpoint({
      ...row,
      method: "POST",
      path: `${base}/{sessionId}/execute`,
      summary: "Run code in a browser session",
      operation: "executeInSession",
      params: sessionParams,
      body: executeBody,
      response: executionResult,
      rateGroup: "execute",
      toInput: ({ sessionId, ...body }: z.output<typeof executeBody> & { sessionId: string }) => ({
        id: sessionId,
        ...body,
      }),
    }),
  ];
}

export const browserEndpoints = [...sessionEndpoints("/v2/browser"), ...sessionEndpoints("/v2/interact")];
