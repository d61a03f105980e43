// One WebSocket that follows a job: admits the client, sends the operation's messages as they come, and closes with the outcome.
// No message is produced while the client has much to read, and the work ends when the client disconnects.
import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import { requireRate } from "../accounts/index.ts";
import type { Endpoint } from "../contract/index.ts";
import { toSocketFailure } from "./error-response.ts";
import { identify, prepare, type RouteDeps } from "./routes.ts";

export interface Watch {
  /** Pings the peer; one that left two pings unanswered is dropped. */
  ping(): void;
  /** Ends the work and closes the connection. */
  stop(): void;
  /** Drops the connection. */
  cut(): void;
  /** When the connection is closed and the operation has ended. */
  ended: Promise<void>;
}

/** With more than this waiting in memory for a slow reader, no further message is produced. */
const maxWaitingBytes = 1024 * 1024;
/** A close frame has no room for more. */
const maxReasonBytes = 123;
const maxUnansweredPings = 2;

export function startWatch(socket: WebSocket, request: FastifyRequest, row: Endpoint, deps: RouteDeps): Watch {
  const startedAt = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  let unansweredPings = 0;

  // Data that the peer takes is a sign of life, too: a slow reader sees our ping only after everything else.
  const noteLife = () => {
    unansweredPings = 0;
  };
  socket.on("pong", noteLife);
  socket.on("ping", (data) => {
    if (socket.bufferedAmount <= maxWaitingBytes) socket.pong(data);
  });
  const closed = new Promise<void>((done) => {
    socket.once("close", (code) => {
      controller.abort();
      logWatch(request, row, code, performance.now() - startedAt);
      done();
    });
  });

  /** Resolves when the message has left this process, or never will. */
  function send(message: unknown): Promise<void> {
    return new Promise((done) => {
      socket.send(JSON.stringify(message), (error) => {
        if (!error) noteLife();
        done();
      });
    });
  }

  async function forward(messages: AsyncIterable<unknown>): Promise<void> {
    const iterator = messages[Symbol.asyncIterator]();
    // The signal ends what a generator waits for; this ends iterables that ignore the signal.
    const giveUp = () => void Promise.resolve(iterator.return?.()).catch(() => undefined);
    signal.addEventListener("abort", giveUp, { once: true });
    let sent: Promise<void> | undefined;
    while (!signal.aborted && socket.readyState === socket.OPEN) {
      const step = await iterator.next();
      if (step.done) break;
      sent = send(row.toResponse ? row.toResponse(step.value as never) : step.value);
      if (socket.bufferedAmount > maxWaitingBytes) await sent;
    }
    // The timeout of the close frame must not start while the peer is still reading.
    await sent;
  }

  async function work(): Promise<void> {
    try {
      const rate = await identify(row, request, deps);
      if (rate) requireRate(rate);
      const { operation, input, caller } = prepare(row, request, undefined, deps);
      await forward(operation(input as never, caller, signal) as AsyncIterable<unknown>);
      socket.close(1000, closeReason({ type: "done" }));
    } catch (thrown) {
      if (signal.aborted) return;
      const { closeCode, error } = toSocketFailure(thrown, request);
      await send({ type: "error", error });
      socket.close(closeCode, closeReason({ type: "error", error }));
    }
  }

  return {
    ended: Promise.all([closed, work()]).then(() => undefined),
    ping() {
      if (unansweredPings >= maxUnansweredPings) return socket.terminate();
      unansweredPings += 1;
      socket.ping();
    },
    stop() {
      controller.abort();
      // Without a message: official v2 clients then continue by polling, v1 clients read the reason.
      socket.close(1001, closeReason({ type: "error", error: "The server is stopping." }));
    },
    cut: () => socket.terminate(),
  };
}

/** Official clients read the reason of every close as JSON. */
function closeReason(message: { type: string; error?: string }): string {
  const text = JSON.stringify(message);
  if (message.error === undefined || Buffer.byteLength(text) <= maxReasonBytes) return text;
  return closeReason({ ...message, error: message.error.slice(0, -1) });
}

function logWatch(request: FastifyRequest, row: Endpoint, close: number, ms: number): void {
  request.log.info(
    {
      requestId: request.id,
      method: row.method,
      route: request.routeOptions.url,
      close,
      ms: Math.round(ms),
      team: request.holder?.teamName,
    },
    "request",
  );
}
