// The team and key behind a request, and what a response needs to know about it. Faces create one per request.

import type { DialectName } from "../config.ts";
import type { SignedIn } from "./person-sessions.ts";
import type { SentRequest } from "./sent-request.ts";

export interface KeyHolder {
  teamId: string;
  teamName: string;
  /** null in open mode, where requests need no key. */
  keyId: string | null;
  keyName: string;
  /** The team's own limit per minute and group; null: the server's limits; 0: unlimited. */
  requestsPerMinute: number | null;
  /** Limits of the key alone, beside its team's. */
  keyRequestsPerMinute?: number | null;
  keyCreditsPerMonth?: number | null;
  /** What a key or a token is limited to, groups of endpoints and names of formats; null or absent: not limited. */
  allowedGroups?: readonly string[] | null;
  allowedFormats?: readonly string[] | null;
  /** Addresses and ranges that it may be used from; null or absent: from everywhere. */
  allowedIps?: readonly string[] | null;
  /** The person who is signed in to the dashboard, without a key. */
  session?: SignedIn;
}

/** Shown as the key's name where there is no key. */
export const keylessName = "open mode";

/** The same, for requests from the dashboard. */
export const dashboardName = "dashboard";

export interface Caller extends KeyHolder {
  /** Of the API, or the dialect of another service. */
  apiVersion: "v1" | "v2" | DialectName;
  /** Scheme and host under which this caller reaches the server; links in responses start with it. */
  baseUrl: string;
  /** Starts a job at most once. */
  idempotencyKey: string | null;
  /** The caller's own id of the request, kept with it and repeated. */
  externalRequestId: string | null;
  /** Of the request, for the audit log. */
  ip?: string;
  requestId?: string;
  /** What was sent, for the activity list; absent where the work is not one request. */
  sent?: SentRequest | null;
}
