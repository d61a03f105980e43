import { describe, expect, it } from "vitest";
import type { NotifyEntry } from "../../contract/index.ts";
import { composeMessage } from "../messages/compose.ts";
import type { Message, Notice } from "../messages/notice-message.ts";
import { channels } from "./channel-table.ts";
import type { ChannelAnswer, ChannelSending, Refusal } from "./notice-channel.ts";

const notice: Notice = {
  title: "Prices: 1 changed",
  text: "changed: https://example.com/a?b=1&c=<2>",
  change: "@@ -1 +1 @@\n-9 *dollars*\n+12 ```<b>",
  level: "info",
  ...{ name: "Prices", status: "completed", error: "", url: "https://example.com/a" },
  link: "https://trawl.example/dashboard/monitors",
  at: Date.parse("2026-11-16T12:00:00Z"),
};

const set = { failures: 3 };
const entries = {
  slack: { ...set, channel: "slack", url: "https://hooks.slack.com/services/T/B/x" },
  discord: { ...set, channel: "discord", url: "https://discord.com/api/webhooks/1/x" },
  teams: { ...set, channel: "teams", url: "https://prod-1.logic.azure.com/workflows/1?sig=x" },
  telegram: { ...set, channel: "telegram", url: "https://api.telegram.org", token: "1:x", chatId: "@a", threadId: 7 },
  ntfy: { ...set, channel: "ntfy", url: "https://ntfy.sh", topic: "a", token: "tk_x", priority: 4 },
  gotify: { ...set, channel: "gotify", url: "https://push.example.com/g/", token: "x" },
  matrix: { ...set, channel: "matrix", url: "https://matrix.org", token: "x", room: "!a:matrix.org" },
  email: { ...set, channel: "email", to: [] },
  webhook: { ...set, channel: "webhook", url: "https://example.com/in", headers: { "x-own": "1" } },
} satisfies Record<string, NotifyEntry>;
type Name = keyof typeof entries;

function send(name: Name, message: Message): ChannelSending {
  const channel = channels[name] as { send(entry: NotifyEntry, message: Message): ChannelSending };
  return channel.send(entries[name], message);
}

function request(name: Name, message = composeMessage("id-1", [notice], undefined)) {
  const sending = send(name, message);
  if (!("request" in sending)) throw new Error(`${name} makes no request`);
  return { ...sending.request, body: JSON.parse(sending.request.body) };
}

describe("a message to", () => {
  it("Slack is mrkdwn without markup of the page", () => {
    const { url, method, body } = request("slack");
    expect([url, method]).toEqual([entries.slack.url, "POST"]);
    expect(body.text).toBe(
      "*Prices: 1 changed*\nchanged: https://example.com/a?b=1&amp;c=&lt;2&gt;\n\n```\n@@ -1 +1 @@\n-9 *dollars*\n+12 '''&lt;b&gt;\n```\n" +
        "<https://trawl.example/dashboard/monitors>",
    );
  });

  it("Discord is an embed that mentions no one", () => {
    const { body } = request(
      "discord",
      composeMessage("id", [{ ...notice, change: "", text: "@everyone *look*" }], undefined),
    );
    expect(body).toEqual({
      embeds: [{ title: notice.title, description: "@everyone \\*look\\*", color: 0x2b6cb0, url: notice.link }],
      allowed_mentions: { parse: [] },
    });
  });

  it("Microsoft Teams is an Adaptive Card with the diff in a monospaced block", () => {
    const { type, attachments } = request("teams").body;
    expect([type, attachments[0].contentType]).toEqual(["message", "application/vnd.microsoft.card.adaptive"]);
    const { body, actions, version } = attachments[0].content;
    expect([version, body.length, body[0].text, body[2].fontType]).toEqual(["1.4", 3, notice.title, "Monospace"]);
    expect(body[2].text).toBe("@@ -1 +1 @@\n\n-9 \\*dollars\\*\n\n+12 ```<b>");
    expect(actions[0].url).toBe(notice.link);
  });

  it("Telegram is HTML for the chat and its topic", () => {
    const { url, body } = request("telegram");
    expect(url).toBe("https://api.telegram.org/bot1:x/sendMessage");
    expect(body).toMatchObject({ chat_id: "@a", message_thread_id: 7, parse_mode: "HTML" });
    expect(body.text).toContain(
      "<b>Prices: 1 changed</b>\nchanged: https://example.com/a?b=1&amp;c=&lt;2&gt;\n\n<pre>@@",
    );
  });

  it("ntfy names topic, priority and link", () => {
    const { url, headers, body } = request("ntfy");
    expect([url, headers.authorization]).toEqual(["https://ntfy.sh", "Bearer tk_x"]);
    expect(body).toMatchObject({ topic: "a", title: notice.title, priority: 4, click: notice.link, tags: [] });
  });

  it("Gotify has its token in a header and a priority by level", () => {
    const trouble = composeMessage("id", [{ ...notice, level: "trouble" }], undefined);
    const { url, headers, body } = request("gotify", trouble);
    expect([url, headers["x-gotify-key"], body.priority]).toEqual(["https://push.example.com/g/message", "x", 8]);
  });

  it("Matrix is put under the id of the message, as text and as HTML", () => {
    const { url, method, headers, body } = request("matrix");
    expect(url).toBe("https://matrix.org/_matrix/client/v3/rooms/!a%3Amatrix.org/send/m.room.message/id-1");
    expect([method, headers.authorization, body.msgtype]).toEqual(["PUT", "Bearer x", "m.text"]);
    expect(body.formatted_body).toContain(
      '<pre><code class="language-diff">@@ -1 +1 @@\n-9 *dollars*\n+12 ```&lt;b&gt;',
    );
  });

  it("an email address is text and escaped HTML with a subject in one line", () => {
    const sending = send("email", composeMessage("id", [{ ...notice, title: "A\r\nBcc: b@example.com" }], undefined));
    if (!("email" in sending)) throw new Error("no email");
    expect(sending.email.subject).toBe("[Trawl] A Bcc: b@example.com");
    expect(sending.email.text).toContain(notice.change);
    expect(sending.email.html).toContain("+12 ```&lt;b&gt;</pre>");
  });

  it("a webhook is the notice as JSON, with the caller's headers", () => {
    const { headers, body } = request("webhook");
    expect(headers["x-own"]).toBe("1");
    expect(body).toMatchObject({
      type: "notice",
      webhookId: "id-1",
      level: "info",
      title: notice.title,
      link: notice.link,
    });
  });
});

describe("what a page says", () => {
  const hostile: Notice = {
    ...notice,
    text: "changed: https://example.com/a_b_(c)?d=*e*: see [this](https://bad.example/) <b>, @everyone\n- item",
    change: "@@ -1 +1 @@\n- *nine* & [this](https://bad.example/)\n+``` <b>ten</b>",
  };
  const written: Record<Name, string[]> = {
    slack: [
      "changed: https://example.com/a_b_(c)?d=*e*: see [this](https://bad.example/) &lt;b&gt;, @everyone\n- item",
      "```\n@@ -1 +1 @@\n- *nine* &amp; [this](https://bad.example/)\n+''' &lt;b&gt;ten&lt;/b&gt;\n```",
    ],
    discord: [
      "changed: <https://example.com/a_b_(c)?d=*e*>: see \\[this\\](<https://bad.example/>) \\<b\\>, @everyone\n\\- item",
      "```diff\n@@ -1 +1 @@\n- *nine* & [this](https://bad.example/)\n+''' <b>ten</b>\n```",
    ],
    teams: [
      "changed: [https://example.com/a\\_b\\_(c)?d=\\*e\\*](https://example.com/a_b_%28c%29?d=*e*): see ",
      "\n\n\\- \\*nine\\* & \\[this\\]([https://bad.example/](https://bad.example/))\n\n+``` <b>ten</b>",
    ],
    telegram: [
      "changed: https://example.com/a_b_(c)?d=*e*: see [this](https://bad.example/) &lt;b&gt;, @everyone\n- item",
      "<pre>@@ -1 +1 @@\n- *nine* &amp; [this](https://bad.example/)\n+``` &lt;b&gt;ten&lt;/b&gt;</pre>",
    ],
    ntfy: [`${hostile.text}\n\n${hostile.change}`],
    gotify: [
      "changed: <https://example.com/a_b_(c)?d=*e*>: see \\[this\\](<https://bad.example/>) \\<b\\>, @everyone  \n\\- item",
      "```diff\n@@ -1 +1 @@\n- *nine* & [this](https://bad.example/)\n+''' <b>ten</b>\n```",
    ],
    matrix: [
      `${hostile.text}\n\n${hostile.change}`,
      '&lt;b&gt;, @everyone<br>- item</p><pre><code class="language-diff">@@ -1 +1 @@\n- *nine* &amp; [this]',
      "+``` &lt;b&gt;ten&lt;/b&gt;</code></pre>",
    ],
    email: [
      `${hostile.text}\n\n${hostile.change}`,
      "&lt;b&gt;, @everyone<br>- item</p>\n<pre>@@ -1 +1 @@\n- *nine* &amp; [this]",
      "+``` &lt;b&gt;ten&lt;/b&gt;</pre>",
    ],
    webhook: [`${hostile.text}\n\n${hostile.change}`],
  };
  it.each(Object.entries(written) as [Name, string[]][])("is inline in %s, and no markup there", (name, parts) => {
    const sending = send(name, composeMessage("id", [hostile], undefined));
    const texts = textsIn("request" in sending ? JSON.parse(sending.request.body) : sending.email);
    for (const part of parts) expect(texts).toContainEqual(expect.stringContaining(part));
  });
});

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("a message of any length", () => {
  const long = composeMessage("id", [{ ...notice, change: '+ün<i>&"\\😀 *line*\n'.repeat(20_000) }], undefined);
  const sizes: Partial<Record<Name, (body: never, bytes: number) => [number, number]>> = {
    slack: ({ text }: { text: string }) => [text.length, 4000],
    discord: ({ embeds: [embed] }: { embeds: [{ description: string }] }) => [embed.description.length, 4096],
    teams: (_, bytes) => [bytes, 28_000],
    telegram: ({ text }: { text: string }) => [text.length, 4096],
    ntfy: ({ message }: { message: string }) => [Buffer.byteLength(message), 4096],
    matrix: (_, bytes) => [bytes, 65_536],
  };
  it.each(Object.keys(sizes) as Name[])("fits %s, is cut between characters and says so", (name) => {
    const { body } = request(name, long);
    const text = JSON.stringify(body);
    const [size, most] = sizes[name]?.(body as never, Buffer.byteLength(text)) ?? [1, 0];
    expect(size).toBeLessThanOrEqual(most);
    expect(size).toBeGreaterThan(most / 5);
    expect(text).toContain("…");
    expect(text).not.toMatch(/\\ud[89a-f]/);
  });
});

describe("an answer", () => {
  const refusal = (name: Name, answer: ChannelAnswer): Refusal | null | undefined => channels[name].refusalOf?.(answer);
  it.each<[Name, number, object | string, Refusal | null]>([
    ["slack", 200, "ok", null],
    ["slack", 400, "invalid_payload", { reason: "invalid_payload" }],
    ["discord", 204, "", null],
    ["discord", 429, { message: "Slow down", retry_after: 1.5 }, { reason: "Slow down", retryAfterMs: 1500 }],
    ["teams", 202, "", null],
    ["teams", 400, { error: { code: "Invalid", message: "No card" } }, { reason: "Invalid: No card" }],
    ["telegram", 200, { ok: true }, null],
    [
      ...(["telegram", 429] as const),
      { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 3 } },
      { reason: "429: Too Many Requests", retryAfterMs: 3000 },
    ],
    ["ntfy", 200, { id: "a" }, null],
    ["ntfy", 403, { code: 40301, error: "forbidden" }, { reason: "40301: forbidden" }],
    ["gotify", 200, { id: 1 }, null],
    ["gotify", 200, "<html>", { reason: "no answer of Gotify" }],
    ["matrix", 200, { event_id: "$1" }, null],
    [
      ...(["matrix", 429] as const),
      { errcode: "M_LIMIT_EXCEEDED", error: "Too many", retry_after_ms: 250 },
      { reason: "M_LIMIT_EXCEEDED: Too many", retryAfterMs: 250 },
    ],
  ])("of %s with %i %j", (name, status, body, expected) => {
    expect(refusal(name, { status, body: typeof body === "string" ? body : JSON.stringify(body) })).toEqual(expected);
  });
});

describe("a template", () => {
  it("is filled with the words of the notice, each once, whatever a page says", () => {
    const sneaky = { ...notice, change: "{{title}} {{error}}" };
    const { blocks } = composeMessage("id", [sneaky], "{{name}} at {{ time }}: {{change}} ({{url}}) {{link}}");
    expect(blocks).toEqual([
      {
        kind: "text",
        value: `Prices at 2026-11-16T12:00:00Z: {{title}} {{error}} (${notice.url}) ${notice.link}`,
      },
    ]);
  });

  it("of a digest is filled for each notice, under its title", () => {
    const { title, blocks, level } = composeMessage(
      "id",
      [notice, { ...notice, title: "Two", level: "trouble" }],
      "{{url}}",
    );
    expect([title, level]).toEqual(["Prices: 1 changed and 1 more", "trouble"]);
    expect(blocks.map(({ value }) => value)).toEqual([
      `Prices: 1 changed (2026-11-16T12:00:00Z)\n${notice.url}`,
      `Two (2026-11-16T12:00:00Z)\n${notice.url}`,
    ]);
  });
});
