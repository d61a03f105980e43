// `/dashboard`: the page and its files. They are sent by the dashboard's own room, which is loaded with the first request.
import type { FastifyInstance } from "fastify";
import { requireLoopback } from "./auth.ts";
import { addProviderSignIn, type ProviderSignInDeps } from "./provider-route.ts";
import type { Operation } from "./routes.ts";

/** A file of the page as it is sent. */
export interface DashboardFile {
  headers: Record<string, string>;
  body: NodeJS.ReadableStream | Buffer;
}

export interface DashboardFaceDeps {
  /** By the names in the contract's rows of the dashboard. */
  operations: Readonly<Partial<Record<string, Operation>>>;
  /** Null where no identity provider is configured. */
  provider: ProviderSignInDeps["provider"];
  /** What a path below `/dashboard` stands for; null when there is no such file. */
  openFile(path: string, acceptEncoding: string): Promise<DashboardFile | null>;
}

export function addDashboard(
  app: FastifyInstance,
  deps: DashboardFaceDeps & { isOpen: boolean; publicUrl: string | null },
): void {
  addProviderSignIn(app, deps);
  for (const url of ["/dashboard", "/dashboard/*"]) {
    app.get(url, async (request, reply) => {
      if (deps.isOpen) requireLoopback(request);
      const path = (request.params as { "*"?: string })["*"] ?? "";
      const file = await deps.openFile(path, String(request.headers["accept-encoding"] ?? ""));
      if (!file) return reply.callNotFound();
      return reply.headers(file.headers).send(file.body);
    });
  }
}
