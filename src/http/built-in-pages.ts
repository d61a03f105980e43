// What is served besides the endpoint table: the root, health, metrics, OpenAPI and /connect.
import type { FastifyInstance } from "fastify";
import { isoTime } from "../base/index.ts";
import { type Authentication, authenticate, requireGroup } from "./auth.ts";
import { renderConnectPage } from "./connect-page.ts";

interface Metrics {
  contentType: string;
  read(): Promise<string>;
}

export interface PageDeps {
  version: string;
  buildOpenApi(): object;
  authentication: Authentication;
  metrics: Metrics;
  /** Whether the store can be read and written. */
  checkHealth(): Promise<{ canRead: boolean; canWrite: boolean }>;
  isStopping(): boolean;
  publicUrl: string | null;
  /** The key that signs requests for pages; absent where none does. */
  keyDirectory?: (() => { body: string; headers: Record<string, string> }) | null | undefined;
  /** Whether there is a browser, and how it is sandboxed; absent where this server uses none. */
  browserStatus?(): object;
  /** How the last backup went; absent where the server makes none. */
  backupState?(): { error: string | null; lastSuccessAt: number | null } | null;
}

export const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function addPages(app: FastifyInstance, deps: PageDeps): void {
  app.get("/", async () => ({
    success: true,
    name: "Trawl",
    version: deps.version,
    links: { docs: "/docs", openapi: "/openapi.json", liveness: "/health/liveness", readiness: "/health/readiness" },
  }));

  app.get("/health/liveness", async () => ({ success: true, status: "alive" }));

  app.get("/health/readiness", async (_request, reply) => {
    const { canRead, canWrite } = await deps.checkHealth();
    const isStopping = deps.isStopping();
    const isReady = canRead && canWrite && !isStopping;
    const status = isStopping ? "stopping" : isReady ? "ready" : "storage unavailable";
    const browser = deps.browserStatus ? { browser: deps.browserStatus() } : {};
    const backup = deps.backupState ? { backup: shownBackup(deps.backupState()) } : {};
    return reply
      .status(isReady ? 200 : 503)
      .send({ success: isReady, status, store: { canRead, canWrite }, ...browser, ...backup });
  });

  app.get("/metrics", {
    onRequest: async (request) => {
      requireGroup("team", await authenticate(request, deps.authentication), request);
    },
    handler: async (_request, reply) => reply.type(deps.metrics.contentType).send(await deps.metrics.read()),
  });

  const { keyDirectory } = deps;
  if (keyDirectory) {
    app.get("/.well-known/http-message-signatures-directory", async (_request, reply) => {
      const { body, headers } = keyDirectory();
      return reply.headers(headers).send(Buffer.from(body));
    });
  }

  // Rendered at the first request and kept: most processes never serve them.
  let openApiText: string | undefined;
  app.get("/openapi.json", async (_request, reply) => {
    openApiText ??= JSON.stringify(deps.buildOpenApi());
    return reply.type("application/json").send(openApiText);
  });

  app.get("/connect", async (request, reply) =>
    reply
      .header("content-security-policy", pagePolicy)
      .type("text/html; charset=utf-8")
      .send(renderConnectPage(deps.publicUrl ?? `${request.protocol}://${request.host}`)),
  );
}

/** Why it failed may name places: that is for the log and for `trawl doctor`. */
function shownBackup(state: ReturnType<NonNullable<PageDeps["backupState"]>>) {
  const { error = null, lastSuccessAt = null } = state ?? {};
  const last = lastSuccessAt === null ? null : isoTime(lastSuccessAt);
  return { status: state === null ? "none yet" : error === null ? "ok" : "failing", lastSuccessAt: last };
}
