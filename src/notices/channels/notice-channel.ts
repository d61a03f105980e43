// What a channel is: how a message becomes a request, and what its answer means.
import type { ChannelName, EntryFor } from "../../contract/index.ts";
import type { Message } from "../messages/notice-message.ts";

export interface ChannelRequest {
  url: string;
  method: "POST" | "PUT";
  headers: Record<string, string>;
  body: string;
}

/** An email is sent by the mail server, to each recipient alone. */
export interface ChannelEmail {
  subject: string;
  text: string;
  html: string;
}

export type ChannelSending = { request: ChannelRequest } | { email: ChannelEmail };

export interface ChannelAnswer {
  status: number;
  body: string;
}

/** Why a channel did not take a message. */
export interface Refusal {
  reason: string;
  /** How long it wants to be left alone. */
  retryAfterMs?: number;
}

export interface NoticeChannel<Name extends ChannelName> {
  send(entry: EntryFor<Name>, message: Message): ChannelSending;
  /** Null when it took the message. Of what the channel says itself; a status of 400 or more is a refusal anyway. */
  refusalOf?(answer: ChannelAnswer): Refusal | null;
}

export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): ChannelSending {
  return { request: { ...jsonRequest(url, body, headers), method: "POST" } };
}

export function jsonRequest(url: string, body: unknown, headers: Record<string, string>) {
  return { url, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** A path below the URL of a server. */
export function underUrl(url: string, path: string): string {
  return `${url.replace(/[?#].*$/, "").replace(/\/+$/, "")}${path}`;
}

/** The fields of a JSON answer; none where it is something else. */
export function answerFields(body: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function saidText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Of these fields those that say something, in one line. */
export function reasonOf(...fields: unknown[]): string {
  return fields.map(saidText).filter(Boolean).join(": ");
}

export function waitOf(amount: unknown, unitMs: number): Pick<Refusal, "retryAfterMs"> {
  return typeof amount === "number" && amount > 0 ? { retryAfterMs: Math.ceil(amount * unitMs) } : {};
}
