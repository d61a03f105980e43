// How many connections are open at once. A caller beyond the limit is told when to come back, on a connection that is kept for
// that answer alone; only beyond the room for such answers is it closed without one.
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { ServiceError, secondMs } from "../base/index.ts";

export type ConnectionLimit = ReturnType<typeof createConnectionLimit>;

/** Connections that wait for their refusal. */
const mostRefused = 256;
const retryAfterSeconds = 1;
/** From the connection to its request, and from the refusal to the end: a body that is under way is still taken in. */
const lingerMs = 3 * secondMs;

export function createConnectionLimit(most: number) {
  /** Each has its end. */
  const refused = new Map<Socket, NodeJS.Timeout>();
  let admitted = 0;
  /** One that offers another protocol is announced again with each request. */
  const known = new WeakSet<Socket>();

  function admit(socket: Socket): void {
    admitted += 1;
    socket.once("close", () => {
      admitted -= 1;
    });
  }

  function refuse(socket: Socket): void {
    clearTimeout(refused.get(socket));
    refused.set(socket, setTimeout(() => socket.destroy(), lingerMs).unref());
  }

  return {
    watch(server: Server): void {
      server.maxConnections = most + mostRefused;
      server.prependListener("connection", (socket: Socket) => {
        if (known.has(socket)) return;
        known.add(socket);
        if (admitted < most) return admit(socket);
        refuse(socket);
        socket.once("close", () => {
          clearTimeout(refused.get(socket));
          refused.delete(socket);
        });
      });
    },
    /** The refusal of a request on this connection; null: it has a place, or has got one meanwhile. */
    refusalOf(socket: Socket): ServiceError | null {
      if (!refused.has(socket)) return null;
      if (admitted < most) {
        clearTimeout(refused.get(socket));
        refused.delete(socket);
        admit(socket);
        return null;
      }
      refuse(socket);
      const message = `This server has too many open connections. Try again in ${retryAfterSeconds} second.`;
      return new ServiceError("OVERLOADED", message, { retryAfterSeconds });
    },
  };
}
