// The shape of one row of the endpoint table. A row says everything about an endpoint that is not its work:
// where it is, what it takes, what it answers, who counts it. Faces read rows; operations never see them.
import type { z } from "zod";
import type { ErrorCode } from "../base/index.ts";
import type { ActivityName } from "./activity-names.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "WS";

/** Groups of endpoints that share one rate limit (API.md 6.2). */
export const rateGroups = ["scrape", "job", "status", "browser", "execute"] as const;
export type RateGroup = (typeof rateGroups)[number];

export const tags = [
  "Scrape",
  "Parse",
  "Batch",
  "Crawl",
  "Map",
  "Search",
  "Extract",
  "Agent",
  "Browser",
  "Monitor",
  "Team",
  "Other",
] as const;
export type Tag = (typeof tags)[number];

export interface Endpoint {
  method: Method;
  /** As in OpenAPI: `/v2/crawl/{id}`; `{url+}` takes the rest of the path. */
  path: string;
  tag: Tag;
  summary: string;
  /** Name of the function in `operations/` that does the work. v1 rows name the function of their v2 row. */
  operation: string;
  params?: z.ZodType;
  query?: z.ZodType;
  /** A row without a body schema ignores any body. */
  body?: z.ZodType;
  /** How the body travels; JSON when absent. */
  bodyKind?: "multipart" | "raw";
  response: z.ZodType;
  /** Sent instead of JSON, where an endpoint answers text. */
  responseType?: string;
  /** What such an answer says beside its text: for each header what it means, and its value when there is one. */
  responseHeaders?: Readonly<Record<string, { description: string; read(answer: never): string | undefined }>>;
  /** A browser may bring the key as the password of HTTP Basic. */
  acceptsBasicAuth?: boolean;
  /** null: open to everybody. Everything else counts against its team's limit of that group. */
  rateGroup: RateGroup | null;
  /** The value under which a request is listed in the team's activity; absent where nothing is listed. */
  activity?: ActivityName;
  /** The 404 for an id in the path that the caller's team does not have. */
  notFound?: ErrorCode;
  /** The sentence of its 400, where clients know another than that of the error table. */
  badRequest?: string;
  /** Rows that always refuse, whatever is sent. */
  refusal?: ErrorCode;
  /**
   * Translates a parsed request (params, query and body as one object) into the operation's input. `given`: names of the body's
   * fields that were sent, not set by default.
   */
  toInput?: (request: never, given: readonly string[]) => unknown;
  /** Where in this row's body a field stands that the operation refuses, in whose words it may have another place. */
  toFieldPath?: (path: readonly (string | number)[], body: unknown) => (string | number)[];
  /** Translates the operation's answer into this row's response. */
  toResponse?: (answer: never) => unknown;
}

/** Keeps a row's exact types while checking its shape. */
export function endpoint<const Row extends Endpoint>(row: Row): Row {
  return row;
}
