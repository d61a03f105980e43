// Routes of dialects: the key in every form, the rate limit, the body in every form, the row's translation, and every failure in
// the dialect's own shape.
import { finished, Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../base/index.ts";
import type { DialectName } from "../config.ts";
import { type Endpoint, readRequest, type UploadedFile } from "../contract/index.ts";
import {
  type Dialect,
  type DialectAnswer,
  type DialectRow,
  type DialectTools,
  faultOf,
  readBodyKey,
  readDialectKey,
  signsOf,
} from "../dialects/index.ts";
import { hasSessionToken, identifySession, identifyToken, type KeylessTeam, requireGroup } from "./auth.ts";
import { prepareError, sendError } from "./error-response.ts";
import { fieldsOf, readForm } from "./form.ts";
import { applyRate, hangUpSignal, makeCaller, type RouteDeps, refuseCompressed, routerPath } from "./routes.ts";
import { isHandshake } from "./socket.ts";

export interface DialectDeps {
  spoken: readonly Dialect[];
  tools: DialectTools;
  /** Whose requests without a key are. */
  keylessTeams: ReadonlyMap<DialectName, KeylessTeam>;
}

interface FaceDeps extends RouteDeps, DialectDeps {
  /** Throws for a request without a key that a web page may have sent. */
  guardKeyless(request: FastifyRequest): void;
}

interface RoutingDeps extends FaceDeps {
  /** Throws when too many large bodies of unknown callers are being read. */
  takeBody(request: FastifyRequest): void;
}

/** A body that may hold the key is read before the key is known: larger ones only a few at a time. */
const smallBytes = 256 * 1024;
const mostLargeBodies = 4;
/** Names in `X-Trawl-Ignored`. */
const mostNamed = 100;
const defaultRetrySeconds = 10;

export function addDialects(app: FastifyInstance, faceDeps: FaceDeps): void {
  const deps: RoutingDeps = { ...faceDeps, takeBody: createBodyPlaces() };
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      async (_request: unknown, text: string | Buffer) => fieldsOf(new URLSearchParams(String(text))),
    );
    for (const dialect of deps.spoken) {
      for (const row of dialect.rows.filter(({ takes }) => takes !== "file")) addRow(scope, dialect, row, deps);
    }
  });
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, bytes: string | Buffer) => bytes);
    for (const dialect of deps.spoken) {
      for (const row of dialect.rows.filter(({ takes }) => takes === "file")) addRow(scope, dialect, row, deps);
    }
  });
}

function addRow(scope: FastifyInstance, dialect: Dialect, row: DialectRow, deps: RoutingDeps): void {
  for (const path of row.paths) {
    const way: Way = { dialect, row, reader: { ...bareRow, body: row.request }, restOf: createRest(path, row) };
    scope.route({
      method: [row.method, ...(row.alsoMethods ?? [])],
      url: routerPath(path),
      ...(row.takes === undefined ? {} : { bodyLimit: deps.maxUploadBytes }),
      onRequest: (request, reply) => admit(dialect, row, request, reply, deps),
      handler: (request, reply) => answer(way, request, reply, deps),
    });
  }
}

/** Everything that is checked before the body is read. */
async function admit(
  dialect: Dialect,
  row: DialectRow,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RoutingDeps,
): Promise<void> {
  refuseCompressed(request);
  if (row.takes === "file") dropBadType(request);
  if (row.rateGroup === null) return;
  const key = readDialectKey(headersOf(request));
  if (key === null && mayHaveKeyInBody(dialect, request)) return deps.takeBody(request);
  await identify(dialect, row, key, request, reply, deps);
}

/** The type of a file is a hint: one that names nothing is as good as none, for which the framework has a way. */
function dropBadType({ raw: { headers } }: FastifyRequest): void {
  if (!/^[^\s/;]+\/[^\s/;]+/.test(headers["content-type"] ?? "")) delete headers["content-type"];
}

function mayHaveKeyInBody({ hasKeyInBody }: Dialect, { headers }: FastifyRequest): boolean {
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return hasKeyInBody === true && hasBody;
}

/** A body without a length is as large as it may be. */
function createBodyPlaces(): RoutingDeps["takeBody"] {
  let taken = 0;
  return ({ headers, raw }) => {
    if (Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) <= smallBytes) return;
    if (taken >= mostLargeBodies)
      throw new ServiceError(
        "OVERLOADED",
        "The server is reading too many large requests that have no key in their headers. Send the key in the Authorization header.",
      );
    taken += 1;
    finished(raw, { writable: false }, () => {
      taken -= 1;
    });
  };
}

async function identify(
  dialect: Dialect,
  row: DialectRow,
  key: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RoutingDeps,
): Promise<void> {
  const keyless = deps.keylessTeams.get(dialect.name) ?? null;
  // A browser asks its user for the key.
  if (request.method === "GET") reply.header("www-authenticate", 'Basic realm="Trawl"');
  const person = key === null && hasSessionToken(request) ? await identifySession(request, deps.authentication) : null;
  const holder = person ?? (await identifyToken(key, request, deps.authentication, keyless));
  reply.removeHeader("www-authenticate");
  if (person === null && key === null && keyless !== null && deps.authentication.openTeam === null)
    deps.guardKeyless(request);
  request.holder = holder;
  requireGroup(row.group ?? dialect.group, holder, request);
  if (row.rateGroup !== "status") request.countedAs = dialect.name;
  const rate = row.rateGroup === null ? null : await deps.takeRate(holder, row.rateGroup);
  if (rate) applyRate(rate, reply);
}

/** One path of a row. */
interface Way {
  dialect: Dialect;
  row: DialectRow;
  /** As a row of the endpoint table, for its schema alone. */
  reader: Endpoint;
  restOf(url: string): string;
}

async function answer(
  { dialect, row, reader, restOf }: Way,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RoutingDeps,
): Promise<unknown> {
  const { body, file, fileCount } =
    row.takes === "form" ? await readForm(request, deps.maxUploadBytes) : bodyOf(row, request);
  if (row.rateGroup !== null && request.holder === null) {
    await identify(dialect, row, readBodyKey(body), request, reply, deps);
  }
  const given = withoutNulls(joined(row.restHasQuery ? {} : (request.query as object), asObject(body)));
  const reading = readRequest(reader, { body: given }, mostNamed);
  if (!reading.ok) throw new ServiceError(reading.code, reading.message, { details: reading.issues });
  const asked = {
    fields: reading.input as never,
    headers: headersOf(request),
    rest: restOf(request.url),
    file,
    fileCount,
  };
  const caller = makeCaller(dialect.name, request, deps, row.takes === undefined ? body : undefined);
  const made = await row.answer(asked, { ...deps.tools, caller, signal: hangUpSignal(reply) });
  return send(made, reading.unknownFields, reply);
}

/** Where the schema of a row is read alone. */
const bareRow = {
  method: "POST",
  path: "",
  tag: "Other",
  summary: "",
  operation: "",
  response: null as never,
  rateGroup: null,
} as const;

function bodyOf(
  { takes }: DialectRow,
  request: FastifyRequest,
): { body: unknown; file: UploadedFile | null; fileCount: number } {
  if (takes === undefined) return { body: request.body, file: null, fileCount: 0 };
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const contentType = request.headers["content-type"] ?? "";
  return { body: undefined, file: { filename: "", contentType, bytes }, fileCount: 1 };
}

/** Nothing is copied for the many requests that have but a body. */
function joined(query: object, body: object): object {
  for (const _ in query) return { ...query, ...body };
  return body;
}

/** A body that is no object is refused as such, beside whatever the query says. */
function asObject(body: unknown): object {
  if (body === undefined || body === null) return {};
  if (typeof body === "object" && !Array.isArray(body)) return body;
  throw new ServiceError("BAD_REQUEST", "The body must be a JSON object.");
}

/** Clients of typed languages send null for what is not set. */
function withoutNulls(value: object): object {
  if (!hasNulls(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== null) kept[name] = isPlain(inner) ? withoutNulls(inner) : inner;
  }
  return kept;
}

function hasNulls(value: object): boolean {
  return Object.values(value).some((inner) => inner === null || (isPlain(inner) && hasNulls(inner)));
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Of the headers that come as lists, which are those that servers send, no dialect reads any. */
function headersOf({ headers }: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return headers as Record<string, string | undefined>;
}

/** Taken from the raw URL: the router would merge the slashes of a URL inside it. */
function createRest(path: string, { restHasQuery = false }: DialectRow): Way["restOf"] {
  const [prefix = "", hasRest] = path.split(/\{\w+\+\}/);
  if (hasRest === undefined) return () => "";
  const start = new RegExp(`^${prefix.replace(/\/+$/, "").replaceAll("/", "/+")}/+`);
  return (url) => {
    const rest = url.replace(start, "");
    // The router has decoded the path once, so that it can be decoded.
    return restHasQuery ? rest : decodeURIComponent(rest.split("?", 1)[0] ?? "");
  };
}

function send(made: DialectAnswer, unknownFields: readonly string[], reply: FastifyReply): unknown {
  reply.headers({ ...signsOf(made, unknownFields), ...made.headers }).status(made.status ?? 200);
  const { body, type } = made;
  if (type !== undefined) reply.type(type);
  if (isStream(body)) return reply.send(Readable.from(body));
  return reply.send(body);
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Answers failures below the paths of dialects in their shapes, all others as everywhere. */
export function createDialectErrors(dialects: readonly Dialect[]): typeof sendError {
  return (thrown, request, reply) => {
    const path = (request.url.split("?", 1)[0] ?? "").replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
    const dialect = dialects.find(({ owns }) => owns(path));
    if (!dialect) return sendError(thrown, request, reply);
    const allowed = isUnserved(thrown, request) ? allowedMethods(dialect, path) : [];
    const isOther = allowed.length > 0 && !allowed.includes(request.method);
    const failure = isHandshake(request.raw)
      ? new ServiceError("NOT_IMPLEMENTED", "This path has no WebSocket.")
      : isOther
        ? new ServiceError("METHOD_NOT_ALLOWED")
        : thrown;
    if (isOther) reply.header("allow", allowed.join(", "));
    const error = prepareError(failure, request, reply);
    const fault = faultOf(error, dialect.statuses);
    if (fault.status === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", defaultRetrySeconds);
    const body = dialect.failure(fault);
    if (typeof body === "string") reply.type("text/plain; charset=utf-8");
    void reply.status(fault.status).send(body);
  };
}

/** No row took the request, or one that refuses whatever the dialect has no row for. */
function isUnserved(thrown: unknown, { is404 }: FastifyRequest): boolean {
  return is404 || (thrown instanceof ServiceError && thrown.code === "NOT_IMPLEMENTED");
}

/** The methods of the rows that say most about this path. */
function allowedMethods({ rows }: Dialect, path: string): string[] {
  const fitting = rows.flatMap((row) => row.paths.map((each) => ({ row, share: shareOf(each, path) })));
  const best = Math.max(...fitting.map(({ share }) => share));
  const named = best === 0 ? [] : fitting.filter(({ share }) => share === best);
  return [...new Set(named.flatMap(({ row: { method, alsoMethods = [] } }) => [method, ...alsoMethods]))];
}

/** How much of a path a row's path spells out; 0 when it is another one. */
function shareOf(rowPath: string, path: string): number {
  const [start = "", hasRest] = rowPath.split(/\{\w+\+\}/);
  if (hasRest === undefined) return rowPath === path ? Number.POSITIVE_INFINITY : 0;
  return path.startsWith(start) && path.length > start.length ? start.length : 0;
}
