// The HTTP server: fastify with our limits, headers, errors and log line, the pages and the table's routes.
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import cors from "@fastify/cors";
import multipart from "@fastify/multipart";
import { type FastifyInstance, type FastifyRequest, fastify, LogController } from "fastify";
import { type Logger, type Measure, newId, ServiceError, type StartTrace, secondMs, toJson } from "../base/index.ts";
import { dashboardEndpoints, type Endpoint, endpoints } from "../contract/index.ts";
import type { Oauth } from "../oauth/index.ts";
import type { Authentication } from "./auth.ts";
import {
  type AddressFaceDeps,
  addBrowserVersion,
  type BrowserAddressDeps,
  createBrowserAddress,
  takeTokenFromUrl,
} from "./browser-address.ts";
import { addPages, type PageDeps } from "./built-in-pages.ts";
import { type ConnectionLimit, createConnectionLimit } from "./connection-limit.ts";
import { addDashboard, type DashboardFaceDeps } from "./dashboard-route.ts";
import { createDevtoolsTunnels, type DevtoolsDeps } from "./devtools.ts";
import { addDialects, createDialectErrors, type DialectDeps } from "./dialects.ts";
import { handshakeRefusal, refuseConnection, refuseExpectation, securityHeaders, sendError } from "./error-response.ts";
import { addFeeds, type FeedDeps } from "./feed-route.ts";
import { addGuides, type GuideDeps } from "./guides-route.ts";
import { type JsonLimits, readJsonBody } from "./json-body.ts";
import { addLiveViewPage, type LiveViewDeps, liveViewStream } from "./live-view-route.ts";
import { addMailPages } from "./mail-pages.ts";
import { addMcpRoute, type McpDeps } from "./mcp-route.ts";
import { addMedia, type MediaDeps } from "./media-route.ts";
import { createMetrics } from "./metrics.ts";
import { createNodeFace, isNodeCall, type NodeFaceDeps } from "./node-face.ts";
import { addOauth } from "./oauth-route.ts";
import { createKeylessGuard, createOpenModeGuard } from "./open-mode.ts";
import { addReplays, type ReplayDeps } from "./replay-route.ts";
import { addRoutes, type RouteDeps, readExternalRequestId } from "./routes.ts";
import { createSocketFace, isHandshake } from "./socket.ts";
import { addTraces } from "./traces.ts";

export interface HttpOptions extends JsonLimits {
  host: string;
  port: number;
  publicUrl: string | null;
  /** How many proxies are in front, or their addresses. */
  trustProxy: number | string[] | false;
  corsOrigins: readonly string[];
  maxBodyBytes: number;
  maxUploadBytes: number;
  maxHeaderBytes: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  maxConnections: number;
  stopTimeoutMs: number;
  /** How often WebSocket clients are pinged; 30 s unless given. */
  pingIntervalMs?: number;
}

export interface HttpDeps {
  log: Logger;
  version: string;
  authentication: Authentication;
  takeRate: RouteDeps["takeRate"];
  requireUpload: RouteDeps["requireUpload"];
  operations: RouteDeps["operations"];
  agentHints: RouteDeps["agentHints"];
  slicer: RouteDeps["slicer"];
  buildOpenApi: PageDeps["buildOpenApi"];
  answerGuide: GuideDeps["answerGuide"];
  checkHealth: PageDeps["checkHealth"];
  browserStatus?: NonNullable<PageDeps["browserStatus"]>;
  backupState?: NonNullable<PageDeps["backupState"]>;
  keyDirectory?: PageDeps["keyDirectory"];
  measures?: readonly Measure[];
  /** Null or absent without tracing. */
  startTrace?: StartTrace | null;
  readMedia?: MediaDeps["readMedia"];
  readFeedFile?: FeedDeps["readFeedFile"];
  openDevtools?: DevtoolsDeps["openDevtools"];
  /** Absent where it is off. */
  browserAddress?: BrowserAddressDeps;
  openLiveView?: LiveViewDeps["openLiveView"];
  checkLiveView?: LiveViewDeps["checkLiveView"];
  replays?: ReplayDeps["replays"];
  /** Absent where no other server shares the store. */
  nodes?: NodeFaceDeps;
  mcp?: McpDeps["mcp"];
  /** Absent or null where no app can be connected. */
  oauth?: Oauth | null;
  /** Takes a request of a team that has been answered. */
  countRequest?(request: { teamId: string; keyId: string | null; endpoint: string; cause: string; ms: number }): void;
  /** Absent where there is no dashboard. */
  dashboard?: DashboardFaceDeps;
  /** Absent where no dialect is spoken. */
  dialects?: DialectDeps;
  /** False: only health, metrics and what other servers ask for are served. */
  hasApi?: boolean;
}

export interface HttpServer {
  /** The URL that it serves, once listening. */
  url: string;
  /** Stops listening at once, lets running requests finish within the time set, then closes them. */
  close(): Promise<void>;
}

export async function startHttpServer(deps: HttpDeps, options: HttpOptions): Promise<HttpServer> {
  let isStopping = false;
  const connections = createConnectionLimit(options.maxConnections);
  const routeDeps = {
    ...deps,
    connections,
    publicUrl: options.publicUrl,
    jsonLimits: options,
    maxUploadBytes: options.maxUploadBytes,
  };
  const app = createApp(routeDeps, options, () => isStopping);
  const { log, nodes, openDevtools } = deps;
  const { publicUrl } = options;
  const sockets = createSocketFace(
    {
      ...routeDeps,
      nodes: nodes ? createNodeFace({ ...nodes, log, publicUrl }) : null,
      address: addressDeps(routeDeps, options, createBrowserAddress),
      devtools: openDevtools ? createDevtoolsTunnels({ openDevtools, log, publicUrl }) : null,
      createApp: () => createBareApp(routeDeps, options, () => isStopping, handshakeRefusal(dialectErrors(deps))),
    },
    options.pingIntervalMs ?? 30 * secondMs,
  );
  if (deps.hasApi !== false || deps.nodes) sockets.attach(app.server);
  connections.watch(app.server);
  await app.listen({ host: options.host, port: options.port });
  app.server.on("checkExpectation", (_request, response) => refuseExpectation(response, options.publicUrl));
  return {
    url: ownUrl(app.server.address() as AddressInfo),
    async close() {
      isStopping = true;
      const cut = setTimeout(() => {
        app.server.closeAllConnections();
        sockets.cut();
      }, options.stopTimeoutMs);
      await Promise.all([app.close(), sockets.close()]);
      clearTimeout(cut);
    },
  };
}

/** What HTTP and WebSocket requests have in common: limits, headers, the log line, guards, errors. */
function createBareApp(
  deps: HttpDeps & { connections: ConnectionLimit },
  options: HttpOptions,
  isStopping: () => boolean,
  answerError: typeof sendError,
): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log,
    // One line per request is logged below; a child logger per request would cost more than the line.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => newId(),
    rewriteUrl: (request) => withWholePaperId(deps.browserAddress ? takeTokenFromUrl(request) : (request.url ?? "/")),
    trustProxy: trustOf(options.trustProxy),
    bodyLimit: options.maxBodyBytes,
    requestTimeout: options.requestTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: {
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
      maxParamLength: 8192,
      querystringParser: readQuery,
    },
    http: {
      maxHeaderSize: options.maxHeaderBytes,
      headersTimeout: options.headersTimeoutMs,
      // Node's own refusal would have no body and no request id.
      requireHostHeader: false,
      // How often Node looks for overdue requests; its default of 30 s would make short limits meaningless.
      connectionsCheckingInterval: Math.min(5000, options.headersTimeoutMs),
      ...upgradeOptions,
    },
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, options.publicUrl),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  }) as unknown as FastifyInstance;

  app.decorate("publicUrl", options.publicUrl);
  app.decorate("hasOauth", Boolean(deps.oauth));
  // Fastify also takes bytes, which its types do not say.
  app.setReplySerializer(toJson as (answer: unknown) => string);
  if (deps.startTrace) addTraces(app, deps.startTrace);
  for (const name of ["holder", "countedAs", "failure"]) app.decorateRequest(name, null);
  addHeadersAndLog(app, isStopping, deps);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request) => {
    throw noSuchEndpoint(request);
  });
  if (deps.authentication.mode === "none") guardOpenMode(app, options);
  return app;
}

/** Null where the one URL for browser tools is off. */
function addressDeps<Made>(
  deps: HttpDeps & RouteDeps,
  options: HttpOptions,
  make: (address: AddressFaceDeps) => Made,
): Made | null {
  const { browserAddress, hasApi, authentication } = deps;
  if (hasApi === false || !browserAddress) return null;
  const guard = authentication.mode === "none" ? createOpenModeGuard(ownHosts(options), options.corsOrigins) : null;
  return make({ ...deps, ...browserAddress, guard, trustProxy: options.trustProxy });
}

/** Failures below the paths of dialects in their shapes. */
function dialectErrors({ hasApi, dialects }: HttpDeps): typeof sendError {
  return hasApi === false || !dialects ? sendError : createDialectErrors(dialects.spoken);
}

function createApp(
  deps: HttpDeps & RouteDeps & { connections: ConnectionLimit },
  options: HttpOptions,
  isStopping: () => boolean,
): FastifyInstance {
  const dialects = deps.hasApi === false ? undefined : deps.dialects;
  const app = createBareApp(deps, options, isStopping, dialectErrors(deps));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: unknown, text: string | Buffer) => readJsonBody(String(text), options),
  );
  void app.register(multipart, {
    limits: { fileSize: options.maxUploadBytes, files: 1, fields: 10, fieldSize: options.maxBodyBytes },
  });

  if (options.corsOrigins.length > 0) void app.register(cors, corsOptions(options.corsOrigins));

  const metrics = createMetrics(deps.measures ?? []);
  metrics.observe(app);
  addPages(app, { ...deps, metrics, isStopping });
  addGuides(app, deps);
  if (deps.hasApi !== false) {
    addRoutes(app, endpoints, deps);
    addMailPages(app, deps);
  }
  if (deps.hasApi !== false && deps.dashboard) {
    addRoutes(app, dashboardEndpoints, { ...deps, operations: deps.dashboard.operations });
    addDashboard(app, { ...deps.dashboard, publicUrl: deps.publicUrl, isOpen: deps.authentication.mode === "none" });
  }
  if (dialects) addDialects(app, { ...deps, ...dialects, guardKeyless: keylessGuard(options) });
  if (deps.hasApi !== false && deps.oauth) addOauth(app, deps.oauth);
  if (deps.hasApi !== false && deps.mcp) addMcpRoute(app, { ...deps, mcp: deps.mcp, corsOrigins: options.corsOrigins });
  addressDeps(deps, options, (address) => addBrowserVersion(app, address));
  if (deps.hasApi !== false && deps.readMedia) addMedia(app, { readMedia: deps.readMedia });
  const { readFeedFile } = deps;
  if (deps.hasApi !== false && readFeedFile) addFeeds(app, { readFeedFile, publicUrl: deps.publicUrl });
  if (deps.hasApi !== false && deps.checkLiveView) addLiveViewPage(app, { checkLiveView: deps.checkLiveView });
  if (deps.hasApi !== false && deps.replays) addReplays(app, { replays: deps.replays, publicUrl: deps.publicUrl });
  return app;
}

/** The peer is the first proxy, the last address of X-Forwarded-For the second. */
function trustOf(trusted: HttpOptions["trustProxy"]) {
  return typeof trusted === "number" ? (_address: string, place: number) => place < trusted : trusted;
}

/** Node 20 does not know this option yet; the socket face has another way there. */
const upgradeOptions = {
  shouldUpgradeCallback: (request: IncomingMessage) => isHandshake(request) || isNodeCall(request),
};

function noSuchEndpoint(request: FastifyRequest): ServiceError {
  const { url } = request;
  const method = isHandshake(request.raw) ? "WS" : request.method;
  return new ServiceError("NOT_FOUND", `There is no endpoint ${method} ${url.split("?", 1)[0]}. See /docs.`);
}

function addHeadersAndLog(
  app: FastifyInstance,
  isStopping: () => boolean,
  { countRequest, connections }: Pick<HttpDeps, "countRequest"> & { connections: ConnectionLimit },
): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(securityHeaders).header("x-request-id", request.id);
    const externalId = readExternalRequestId(request);
    if (externalId !== null) reply.header("external-request-id", externalId);
    const refusal = connections.refusalOf(request.raw.socket);
    if (refusal !== null) done(refusal);
    else if (request.headers.host === undefined) done(new ServiceError("BAD_REQUEST", "The Host header is missing."));
    // Decided here, so that the body of such a request is never read.
    else if (request.is404) done(noSuchEndpoint(request));
    else done();
  });
  // Decided when the response leaves: a request that was running at the stop must not keep its connection open.
  app.addHook("onSend", (request, reply, payload, done) => {
    if (isStopping()) reply.header("connection", "close");
    // Node writes headers together with a body that is text, as UTF-8: the bytes of this one would change.
    const isAscii = !/[\u0080-\u00ff]/.test(readExternalRequestId(request) ?? "");
    done(null, isAscii || typeof payload !== "string" ? payload : Buffer.from(payload));
  });
  // The route, never the requested URL: it may contain what a caller did not mean to publish.
  app.addHook("onResponse", (request, reply, done) => {
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        team: request.holder?.teamName,
      },
      "request",
    );
    const { holder, countedAs } = request;
    if (holder && countedAs !== null) {
      const { teamId, keyId } = holder;
      countRequest?.({ teamId, keyId, endpoint: countedAs, cause: request.failure ?? "", ms: reply.elapsedTime });
    }
    done();
  });
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes("*") ? "*" : [...origins],
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    exposedHeaders: [
      "x-request-id",
      "external-request-id",
      "retry-after",
      "link",
      "ratelimit-limit",
      "ratelimit-remaining",
      "ratelimit-reset",
      "x-trawl-ignored",
      ...(endpoints as readonly Endpoint[]).flatMap((row) => Object.keys(row.responseHeaders ?? {})),
    ],
    strictPreflight: false,
  };
}

/** The names under which this server is meant to be reached. */
function ownHosts({ host: listening, publicUrl }: HttpOptions): string[] {
  const own = [listening, publicUrl ? new URL(publicUrl).hostname : listening];
  return own.filter((host) => host !== "0.0.0.0" && host !== "::");
}

function keylessGuard(options: HttpOptions) {
  return createKeylessGuard(ownHosts(options), options.corsOrigins);
}

function guardOpenMode(app: FastifyInstance, options: HttpOptions): void {
  const guard = createOpenModeGuard(ownHosts(options), options.corsOrigins);
  app.addHook("onRequest", async (request) => {
    // It needs a token, and the dashboard's frame around it has no origin that it could name.
    if (request.routeOptions.url !== liveViewStream) guard(request);
  });
}

/** Repeated parameters become a list, which no schema accepts as a single value. */
function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = query[name];
    query[name] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value];
  }
  return query;
}

function ownUrl({ address, family, port }: AddressInfo): string {
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** A DOI has slashes, which clients send as they are. */
function withWholePaperId(url: string): string {
  const [, before, id = "", after = ""] =
    /^(\/v2\/search\/research\/papers\/)([^?]*?)((?:\/similar)?(?:\?.*)?)$/.exec(url) ?? [];
  return before !== undefined && id.includes("/") ? before + id.replaceAll("/", "%2F") + after : url;
}
