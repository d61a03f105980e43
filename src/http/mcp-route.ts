// `/mcp`: who calls is found out here; everything else is the MCP face's, which is loaded with the first request.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../accounts/index.ts";
import { authenticate } from "./auth.ts";
import { makeCaller, type RouteDeps } from "./routes.ts";

export interface McpDeps extends RouteDeps {
  handleMcp(caller: Caller, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
}

export function addMcpRoute(app: FastifyInstance, deps: McpDeps): void {
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: "/mcp",
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header("www-authenticate", 'Bearer realm="Trawl"');
      request.holder = await authenticate(request, deps.authentication);
      reply.removeHeader("www-authenticate");
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { raw } = reply;
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      await deps.handleMcp(makeCaller("v2", request, deps), request.raw, raw, request.body);
      // The face has answered on its own.
      reply.hijack();
    },
  });
}
