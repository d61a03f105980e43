// Sends one message of notices to the channel of its entry, and says what the channel made of it.
import { createHmac } from "node:crypto";
import { isTimeout, sha256 } from "../../base/index.ts";
import {
  type ChannelAnswer,
  type ChannelSending,
  channels,
  composeMessage,
  type Message,
  type Notice,
} from "../../notices/index.ts";
import type { NotifyRow } from "../../store/index.ts";
import type { NoticeAnswer, NoticeDelivery } from "../../webhooks/index.ts";
import type { KeptEntry, NoticeWriter } from "../parts/notice-parts.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { readTold } from "./notice-texts.ts";
import { type NotifyEntries, secretTexts } from "./notify-entries.ts";

/** Where an email about a monitor is unsubscribed from; undefined where it cannot be. */
export type UnsubscribeUrl = (ownerId: string, teamId: string, baseUrl: string, email: string) => string | undefined;

export interface NoticeSenderParts extends Pick<OperationParts, "store" | "net" | "mailer"> {
  entries: NotifyEntries;
  write: NoticeWriter;
  unsubscribeUrl: UnsubscribeUrl;
  /** Signs notices to webhooks; null leaves them unsigned. */
  webhookSecret: string | null;
}

/** Enough for every channel's own words. */
const maxAnswerBytes = 16_384;
const longestReason = 300;

export type NoticeSender = ReturnType<typeof createNoticeSender>;

export function createNoticeSender(parts: NoticeSenderParts) {
  const { store, net, mailer, entries, write, unsubscribeUrl, webhookSecret } = parts;

  async function sendEmail(
    email: Extract<ChannelSending, { email: unknown }>["email"],
    to: string | undefined,
    { ownerId, teamId, baseUrl }: NotifyRow,
    { id }: Message,
    signal: AbortSignal,
  ): Promise<NoticeAnswer> {
    if (mailer === null) return { status: null, error: "SMTP_URL is not set", isFinal: true };
    if (to === undefined) return { status: null, error: "No recipient gets email of this entry", isFinal: true };
    const unsubscribe = unsubscribeUrl(ownerId, teamId, baseUrl, to);
    const foot = unsubscribe === undefined ? "" : `\n\nUnsubscribe: ${unsubscribe}`;
    try {
      const letter = {
        ...{ to, subject: email.subject, text: email.text + foot, html: email.html },
        messageId: `notice-${id}.${sha256(to).slice(0, 12)}`,
        ...(unsubscribe === undefined ? {} : { unsubscribeUrl: unsubscribe }),
      };
      await mailer.send(letter, signal);
      return { status: null, error: null };
    } catch (error) {
      if (isTimeout(signal)) return { status: null, error: "The mail server did not answer in time" };
      return { status: null, error: `The mail server did not take it: ${reasonOfMail(error)}` };
    }
  }

  async function sendRequest(
    { request }: Extract<ChannelSending, { request: unknown }>,
    entry: KeptEntry,
    signal: AbortSignal,
  ): Promise<NoticeAnswer> {
    const { channel } = entry;
    const headers = channel === "webhook" ? signed(request, webhookSecret) : request.headers;
    const service = "callers" as const;
    const how = { followRedirects: false, limits: { firstBytes: maxAnswerBytes }, service, signal };
    const fetched = await net.fetch({ ...request, headers, ...how });
    if (!fetched.ok) {
      const error = fetched.code === "SCRAPE_TIMEOUT" ? "The channel did not answer in time" : fetched.message;
      return { status: null, error, isFinal: fetched.code === "URL_NOT_ALLOWED" };
    }
    const { status, retryAfterSeconds } = fetched;
    const { reason, retryAfterMs = (retryAfterSeconds ?? 0) * 1000 } =
      refusalOf(channel, { status, body: fetched.body.toString("utf8") }) ?? {};
    if (reason === undefined) return { status, error: null };
    const said = `The channel answered ${status}${reason === "" ? "" : `: ${reason}`}`;
    return { status, error: withoutSecrets(said, entry), retryAfterMs };
  }

  async function send(row: NotifyRow, message: Message, to: string | undefined, signal: AbortSignal) {
    const entry = entries.open(row);
    const channel = channels[entry.channel] as { send(entry: KeptEntry, message: Message): ChannelSending };
    const sending = channel.send(entry, message);
    return "email" in sending
      ? sendEmail(sending.email, to, row, message, signal)
      : sendRequest(sending, entry, signal);
  }

  return {
    send,

    /** A message of the outbox; null when its entry, or everything that it tells of, is no longer stored. */
    async deliver({ id, jobId, teamId, notice }: NoticeDelivery, signal: AbortSignal): Promise<NoticeAnswer | null> {
      const row = await store.notifyEntries.find(teamId, jobId);
      if (!row) return null;
      const { recipient, notices: told } = readTold(notice);
      const written = await Promise.all(told.map((each) => write(each, teamId, row.baseUrl)));
      const notices = written.filter((each): each is Notice => each !== null);
      if (notices.length === 0) return null;
      const { template } = entries.open(row);
      return send(row, composeMessage(id, notices, template), recipient, signal);
    },
  };
}

function refusalOf(name: KeptEntry["channel"], answer: ChannelAnswer) {
  const refusal = channels[name].refusalOf?.(answer) ?? null;
  if (refusal !== null) return { ...refusal, reason: refusal.reason.replace(/\s+/g, " ").slice(0, longestReason) };
  // A page in front of the channel may say anything.
  return answer.status >= 300 ? { reason: "" } : null;
}

/** By the bytes of the body, as receivers of webhooks check them. */
function signed({ headers, body }: { headers: Record<string, string>; body: string }, secret: string | null) {
  if (secret === null) return headers;
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return { ...headers, "x-webhook-signature": signature, "x-firecrawl-signature": signature };
}

/** A channel may repeat what it was sent. */
function withoutSecrets(text: string, entry: KeptEntry): string {
  return secretTexts(entry).reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}

/** What the server said, without addresses of the network behind this one. */
function reasonOfMail(error: unknown): string {
  const { response, code, message } = error as { response?: unknown; code?: unknown; message?: unknown };
  const said = String(response ?? code ?? message ?? "no reason");
  return said.replace(/\s+/g, " ").slice(0, longestReason);
}
