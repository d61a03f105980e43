// The team and key behind a request, and what a response needs to know about it. Faces create one per request.

export interface KeyHolder {
  teamId: string;
  teamName: string;
  /** null in open mode, where requests need no key. */
  keyId: string | null;
  keyName: string;
  /** The team's own limit per minute and group; null: the server's limits; 0: unlimited. */
  requestsPerMinute: number | null;
}

/** Shown as the key's name where there is no key. */
export const keylessName = "open mode";

export interface Caller extends KeyHolder {
  apiVersion: "v1" | "v2";
  /** Scheme and host under which this caller reaches the server; links in responses start with it. */
  baseUrl: string;
  /** Starts a job at most once. */
  idempotencyKey: string | null;
}
