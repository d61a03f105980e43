// One server on loopback that speaks the protocol of every channel as its service does, and the faults of each.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SentMessage {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each channel has its own form
  body: any;
}

/** What the next request gets instead of the service's answer. */
export type Fault = { status: number; body?: object | string; headers?: Record<string, string> } | "hang" | "refuse";

export const channelSecrets = {
  slack: "slack-secret-T0-B0-xyz",
  discord: "discord-secret-token",
  teams: "teams-secret-signature",
  telegram: "7000000:telegram-secret",
  ntfy: "tk_ntfysecret",
  gotify: "gotify-secret",
  matrix: "syt_matrix_secret",
  webhook: "Bearer webhook-secret",
};

const json = { "content-type": "application/json" };

/** As each service answers a message that it takes, or one whose secret or form is wrong. */
function answerOf({ method, path, headers, body }: SentMessage): { status: number; text: string } {
  const give = (status: number, answer: object | string = "") => ({
    status,
    text: typeof answer === "string" ? answer : JSON.stringify(answer),
  });
  if (path.startsWith("/services/"))
    return path.endsWith(channelSecrets.slack)
      ? give(...((typeof body?.text === "string" ? [200, "ok"] : [400, "invalid_payload"]) as [number, string]))
      : give(403, "invalid_token");
  if (path.startsWith("/api/webhooks/")) {
    if (!path.endsWith(channelSecrets.discord)) return give(401, { message: "Invalid Webhook Token", code: 50027 });
    return Array.isArray(body?.embeds)
      ? give(204)
      : give(400, { message: "Cannot send an empty message", code: 50006 });
  }
  if (path.startsWith("/workflows/")) {
    if (!path.includes(channelSecrets.teams))
      return give(401, { error: { code: "AuthorizationFailed", message: "The signature is wrong." } });
    return give(body?.attachments?.[0]?.content?.type === "AdaptiveCard" ? 202 : 400);
  }
  if (path.endsWith("/sendMessage")) {
    if (path !== `/bot${channelSecrets.telegram}/sendMessage`)
      return give(401, { ok: false, error_code: 401, description: "Unauthorized" });
    return body?.chat_id === "@known"
      ? give(200, { ok: true, result: { message_id: 1 } })
      : give(400, { ok: false, error_code: 400, description: "Bad Request: chat not found" });
  }
  if (path.startsWith("/_matrix/")) {
    if (headers.authorization !== `Bearer ${channelSecrets.matrix}`)
      return give(401, { errcode: "M_UNKNOWN_TOKEN", error: "Unrecognised access token" });
    if (method !== "PUT") return give(405, { errcode: "M_UNRECOGNIZED" });
    return path.includes(encodeURIComponent("!known:example.org"))
      ? give(200, { event_id: "$1" })
      : give(403, { errcode: "M_FORBIDDEN", error: "User is not in the room" });
  }
  if (path === "/message")
    return headers["x-gotify-key"] === channelSecrets.gotify
      ? give(200, { id: 25, appid: 5, message: body?.message })
      : give(401, { error: "Unauthorized", errorCode: 401, errorDescription: "you need to provide a valid token" });
  if (path.startsWith("/hook")) return give(headers.authorization === channelSecrets.webhook ? 200 : 401);
  if (typeof body?.topic === "string")
    return headers.authorization === `Bearer ${channelSecrets.ntfy}`
      ? give(200, { id: "sPs71M8A2T", event: "message", topic: body.topic })
      : give(403, { code: 40301, http: 403, error: "forbidden" });
  return give(404, "not found");
}

export async function startChannelServer() {
  const sent: SentMessage[] = [];
  const faults: Fault[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url: path = "", headers } = request;
    const message: SentMessage = { method, path, headers, text, body: text.startsWith("{") ? JSON.parse(text) : null };
    sent.push(message);
    const fault = faults.shift();
    if (fault === "hang") return;
    if (fault === "refuse") return void request.socket.destroy();
    if (fault) {
      const said = typeof fault.body === "object" ? JSON.stringify(fault.body) : (fault.body ?? "");
      return void response.writeHead(fault.status, { ...json, ...fault.headers }).end(said);
    }
    const answer = answerOf(message);
    response.writeHead(answer.status, json).end(answer.text);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    sent,
    faults,
    /** Every channel but email, set right. */
    entries: {
      slack: { channel: "slack", url: `${url}/services/${channelSecrets.slack}` },
      discord: { channel: "discord", url: `${url}/api/webhooks/1/${channelSecrets.discord}` },
      teams: { channel: "teams", url: `${url}/workflows/1?sig=${channelSecrets.teams}` },
      telegram: { channel: "telegram", url, token: channelSecrets.telegram, chatId: "@known" },
      ntfy: { channel: "ntfy", url, topic: "news", token: channelSecrets.ntfy },
      gotify: { channel: "gotify", url, token: channelSecrets.gotify },
      matrix: { channel: "matrix", url, token: channelSecrets.matrix, room: "!known:example.org" },
      webhook: { channel: "webhook", url: `${url}/hook`, headers: { authorization: channelSecrets.webhook } },
    },
    /** Those that hang, too. */
    closeConnections: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections();
      return new Promise<void>((done) => void server.close(() => done()));
    },
  };
}
