// What servers of one installation are to each other over HTTP: their calls come in as upgrades of a connection, and handshakes
// for a session are carried to the server that holds its browser.
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type RefusalDeps, refuseUpgrade } from "./error-response.ts";
import { createTunnels } from "./tunnels.ts";

export interface NodeFaceDeps {
  /** Throws why a call of another server is refused. Answers a connection to be served like any other. */
  acceptNode(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<Duplex | null>;
  /** A connection on which the request has gone to the server that holds the session; null: it is answered here. */
  openTunnel(sessionId: string, request: (host: string) => Buffer): Promise<Duplex | null>;
}

export type NodeFace = ReturnType<typeof createNodeFace>;

const sessionPath = /^\/+(?:cdp\/+([^/?]+)|view\/+([^/?]+)\/+stream)\/?(?:\?|$)/;

/** The Upgrade header of such a call. */
export function isNodeCall({ method, headers, url }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade === "trawl-node" && (url ?? "").startsWith("/internal/");
}

export function createNodeFace({ acceptNode, openTunnel, log, publicUrl }: NodeFaceDeps & RefusalDeps) {
  const tunnels = createTunnels();

  async function open(id: string, request: IncomingMessage): Promise<Duplex | null> {
    try {
      return await openTunnel(id, (host) => headOf(request, { host }));
    } catch (error) {
      log.error({ err: error }, "could not find the server of a session");
      return null;
    }
  }

  return {
    isFor: isNodeCall,

    async accept(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      const drop = () => void socket.destroy();
      socket.on("error", drop);
      try {
        const serve = await acceptNode(request, socket, head);
        if (serve === null) return;
        socket.off("error", drop);
        server.emit("connection", serve);
        serve.resume();
      } catch (error) {
        const status = refuseUpgrade(error, socket, { log, publicUrl });
        log.warn({ route: "/internal", status }, "refused a call that claimed to come from another server");
      }
    },

    /** False when it is to be answered here. */
    async carry(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean> {
      const [, first, second] = sessionPath.exec(request.url ?? "") ?? [];
      const id = first ?? second;
      if (id === undefined) return false;
      const drop = () => void socket.destroy();
      socket.on("error", drop);
      const there = await open(id, request);
      if (there === null) {
        socket.off("error", drop);
        return false;
      }
      tunnels.join(socket, there, head);
      return true;
    },

    cut: tunnels.cut,
  };
}

/** The head of a request as it came, but for these headers; null leaves one out. */
export function headOf(request: IncomingMessage, changes: Readonly<Record<string, string | null>>): Buffer {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = "", value = ""] = request.rawHeaders.slice(at, at + 2);
    const change = changes[name.toLowerCase()];
    if (change !== null) lines.push(`${name}: ${change ?? value}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
