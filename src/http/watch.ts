// One watched job: admits the watcher, sends the operation's messages as they come, and closes with the outcome.
// No message is asked for while the watcher has much to read, and the work ends when the watcher goes.
import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../contract/index.ts";
import { toSocketFailure } from "./errors.ts";
import { checkRate, identify, prepare, type RouteDeps } from "./routes.ts";

export interface Watch {
  /** Asks whether the peer is still there; a peer that left two such questions unanswered is cut. */
  ping(): void;
  /** Ends the work and says goodbye. */
  stop(): void;
  /** Ends the connection without a word. */
  cut(): void;
  /** When the connection is closed and the operation has ended. */
  ended: Promise<void>;
}

/** More than this waiting in memory for a slow reader, and no further message is made. */
const maxWaitingBytes = 1024 * 1024;
/** A close frame has no room for more. */
const maxReasonBytes = 123;
const maxUnansweredPings = 2;

export function startWatch(socket: WebSocket, request: FastifyRequest, row: Endpoint, deps: RouteDeps): Watch {
  const startedAt = performance.now();
  const controller = new AbortController();
  const { signal } = controller;
  let unansweredPings = 0;

  // What leaves for the peer is a sign of life too: a slow reader gets to our ping only behind all else.
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
    // The signal ends what a generator waits for; this ends iterables that do not look at it.
    const giveUp = () => void Promise.resolve(iterator.return?.()).catch(() => undefined);
    signal.addEventListener("abort", giveUp, { once: true });
    let sent: Promise<void> | undefined;
    while (!signal.aborted && socket.readyState === socket.OPEN) {
      const step = await iterator.next();
      if (step.done) break;
      sent = send(row.toResponse ? row.toResponse(step.value as never) : step.value);
      if (socket.bufferedAmount > maxWaitingBytes) await sent;
    }
    // The time for the peer's answer to our close frame must not run while it still reads.
    await sent;
  }

  async function work(): Promise<void> {
    try {
      const rate = await identify(row, request, deps);
      if (rate) checkRate(rate);
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
      // Without a message: official v2 watchers then go on by polling, v1 watchers read the reason.
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
