// A plain client of the debugging protocol over a unix socket: calls with their answers, and events.
import { WebSocket } from "ws";

export interface DevtoolsClient {
  /** Rejects with what the browser says, or when the connection ends first. */
  call(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>;
  /** Every event of this name, of the browser and of all targets that are attached to. */
  on(event: string, listener: (params: Record<string, unknown>, sessionId: string | undefined) => void): void;
  /** Resolves when the connection has ended, from whichever side. */
  closed: Promise<void>;
  close(): void;
}

interface Waiting {
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
  sessionId?: string;
}

const maxMessageBytes = 128 * 1024 * 1024;
const connectMs = 10_000;

/** `path`: "/" is the browser as a whole at a gateway; a browser itself wants its own. */
export async function connectDevtools(socketPath: string, path = "/"): Promise<DevtoolsClient> {
  const socket = new WebSocket(`ws+unix:${socketPath}:${path}`, {
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handshakeTimeout: connectMs,
  });
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, ((params: Record<string, unknown>, sessionId: string | undefined) => void)[]>();
  let lastId = 0;

  socket.on("message", (data) => {
    const { id, method, params = {}, result = {}, error, sessionId } = JSON.parse(String(data)) as Message;
    if (method !== undefined) {
      for (const listener of listeners.get(method) ?? []) listener(params, sessionId);
      return;
    }
    const call = waiting.get(id ?? 0);
    waiting.delete(id ?? 0);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  });
  const closed = new Promise<void>((done) => {
    socket.once("close", () => {
      for (const { reject } of waiting.values()) reject(new Error("The connection to the browser ended."));
      waiting.clear();
      done();
    });
  });
  await new Promise<void>((ready, fail) => {
    socket.once("open", ready);
    socket.on("error", fail);
  });

  return {
    closed,
    call: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) return reject(new Error("The connection to the browser ended."));
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId ? { sessionId } : {}) }));
      }),
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    close: () => socket.close(),
  };
}
