// Connects an automation tool to the browser of its session: /cdp/{id}?token=… is tunneled to the session's own proxy,
// which speaks WebSocket and filters commands. The token replaces the API key, which such tools do not send.
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { type RefusalDeps, refuseUpgrade } from "./error-response.ts";
import { createTunnels } from "./tunnels.ts";

export interface DevtoolsDeps {
  /** The unix socket of a session's proxy; throws when the token is wrong. */
  openDevtools(id: string, token: string): Promise<string>;
}

export type DevtoolsTunnels = ReturnType<typeof createDevtoolsTunnels>;

const pathPattern = /^\/+cdp\/+([^/?]+)\/?(?:\?(.*))?$/;
/** What the proxy needs to answer a handshake; nothing else of the request reaches it. */
const carriedHeaders = ["sec-websocket-key", "sec-websocket-version"];

export function createDevtoolsTunnels({ openDevtools, log, publicUrl }: DevtoolsDeps & RefusalDeps) {
  const tunnels = createTunnels();

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const startedAt = performance.now();
    socket.on("error", () => socket.destroy());
    const [, id = "", query = ""] = pathPattern.exec(request.url ?? "") ?? [];
    try {
      const socketPath = await openDevtools(id, new URLSearchParams(query).get("token") ?? "");
      tunnels.join(socket, openInside(socketPath, request), head);
      socket.once("close", () => log.info({ ...line, status: 101, ms: passed(startedAt) }, "request"));
    } catch (error) {
      const status = refuseUpgrade(error, socket, { log, publicUrl });
      log.info({ ...line, status, ms: passed(startedAt) }, "request");
    }
  }

  return {
    /** Whether a handshake is for a browser session. */
    isFor: ({ url }: IncomingMessage) => pathPattern.test(url ?? ""),
    accept,
    cut: tunnels.cut,
  };
}

function openInside(socketPath: string, { headers }: IncomingMessage): Duplex {
  const inside = connect(socketPath);
  const kept = carriedHeaders.map((name) => `${name}: ${headers[name] ?? ""}`);
  inside.write(
    ["GET / HTTP/1.1", "host: localhost", "upgrade: websocket", "connection: upgrade", ...kept, "", ""].join("\r\n"),
  );
  return inside;
}

/** The route, never the requested URL: it contains the token. */
const line = { method: "WS", route: "/cdp/:id" };

function passed(since: number): number {
  return Math.round(performance.now() - since);
}
