// MCP over HTTP: every request is complete in itself, so any server of an installation answers it. Clients of 2025 get an id for their
// session all the same, with nothing kept under it: it tells whose request a cancellation is about.
import { type NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Caller } from "../accounts/index.ts";
import { isObject, newId } from "../base/index.ts";
import type { Transport } from "../client/index.ts";
import { endpointFor, mayUse, requireGroups, type ToolName } from "../contract/index.ts";
import { type Cancellations, requestName } from "./cancellations.ts";
import { createMcpServer, findTool } from "./mcp-server.ts";
import type { Readings } from "./readings.ts";
import { mcpTools } from "./tool-table.ts";

export interface McpFaceDeps {
  version: string;
  prefix: string;
  readings: Readings;
  cancellations: Cancellations;
  /** The calls of one caller. */
  direct(caller: Caller): Transport;
}

type Handled = Parameters<NodeStreamableHTTPServerTransport["handleRequest"]>;
type Body = Record<string, unknown>;

const sessionHeader = "mcp-session-id";

export function createMcpFace({ version, prefix, readings, cancellations, direct }: McpFaceDeps) {
  const open = new Set<() => Promise<void>>();

  /** Throws for a call of a tool whose group the caller lacks, before anything of it is done. */
  function requireGroupsOf(body: unknown, { allowedGroups }: Caller, tools: readonly ToolName[]): void {
    for (const message of [body].flat()) {
      const name =
        methodOf(message) === "tools/call" ? (message as { params?: { name?: unknown } }).params?.name : null;
      const tool = typeof name === "string" ? findTool(name, { prefix, tools }) : undefined;
      if (tool) requireGroups(allowedGroups, groupOf(tool.name));
    }
  }

  function handlerFor(caller: Caller, chosen: readonly ToolName[]) {
    const tools = chosen.filter((name) => mayUse(caller.allowedGroups, groupOf(name)));
    return createMcpHandler(() =>
      createMcpServer({
        version,
        prefix,
        tools,
        isSameForAll: (caller.allowedGroups ?? null) === null,
        readings,
        team: caller.teamId,
        transport: direct(caller),
        readFile: null,
      }),
    );
  }

  return {
    /** `tools`: those that the request may use. */
    async handle(
      caller: Caller,
      request: Handled[0],
      response: Handled[1],
      body: unknown,
      tools: readonly ToolName[],
    ): Promise<void> {
      requireGroupsOf(body, caller, tools);
      const session = request.headers[sessionHeader];
      const nameOf = (id: unknown) => requestName(caller.teamId, String(session), id);
      const cancelled = session === undefined ? undefined : cancelledId(body);
      if (cancelled !== undefined) cancellations.cancel(nameOf(cancelled));
      if (methodOf(body) === "initialize" && !isModern(body)) response.setHeader(sessionHeader, newId());
      const handler = handlerFor(caller, tools);
      const hangUp = () => void response.destroy();
      const isNamed = session !== undefined && !isModern(body);
      const forget = isNamed ? cancellations.watch(nameOf((body as Body | null)?.["id"]), hangUp) : null;
      const end = async () => {
        await handler.close();
        if (!response.writableEnded) hangUp();
      };
      open.add(end);
      try {
        await toNodeHandler(handler)(request as never, response as never, body);
      } finally {
        forget?.();
        open.delete(end);
      }
    },

    async close(): Promise<void> {
      await Promise.all([...open].map((end) => end()));
    },
  };
}

export type McpFace = ReturnType<typeof createMcpFace>;

function groupOf(name: ToolName) {
  const tool = mcpTools.find((each) => each.name === name);
  return tool && endpointFor(tool.operation)?.group;
}

function methodOf(body: unknown): unknown {
  return isObject(body) ? body["method"] : undefined;
}

/** Whether a request says in its own fields which revision it is of. */
function isModern(body: unknown): boolean {
  const params = isObject(body) ? body["params"] : null;
  const meta = isObject(params) ? params["_meta"] : null;
  return isObject(meta) && "io.modelcontextprotocol/protocolVersion" in meta;
}

function cancelledId(body: unknown): unknown {
  const params = isObject(body) ? body["params"] : null;
  return methodOf(body) === "notifications/cancelled" && isObject(params) ? params["requestId"] : undefined;
}
