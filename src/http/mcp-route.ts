// `/mcp`: who calls and which tools they want is found out here; everything else is the MCP face's, which is loaded with the first
// request.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../accounts/index.ts";
import { ServiceError } from "../base/index.ts";
import type { ToolName } from "../contract/index.ts";
import { authenticate } from "./auth.ts";
import { makeCaller, type RouteDeps } from "./routes.ts";

export interface McpDeps extends RouteDeps {
  corsOrigins: readonly string[];
  mcp: {
    /** The tools that a request asks for; throws for an unknown name. */
    chooseTools(list: string): readonly ToolName[];
    handle(
      caller: Caller,
      request: IncomingMessage,
      response: ServerResponse,
      body: unknown,
      tools: readonly ToolName[],
    ): Promise<void>;
  };
}

declare module "fastify" {
  interface FastifyRequest {
    /** The tools of MCP that it asks for. */
    tools: readonly ToolName[] | null;
  }
}

export function addMcpRoute(app: FastifyInstance, deps: McpDeps): void {
  app.decorateRequest("tools", null);
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: "/mcp",
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      requireOwnOrigin(request, deps.corsOrigins);
      reply.header("www-authenticate", 'Bearer realm="Trawl"');
      request.holder = await authenticate(request, deps.authentication);
      reply.removeHeader("www-authenticate");
      const { tools } = request.query as { tools?: string | string[] };
      request.tools = deps.mcp.chooseTools([tools ?? []].flat().join(","));
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { raw } = reply;
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      const caller = makeCaller("v2", request, deps);
      await deps.mcp.handle(caller, request.raw, raw, request.body, request.tools ?? []);
      // The face has answered on its own.
      reply.hijack();
    },
  });
}

/** A page of another origin could be anybody's, whatever it sends along; programs send no origin. */
function requireOwnOrigin({ headers, host }: FastifyRequest, allowed: readonly string[]): void {
  const { origin } = headers;
  if (origin === undefined || allowed.includes(origin) || allowed.includes("*")) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new ServiceError("FORBIDDEN", "Web pages of other origins may not use /mcp. Set CORS_ORIGINS to allow one.");
}
