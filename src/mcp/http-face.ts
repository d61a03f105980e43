// MCP over HTTP: sessions bound to the team of their key, with streams that can be resumed, and requests without a session.
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../accounts/index.ts";
import { newId, ServiceError } from "../base/index.ts";
import type { Transport } from "../client/index.ts";
import { createMcpServer } from "./mcp-server.ts";
import { createReadings } from "./readings.ts";

export interface McpFaceDeps {
  version: string;
  prefix: string;
  /** The calls of one caller. */
  direct(caller: Caller): Transport;
}

type Handled = Parameters<StreamableHTTPServerTransport["handleRequest"]>;

interface Session {
  teamId: string;
  transport: StreamableHTTPServerTransport;
  usedAt: number;
}

const idleMs = 30 * 60_000;
const mostSessions = 1000;
const mostEvents = 200;

export function createMcpFace({ version, prefix, direct }: McpFaceDeps) {
  const sessions = new Map<string, Session>();
  const readings = createReadings();

  async function open(
    caller: Caller,
    sessionIdGenerator: (() => string) | undefined,
  ): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator,
      ...(sessionIdGenerator ? { eventStore: createEventStore() } : {}),
      onsessioninitialized: (id) => {
        sessions.set(id, { teamId: caller.teamId, transport, usedAt: Date.now() });
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    } as ConstructorParameters<typeof StreamableHTTPServerTransport>[0]);
    const server = createMcpServer({
      version,
      prefix,
      readings,
      team: caller.teamId,
      transport: direct(caller),
      readFile: null,
    });
    // The package's own types differ in optional members only.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  }

  /** The oldest idle sessions go first; their clients start new ones. */
  async function makeRoom(): Promise<void> {
    const sorted = [...sessions].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    const surplus = Math.max(0, sessions.size - mostSessions);
    for (const [place, [id, { usedAt, transport }]] of sorted.entries()) {
      if (place >= surplus && usedAt > Date.now() - idleMs) break;
      sessions.delete(id);
      await transport.close();
    }
  }

  return {
    async handle(caller: Caller, request: Handled[0], response: Handled[1], body: unknown): Promise<void> {
      const named = request.headers["mcp-session-id"];
      if (named !== undefined) {
        const session = sessions.get(String(named));
        // Another team's session is no session.
        if (!session || session.teamId !== caller.teamId)
          throw new ServiceError("NOT_FOUND", "This MCP session does not exist. Initialize again.");
        session.usedAt = Date.now();
        return session.transport.handleRequest(request, response, body);
      }
      await makeRoom();
      const transport = await open(caller, isInitialize(body) ? newId : undefined);
      if (!isInitialize(body)) response.once("close", () => void transport.close());
      await transport.handleRequest(request, response, body);
    },

    async close(): Promise<void> {
      const open = [...sessions.values()];
      sessions.clear();
      await Promise.all(open.map(({ transport }) => transport.close()));
    },
  };
}

export type McpFace = ReturnType<typeof createMcpFace>;

function isInitialize(body: unknown): boolean {
  return [body].flat().some((message) => (message as { method?: string } | null)?.method === "initialize");
}

/** The last messages of a session, for a client whose connection broke. */
function createEventStore() {
  const events: { id: string; stream: string; message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
      const id = newId();
      events.push({ id, stream, message });
      if (events.length > mostEvents) events.shift();
      return id;
    },
    async getStreamIdForEventId(id: string): Promise<string | undefined> {
      return events.find((event) => event.id === id)?.stream;
    },
    async replayEventsAfter(
      last: string,
      { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
    ): Promise<string> {
      const at = events.findIndex(({ id }) => id === last);
      const stream = events[at]?.stream ?? "";
      for (const event of at < 0 ? [] : events.slice(at + 1))
        if (event.stream === stream) await send(event.id, event.message);
      return stream;
    },
  };
}
