// Metadata documents: a client that is a URL, at which it says its name and its redirect URIs. The URL comes from anywhere, so it is
// read under the full guard, and why it was refused is never told.
import { type Clock, createDeadline, hourMs, isObject, minuteMs, ServiceError, secondMs } from "../base/index.ts";
import type { Net } from "../net/index.ts";
import type { OauthClientRow } from "../store/index.ts";
import { whyNotRedirectUris } from "./redirect-uris.ts";

const largestBytes = 10 * 1024;
const timeoutMs = 5 * secondMs;
const [shortestMs, longestMs] = [5 * minuteMs, 24 * hourMs];
const longestName = 200;

/** Whether a client's id is such a URL: https with a path, and nothing that two readers could take for different ones. */
export function isDocumentUrl(id: string): boolean {
  if (id.length > 2048 || !/^https:\/\/[^/?#@\\\s]+\/[^?#\\\s]+$/.test(id) || !URL.canParse(id)) return false;
  const isDotted = id.split("/").some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  return !isDotted && new URL(id).href === id;
}

export interface DocumentDeps {
  clock: Clock;
  net: Pick<Net, "fetch">;
}

/** The client as its document says; throws without a reason when it is not one. */
export async function fetchDocument({ clock, net }: DocumentDeps, id: string): Promise<OauthClientRow> {
  const { signal, clear } = createDeadline(new AbortController().signal, timeoutMs);
  const limits = { wireBytes: largestBytes, decodedBytes: largestBytes };
  const headers = { accept: "application/json" };
  const asked = { url: id, headers, signal, limits, followRedirects: false, service: "callers" as const };
  const outcome = await net.fetch(asked).finally(clear);
  if (!outcome.ok || outcome.status !== 200 || !isJson(outcome.contentType)) throw refused();
  const document = parse(outcome.body);
  if (document["client_id"] !== id || whyNotRedirectUris(document["redirect_uris"]) !== null) throw refused();
  const name = readClientName(document["client_name"]);
  const method = document["token_endpoint_auth_method"] ?? "none";
  if (name === null || method !== "none" || "client_secret" in document) throw refused();
  const now = clock.now();
  return {
    id,
    name,
    redirectUris: JSON.stringify(document["redirect_uris"]),
    authMethod: "none",
    secretHash: null,
    createdAt: now,
    allowedAt: now,
    expiresAt: now + keptMs(outcome.headers["cache-control"]),
  };
}

function refused(): ServiceError {
  return new ServiceError("OAUTH_CLIENT_INVALID");
}

function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw refused();
}

/** Null for what is no name. What turns a line around, or ends it, could make a page say something else. */
export function readClientName(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const name = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim();
  return name === "" || name.length > longestName ? null : name;
}

function keptMs(cacheControl: string | string[] | undefined): number {
  const [, seconds = "0"] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec([cacheControl ?? ""].flat().join(",")) ?? [];
  return Math.min(longestMs, Math.max(shortestMs, Number(seconds) * secondMs));
}
