// Who asks: the team and key behind a request, and what an answer to it must know. Faces make one per request.

export interface KeyHolder {
  teamId: string;
  teamName: string;
  /** null in open mode, where a request may come without a key. */
  keyId: string | null;
  keyName: string;
  /** The team's own limit per minute and group; null: the server's limits; 0: none. */
  requestsPerMinute: number | null;
}

/** Stands for the key's name where there is none. */
export const keylessName = "open mode";

export interface Caller extends KeyHolder {
  apiVersion: "v1" | "v2";
  /** Scheme and host under which this caller reaches us; links in answers begin with it. */
  baseUrl: string;
  /** A request that starts a job counts once per key. */
  idempotencyKey: string | null;
}
