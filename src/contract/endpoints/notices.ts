// Where the notices of a team go, and a try of one of these channels.
import * as z from "zod";
import { emptyBody, nameField, senderKeys, success, warning } from "../fields/common-fields.ts";
import { notifyField, shownNotify } from "../fields/notify.ts";
import { section } from "../table/endpoint.ts";

const endpoint = section({ tag: "Team", group: "team", rateGroup: "status" });
const entries = z.object({ success, notify: shownNotify, warning });

export const noticeEndpoints = [
  endpoint("GET /v2/team/notify", "listNotify", "List the channels for notices", { response: entries }),
  endpoint("PUT /v2/team/notify", "replaceNotify", "Replace the channels for notices", {
    body: z.strictObject({ notify: notifyField.describe("All channels of the team"), ...senderKeys }),
    response: entries,
  }),
  endpoint("POST /v2/team/notify/{notifyId}/test", "testNotify", "Send a test notice", {
    params: z.strictObject({ notifyId: nameField("Id of the entry, of the team or of one of its monitors") }),
    body: emptyBody,
    response: z.object({
      success,
      delivered: z.boolean().describe("Whether the channel took it"),
      status: z.int().nullable().describe("Its HTTP status, if it answered"),
      error: z.string().nullable().describe("Why it was not taken"),
    }),
    rateGroup: "job",
    notFound: "NOTIFY_NOT_FOUND",
  }),
];
