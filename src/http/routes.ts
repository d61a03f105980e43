// Makes one route of every row of the endpoint table: authenticate, rate-limit, validate, call the operation, respond.
import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Caller, type KeyHolder, type RateState, requireRate } from "../accounts/index.ts";
import { type ErrorCode, ServiceError, type TimeSlicer } from "../base/index.ts";
import {
  countedName,
  type Endpoint,
  type FileStream,
  type Issue,
  prepareCall,
  readRequest,
  stopsWithCaller,
  withIgnoredFields,
} from "../contract/index.ts";
import { type Authentication, authenticate, requireGroup, requireSignedIn } from "./auth.ts";
import type { JsonLimits } from "./json-body.ts";
import { readUpload } from "./upload.ts";

/** An operation as the HTTP face sees it: the table pairs it with the schemas of its input and result. */
export type Operation = (
  input: never,
  caller: Caller,
  ...signal: AbortSignal[]
) => Promise<unknown> | AsyncIterable<unknown>;

export interface RouteDeps {
  authentication: Authentication;
  /** Counts a request of a team; null where there is no limit. */
  takeRate(holder: KeyHolder, group: string): Promise<RateState | null>;
  operations: Readonly<Partial<Record<string, Operation>>>;
  /** What the program of a language model might do next. */
  agentHints(answer: object, teamId: string, style: "paths" | "tools"): Promise<string[]>;
  publicUrl: string | null;
  /** Throws unless the caller was given this id to send a file to. */
  requireUpload(uploadId: string): Promise<void>;
  maxUploadBytes: number;
  jsonLimits: JsonLimits;
  /** Requests that start long work take its turns. */
  slicer: TimeSlicer;
}

declare module "fastify" {
  interface FastifyRequest {
    holder: KeyHolder | null;
    /** The name under which the request counts among its team's; null where it does not. */
    countedAs: string | null;
  }
}

export function addRoutes(app: FastifyInstance, rows: readonly Endpoint[], deps: RouteDeps): void {
  for (const row of rows) {
    // These are served as WebSockets.
    if (row.method === "WS") continue;
    if (row.bodyKind === "raw") void app.register(async (scope) => addRawRoute(scope, row, deps));
    else app.route(routeOf(row, deps));
    if (row.otherMethods) refuseOtherMethods(app, row, row.otherMethods);
  }
}

function routeOf(row: Endpoint, deps: RouteDeps) {
  return {
    method: row.method,
    url: routerPath(row.path),
    onRequest: (request: FastifyRequest, reply: FastifyReply) => admit(row, request, reply, deps),
    handler: (request: FastifyRequest, reply: FastifyReply) => answer(row, request, reply, deps),
  };
}

/** A file that is sent alone, without a form, and of any type. */
function addRawRoute(scope: FastifyInstance, row: Endpoint, deps: RouteDeps): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, bytes: string | Buffer) => bytes);
  scope.route({ ...routeOf(row, deps), bodyLimit: deps.maxUploadBytes });
}

function refuseOtherMethods(app: FastifyInstance, row: Endpoint, code: ErrorCode): void {
  app.route({
    method: ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((each) => each !== row.method),
    url: routerPath(row.path),
    onRequest: async (_request, reply) => {
      reply.header("allow", row.method);
      throw new ServiceError(code, undefined, { details: { allowed_methods: [row.method] } });
    },
    handler: async () => undefined,
  });
}

/** `/v2/crawl/{id}` in the router's syntax; `{url+}` is the rest of the path. */
export function routerPath(path: string): string {
  return path.replace(/\{\w+\+\}/, "*").replace(/\{(\w+)\}/g, ":$1");
}

/** Everything that is checked before the body is read. */
async function admit(row: Endpoint, request: FastifyRequest, reply: FastifyReply, deps: RouteDeps): Promise<void> {
  const turn = turnFor(row, deps);
  if (turn) await turn;
  if (row.rateGroup !== null) {
    // Makes a browser ask its user for the key.
    if (row.acceptsBasicAuth) reply.header("www-authenticate", 'Basic realm="Trawl", charset="UTF-8"');
    const rate = await identify(row, request, deps);
    if (row.acceptsBasicAuth) reply.removeHeader("www-authenticate");
    if (rate) applyRate(rate, reply);
  }
  // The body may be large and needs no key: it is not read unless there is an upload for it.
  if (row.bodyKind === "raw") await requireUpload(row, request, deps);
  if (row.bodyKind !== "multipart" && request.headers["content-type"]?.toLowerCase().startsWith("multipart/")) {
    throw new ServiceError(
      "UNSUPPORTED_MEDIA_TYPE",
      "This endpoint takes a JSON body. Send it with Content-Type: application/json.",
    );
  }
  refuseCompressed(request);
}

/**
 * Starting a scrape takes up to a millisecond, and hundreds may arrive at once. They start in time slices, once before their bodies are
 * read and once after, so that smaller requests are answered in between.
 */
function turnFor(row: Endpoint, { slicer }: RouteDeps): Promise<void> | null {
  return stoppable.has(row.operation) ? slicer.yieldIfBusy() : null;
}

export function refuseCompressed({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new ServiceError(
      "UNSUPPORTED_MEDIA_TYPE",
      "Compressed request bodies are not supported. Send the body without Content-Encoding.",
    );
  }
}

async function requireUpload(row: Endpoint, request: FastifyRequest, deps: RouteDeps): Promise<void> {
  const { body: _, ...withoutBody } = row;
  const reading = readRequest(withoutBody, { params: request.params });
  if (!reading.ok) throw new ServiceError(reading.code, reading.message, { details: reading.issues });
  await deps.requireUpload((reading.input as { uploadId: string }).uploadId);
}

/** Identifies the caller and counts the request. */
export async function identify(row: Endpoint, request: FastifyRequest, deps: RouteDeps): Promise<RateState | null> {
  const holder = await identifyFor(row, request, deps);
  request.holder = holder;
  if (!row.signedIn) requireGroup(row.group, holder, request);
  request.countedAs = countedName(row);
  return row.rateGroup === null ? null : deps.takeRate(holder, row.rateGroup);
}

async function identifyFor(row: Endpoint, request: FastifyRequest, deps: RouteDeps): Promise<KeyHolder> {
  if (!row.signedIn) return authenticate(request, deps.authentication, row.acceptsBasicAuth);
  const holder = await authenticate(request, deps.authentication).catch((error: unknown) => {
    const isNotSignedIn = error instanceof ServiceError && error.code === "UNAUTHORIZED";
    throw isNotSignedIn ? new ServiceError("NOT_SIGNED_IN") : error;
  });
  requireSignedIn(row.signedIn, holder, request);
  return holder;
}

export function applyRate(rate: RateState, reply: FastifyReply): void {
  reply.header("ratelimit-limit", rate.limit);
  reply.header("ratelimit-remaining", rate.remaining);
  reply.header("ratelimit-reset", rate.resetSeconds);
  requireRate(rate);
}

async function answer(row: Endpoint, request: FastifyRequest, reply: FastifyReply, deps: RouteDeps): Promise<unknown> {
  const body = request.isMultipart() && !row.refusal ? await readUpload(request, deps.jsonLimits) : request.body;
  const turn = turnFor(row, deps);
  if (turn) await turn;
  const { operation, input, unknownFields, caller } = prepare(row, request, body, deps);
  const signal = stoppable.has(row.operation) ? [hangUpSignal(reply)] : [];
  let result: unknown;
  try {
    result = await operation(input as never, caller, ...signal);
  } catch (error) {
    const { toFieldPath } = row;
    throw toFieldPath ? withCallersPaths(error, (path) => toFieldPath(path, body)) : error;
  }
  const response = row.toResponse ? row.toResponse(result as never) : result;
  for (const [name, { read }] of Object.entries(row.responseHeaders ?? {})) {
    const value = read(result as never);
    if (value !== undefined) reply.header(name, value);
  }
  if (row.isFile) return sendFile(reply, result as FileStream);
  if (row.responseType) return reply.type(row.responseType).send(response);
  const hints = row.hasAgentHints ? await hintsFor(request, result as object, caller.teamId, deps) : [];
  const whole = hints.length > 0 ? { ...(response as object), agent_hints: hints } : (response as object);
  return withIgnoredFields(whole, unknownFields);
}

/** Only for those who ask for them; a failure costs nothing but the hints. */
async function hintsFor(
  { headers, log }: FastifyRequest,
  answer: object,
  teamId: string,
  { agentHints }: RouteDeps,
): Promise<string[]> {
  const asked = headers["x-firecrawl-agent-hints"];
  if (asked !== "true" && asked !== "mcp") return [];
  return agentHints(answer, teamId, asked === "mcp" ? "tools" : "paths").catch((error: unknown) => {
    log.warn({ error }, "making hints");
    return [];
  });
}

/** Made while it is sent: a slow reader slows the making down, and one that hangs up ends it. */
function sendFile(reply: FastifyReply, { type, name, chunks }: FileStream): FastifyReply {
  reply.type(type).header("content-disposition", `attachment; filename="${name}"`);
  return reply.send(Readable.from(chunks, { objectMode: false }));
}

/** The failure, with the paths of its fields as the caller wrote them. */
function withCallersPaths(error: unknown, toPath: (path: Issue["path"]) => Issue["path"]): unknown {
  if (!(error instanceof ServiceError) || error.code !== "BAD_REQUEST" || !Array.isArray(error.details)) return error;
  const details = (error.details as Issue[]).map((issue) => ({ ...issue, path: toPath(issue.path) }));
  return new ServiceError(error.code, error.message, { details });
}

/** Everything that a call of the row's operation needs. */
export function prepare(row: Endpoint, request: FastifyRequest, body: unknown, deps: RouteDeps) {
  const { input, unknownFields } = prepareCall(row, { params: pathParams(row, request), query: request.query, body });
  return {
    input,
    unknownFields,
    operation: deps.operations[row.operation] as Operation,
    caller: makeCaller(row.path.startsWith("/v1/") ? "v1" : "v2", request, deps, body),
  };
}

function pathParams(row: Endpoint, request: FastifyRequest): object {
  const rest = /^\/(\w+)\/\{(\w+)\+\}$/.exec(row.path);
  if (!rest) return request.params as object;
  const [, first = "", name = ""] = rest;
  return { [name]: restOfPath(request.url, first) };
}

/** Taken from the raw URL: the router would merge the slashes of the URL inside it. */
function restOfPath(url: string, first: string): string {
  const rest = url.replace(new RegExp(`^/+${first}/+`), "");
  if (!/^https?%3a/i.test(rest)) return rest;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}

export function makeCaller(
  apiVersion: Caller["apiVersion"],
  request: FastifyRequest,
  { publicUrl }: Pick<RouteDeps, "publicUrl">,
  body?: unknown,
): Caller {
  // A public row has no holder, and its operation does not ask for one.
  const holder = request.holder ?? ({} as KeyHolder);
  return {
    apiVersion,
    idempotencyKey: readIdempotencyKey(request),
    externalRequestId: textOf(readExternalRequestId(request)),
    baseUrl: publicUrl ?? `${request.protocol}://${request.host}`,
    ip: request.ip,
    requestId: request.id,
    sent: isSmall(request) ? { method: request.method, path: request.url, body } : null,
    ...holder,
  };
}

const smallBytes = 32_768;

/** Whether its body may be kept with it. A file is left out, whatever its size. */
function isSmall(request: FastifyRequest): boolean {
  const { "content-length": length = 0, "transfer-encoding": encoding } = request.headers;
  return (encoding === undefined && Number(length) <= smallBytes) || request.isMultipart();
}

const maxIdempotencyKeyLength = 256;

function readIdempotencyKey({ headers }: FastifyRequest): string | null {
  const header = headers["x-idempotency-key"];
  if (header === undefined) return null;
  const key = String(header).trim();
  if (key.length > 0 && key.length <= maxIdempotencyKeyLength) return key;
  throw new ServiceError(
    "BAD_REQUEST",
    `The x-idempotency-key header must have 1 to ${maxIdempotencyKeyLength} characters.`,
  );
}

const maxExternalRequestIdBytes = 2048;

/** Each character is a byte, as Node reads headers. It has refused those that no header may hold. */
export function readExternalRequestId({ headers }: FastifyRequest): string | null {
  const id = String(headers["external-request-id"] ?? "");
  return id === "" || id.length > maxExternalRequestIdBytes ? null : id;
}

function textOf(header: string | null): string | null {
  const bytes = Buffer.from(header ?? "", "latin1");
  return header !== null && isUtf8(bytes) ? bytes.toString() : header;
}

const stoppable: ReadonlySet<string> = new Set(stopsWithCaller);

/** Aborts when the client disconnects before its response is complete. */
export function hangUpSignal(reply: FastifyReply): AbortSignal {
  const aborter = new AbortController();
  const stop = () => {
    if (!reply.raw.writableFinished) aborter.abort();
  };
  if (reply.raw.destroyed) stop();
  else reply.raw.once("close", stop);
  return aborter.signal;
}
