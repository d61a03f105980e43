// Where other servers of this installation connect. An opening that is unsigned, signed with another secret or
// older than half a minute by the store's clock is refused before a message is read.
import type { Duplex } from "node:stream";
import { type Clock, type Logger, ServiceError, secondMs } from "../base/index.ts";
import { type NodePath, nodeHeader, nodeProtocol } from "./calls.ts";
import { type Channel, createChannel } from "./channel.ts";
import { type NodeKey, newNonce } from "./node-key.ts";

/** Answers a connection that is to be served as one of HTTP; null when all is done. */
export type NodeHandler = (channel: Channel) => Promise<Duplex | null>;

export interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What a server may ask at once: options, a program, a saved profile. */
const maxRequestBytes = 64 * 1024 * 1024;
const skewMs = 30 * secondMs;

export function createNodeEndpoint(
  { clock, log }: { clock: Clock; log: Logger },
  key: NodeKey,
  handlers: Readonly<Record<NodePath, NodeHandler>>,
) {
  const active = new Map<Channel, Promise<unknown>>();
  let isClosing = false;

  function admit({ url = "", headers }: NodeRequest): { nonce: string; handler: NodeHandler } {
    const handler = Object.hasOwn(handlers, url) ? handlers[url as NodePath] : null;
    if (handler === null) throw new ServiceError("NOT_FOUND");
    const opening = key.read(url, String(headers[nodeHeader] ?? ""));
    if (opening === null || Math.abs(clock.now() - opening.at) > skewMs) throw new ServiceError("UNAUTHORIZED");
    if (isClosing) throw new ServiceError("OVERLOADED", "This server is stopping.");
    return { nonce: opening.nonce, handler };
  }

  return {
    /** Throws why it is refused. Answers a connection that is to be served as one of HTTP. */
    async accept(request: NodeRequest, socket: Duplex, head: Buffer): Promise<Duplex | null> {
      const { nonce, handler } = admit(request);
      const own = newNonce();
      const lines = ["HTTP/1.1 101 Switching Protocols", `upgrade: ${nodeProtocol}`, "connection: upgrade"];
      socket.write(`${[...lines, `${nodeHeader}: ${own}`].join("\r\n")}\r\n\r\n`);
      if (head.length > 0) socket.unshift(head);
      const options = { key: key.ofConnection(nonce, own), side: "called" as const, maxBytes: maxRequestBytes };
      const channel = createChannel(socket, options);
      const working = handler(channel);
      active.set(channel, working);
      try {
        return await working;
      } catch (error) {
        log.error({ err: error, path: request.url }, "a call of another server failed");
        channel.cut();
        return null;
      } finally {
        active.delete(channel);
      }
    },

    /** Refuses new calls, gives active ones this long, then ends them. */
    async close(graceMs: number): Promise<void> {
      isClosing = true;
      const cut = setTimeout(() => {
        for (const channel of active.keys()) channel.cut();
      }, graceMs);
      await Promise.allSettled(active.values());
      clearTimeout(cut);
    },
  };
}
