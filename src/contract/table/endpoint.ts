// The shape of one row of the endpoint table. A row says everything about an endpoint that is not its work:
// its path, what it accepts, what it returns, which rate limit counts it. Faces read rows; operations never see them.
import type { z } from "zod";
import type { ErrorCode } from "../../base/index.ts";
import type { EndpointGroup } from "./endpoint-groups.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "WS";

/** Groups of endpoints that share one rate limit. */
export const rateGroups = ["scrape", "job", "status", "browser", "execute"] as const;
export type RateGroup = (typeof rateGroups)[number];

/** The values of `endpoint` in the activity list. */
export const activityNames = [
  "scrape",
  "crawl",
  "batch_scrape",
  "search",
  "extract",
  "llmstxt",
  "deep_research",
  "map",
  "agent",
  "browser",
  "interact",
  "flow",
] as const;
export type ActivityName = (typeof activityNames)[number];

/** The operations that stop when their caller hangs up: they get an abort signal. Every other operation runs to its end. */
export const stopsWithCaller = [
  "scrape",
  "readScrape",
  "apiRequest",
  "parse",
  "map",
  "search",
  "searchGov",
  "searchDeveloper",
  "searchPapers",
  "readPaper",
  "listSimilarPapers",
  "readSearch",
  "addToIndex",
  "createFeed",
  "addIndexedDocuments",
  "startCrawl",
  "previewCrawl",
  "createSession",
  "executeInSession",
  "interact",
  "createFlow",
  "runFlow",
  "watchCrawl",
  "watchBatch",
] as const;

export type StoppableName = (typeof stopsWithCaller)[number];

/** Sections of the documentation, in their order. Each dialect has its own section after these. */
export const tags: readonly string[] = [
  "Scrape",
  "Parse",
  "Batch",
  "Crawl",
  "Map",
  "Archive",
  "Search",
  "Extract",
  "Agent",
  "Browser",
  "Monitor",
  "Team",
  "Other",
  "Dashboard",
];

export interface Endpoint {
  method: HttpMethod;
  /** As in OpenAPI: `/v2/crawl/{id}`; `{url+}` takes the rest of the path. */
  path: string;
  tag: string;
  summary: string;
  /** Name of the operation that does the work. v1 rows name the operation of their v2 row. */
  operation: string;
  params?: z.ZodType;
  query?: z.ZodType;
  /** A row without a body schema ignores any body. */
  body?: z.ZodType;
  /** How the body travels; JSON when absent. */
  bodyKind?: "multipart" | "raw" | "form";
  response: z.ZodType;
  /** The body of its errors, where that is not the one of all endpoints. */
  failure?: z.ZodType;
  /** Media type of the response, where an endpoint returns text instead of JSON. */
  responseType?: string;
  /** The response is a file that is sent while it is made; `responseType` stands for the type that the file itself tells. */
  isFile?: true;
  /** The header X-Firecrawl-Agent-Hints adds to its answer what to do next. */
  hasAgentHints?: true;
  /** Headers of such a response: what each means, and its value if there is one. */
  responseHeaders?: Readonly<Record<string, { description: string; read(answer: never): string | undefined }>>;
  /** The key may also be sent as the password of HTTP Basic, as browsers do. */
  acceptsBasicAuth?: boolean;
  /** Only for people who are signed in to the dashboard: everybody of the team, or its owners. */
  signedIn?: "member" | "owner";
  /** null: public. Everything else counts against its team's limit of that group. */
  rateGroup: RateGroup | null;
  /** Absent where no key is asked for, and where a key is not enough. */
  group?: EndpointGroup;
  /** The kind under which the team's activity lists a request; absent where nothing is listed. */
  activity?: ActivityName;
  /** The 404 for an id in the path that the caller's team does not own. */
  notFound?: ErrorCode;
  /** The message of its 400, where clients expect another one than that of the error table. */
  badRequest?: string;
  /** The failure of a request to the same path by another method, where that is not just an unknown endpoint. */
  otherMethods?: ErrorCode;
  /** The failure of a row that refuses every request. */
  refusal?: ErrorCode;
  /**
   * Reads a body that is like many others at less cost; null for one that the schema has to read. For rows whose requests have
   * nothing but a body.
   */
  readUsual?: (body: unknown) => unknown;
  /**
   * Translates a parsed request (params, query and body as one object) into the operation's input. `given`: names of the body's
   * fields that were sent, not set by default.
   */
  toInput?: (request: never, given: readonly string[]) => unknown;
  /** Where this row's body has a field that the operation refuses by its v2 path. */
  toFieldPath?: (path: readonly (string | number)[], body: unknown) => (string | number)[];
  /** Translates the operation's result into this row's response. */
  toResponse?: (answer: never) => unknown;
}

type Simplify<Type> = { [Key in keyof Type]: Type[Key] };
type Details = Partial<Omit<Endpoint, "method" | "path" | "operation" | "summary">>;
type MethodOf<Route> = Route extends `${infer Method extends HttpMethod} ${string}` ? Method : never;
type PathOf<Route> = Route extends `${string} ${infer Path}` ? Path : never;
type Row<Route, Operation, Own> = Simplify<
  { method: MethodOf<Route>; path: PathOf<Route>; operation: Operation; summary: string } & Own
>;

/** Makes the rows of a section, with their exact types. A row's own details win over what the section shares. */
export function section<const Shared extends Details>(shared: Shared) {
  return <const Route extends `${HttpMethod} /${string}`, const Operation extends string, const Own extends Details>(
    route: Route,
    operation: Operation,
    summary: string,
    own: Own,
  ) => {
    const [method, path] = route.split(" ");
    const row = { ...shared, method, path, operation, summary, ...own };
    return row as unknown as Row<Route, Operation, Omit<Shared, keyof Own> & Own>;
  };
}

/** The name under which a request counts among those of its team; null for status calls, which do not count. */
export function countedName({ rateGroup, activity, operation }: Endpoint): string | null {
  return rateGroup === "status" ? null : (activity ?? operation);
}
