// A WebSocket client that keeps everything it is told.
import { once } from "node:events";
import { WebSocket } from "ws";
import { testKey } from "./app.ts";
import { sendRaw } from "./raw.ts";

export interface Watched {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
  messages: any[];
  code: number;
  /** The reason as clients read it: as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  reason: any;
  protocol: string;
}

export interface WatchOptions {
  /** Offered as subprotocols; the test key unless given. */
  protocols?: string[];
  headers?: Record<string, string>;
}

export function openWatcher(
  url: string,
  path: string,
  { protocols = [testKey], headers }: WatchOptions = {},
): WebSocket {
  const socket = new WebSocket(url.replace(/^http/, "ws") + path, protocols, { ...(headers ? { headers } : {}) });
  // Whoever waits for something hears of it; nobody else must end the run for it.
  socket.on("error", () => undefined);
  return socket;
}

/** Watches until the server closes. */
export async function watch(url: string, path: string, options: WatchOptions = {}): Promise<Watched> {
  const socket = openWatcher(url, path, options);
  const messages: unknown[] = [];
  socket.on("message", (data, isBinary) => messages.push(isBinary ? data : JSON.parse(String(data))));
  const [code, reason] = await once(socket, "close");
  return { messages, code, reason: JSON.parse(String(reason)), protocol: socket.protocol };
}

/** A handshake by hand; resolves with all that came once the server closed the connection. */
export function sendHandshake(url: string, path: string, extra = ""): ReturnType<typeof sendRaw> {
  return sendRaw(
    url,
    `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${extra}\r\n`,
  );
}
