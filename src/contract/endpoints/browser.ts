// Browser sessions under their two names, /v2/browser and /v2/interact.
import * as z from "zod";
import { nameField, profile, senderKeys, success, time } from "../fields/common-fields.ts";
import { replay } from "../fields/replay.ts";
import { executionFields, executionResult, sessionEnd, sessionLife, sessionLinks } from "../fields/session.ts";
import { section } from "../table/endpoint.ts";

const sessionParams = z.strictObject({ sessionId: nameField("Id of the browser session") });
const executeBody = z.strictObject({ ...executionFields, ...senderKeys });

const withId = ({ sessionId }: { sessionId: string }) => ({ id: sessionId });

const toReplayInput = ({ sessionId: id, pageId }: { sessionId: string; pageId?: string }) => ({ id, pageId });

const createBody = z.strictObject({
  ...sessionLife,
  streamWebView: z.boolean().default(true).describe("Enable the live view"),
  recordSession: z.boolean().default(true).describe("Record pictures and events of the session"),
  recordNetwork: z.boolean().default(false).describe("Record what its pages ask servers for, as HAR"),
  profile: profile.optional().describe("Browser profile to use"),
  ...senderKeys,
});
const created = z.object({ success, id: z.string(), ...sessionLinks, expiresAt: time });

const sessionStatus = z.enum(["active", "destroyed", "error"]);
const session = z.object({
  id: z.string(),
  status: sessionStatus,
  ...sessionLinks,
  cdpUrl: z.string().describe("WebSocket URL for automation tools; empty when the session has ended"),
  liveViewUrl: z.string().describe("URL of the live view; empty for a session without it"),
  streamWebView: z.boolean(),
  replayUrl: z.string().optional().describe("Page that plays its recording"),
  createdAt: time,
  lastActivity: time,
});

const deleteBody = z.strictObject({ id: nameField("Id of the browser session"), ...senderKeys });
const deleted = z.object({ success });

const endpoint = section({ tag: "Browser", group: "browser", notFound: "SESSION_NOT_FOUND", rateGroup: "status" });

function sessionEndpoints<const Base extends "/v2/browser" | "/v2/interact">(base: Base) {
  return [
    endpoint(`POST ${base}`, "createSession", "Open a browser session", {
      body: createBody,
      response: created,
      rateGroup: "browser",
      activity: "browser",
    }),
    endpoint(`GET ${base}`, "listSessions", "List browser sessions", {
      query: z.strictObject({ status: sessionStatus.optional().describe("Only sessions with this status") }),
      response: z.object({ success, sessions: z.array(session) }),
    }),
    endpoint(`DELETE ${base}`, "deleteSession", "End the browser session given in the body", {
      body: deleteBody,
      response: sessionEnd,
      toInput: ({ id }: z.output<typeof deleteBody>) => ({ id }),
    }),
    endpoint(`DELETE ${base}/profiles/{name}`, "deleteProfile", "Delete a browser profile", {
      params: z.strictObject({ name: nameField("Name of the profile") }),
      response: deleted,
      notFound: "PROFILE_NOT_FOUND",
    }),
    endpoint(`GET ${base}/{sessionId}`, "readSession", "Get a browser session", {
      params: sessionParams,
      response: sessionEnd.extend(session.partial().shape),
      toInput: withId,
    }),
    endpoint(`GET ${base}/{sessionId}/har`, "readSessionHar", "Get what a session's pages asked servers for, as HAR", {
      params: sessionParams,
      response: z.looseObject({ log: z.looseObject({}) }),
      toInput: withId,
    }),
    endpoint(`DELETE ${base}/{sessionId}`, "deleteSession", "End a browser session", {
      params: sessionParams,
      response: sessionEnd,
      toInput: withId,
    }),
    endpoint(`GET ${base}/{sessionId}/replay`, "readReplay", "Get the recording of a browser session", {
      params: sessionParams,
      response: replay,
      notFound: "REPLAY_NOT_FOUND",
      toInput: toReplayInput,
    }),
    endpoint(`GET ${base}/{sessionId}/replay/{pageId}`, "readReplay", "Get the recording of one page of a session", {
      params: sessionParams.extend({ pageId: nameField("Id of the page") }),
      response: replay,
      notFound: "REPLAY_NOT_FOUND",
      toInput: toReplayInput,
    }),
    endpoint(`DELETE ${base}/{sessionId}/replay`, "deleteReplay", "Delete the recording of a browser session", {
      params: sessionParams,
      response: deleted,
      notFound: "REPLAY_NOT_FOUND",
      toInput: withId,
    }),
    endpoint(`POST ${base}/{sessionId}/execute`, "executeInSession", "Run code in a browser session", {
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
