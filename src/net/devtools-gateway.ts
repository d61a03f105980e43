// The gateway to one browser's debugging port: a unix socket that speaks the same HTTP and WebSocket.
import { randomBytes } from "node:crypto";
import { chmodSync } from "node:fs";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { createSemaphore } from "../base/index.ts";
import { connectDevtools, type DevtoolsClient } from "./devtools-client.ts";
import { carryDevtools, type DevtoolsPair } from "./devtools-pair.ts";
import { acceptKey } from "./websocket-frames.ts";

export interface DevtoolsGatewayOptions {
  /** The socket that is created, for this user only. */
  socketPath: string;
  /** Where the browser's own debugging port is reached. */
  browserSocket: string;
  /** Called for everything that passes, in either direction. */
  onTraffic(): void;
  /** Called when the last client has gone. */
  onClientsGone?: (() => void) | undefined;
  /** Called with the method of each command of a client. */
  onCommand?: ((method: string) => void) | undefined;
  /** Ends the wait for a browser that does not answer yet. */
  signal: AbortSignal;
}

export interface DevtoolsGateway {
  /** Clients that are connected now, without the server's own connections. */
  countClients(): number;
  /** A connection of the server's own, past the rules; it does not count as traffic. */
  connectInside(): Promise<DevtoolsClient>;
  /** Closes every connection properly. */
  close(): Promise<void>;
}

const maxClients = 16;
const pingMs = 30_000;
const answerMs = 10_000;
const startPollMs = 50;

export async function openDevtoolsGateway(options: DevtoolsGatewayOptions): Promise<DevtoolsGateway> {
  const pairs = new Set<DevtoolsPair>();
  const largeCommands = createSemaphore({ places: 1 });
  let joining = 0;
  const server = createServer({ requestTimeout: answerMs }, (request, response) => {
    answer(options.browserSocket, request, response);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    joining += 1;
    join(request, socket, head)
      .catch(() => socket.destroy())
      .finally(() => {
        joining -= 1;
      });
  });

  async function join(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const key = request.headers["sec-websocket-key"] ?? "";
    if (!/^[\w+/]{22}==$/.test(key)) return refuse(client, "400 Bad Request");
    if (pairs.size + joining > maxClients) return refuse(client, "429 Too Many Requests");
    const path = await browserPath(options.browserSocket, request.url ?? "/");
    if (path === null) return refuse(client, "404 Not Found");
    const browser = await openBrowserEnd(options.browserSocket, path);
    client.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptKey(key)}\r\n\r\n`,
    );
    if (head.length > 0) client.unshift(head);
    const pair = carryDevtools({
      client,
      browser,
      onTraffic: options.onTraffic,
      onCommand: options.onCommand,
      takeTurn: largeCommands.acquire,
    });
    pairs.add(pair);
    void pair.ended.then(() => {
      pairs.delete(pair);
      if (pairs.size + joining === 0) options.onClientsGone?.();
    });
  }

  await answers(options);
  const pings = setInterval(() => {
    for (const pair of pairs) pair.ping();
  }, pingMs).unref();
  await new Promise<void>((ready, fail) => {
    server.once("error", fail);
    server.listen(options.socketPath, ready);
  });
  chmodSync(options.socketPath, 0o600);
  return {
    countClients: () => pairs.size + joining,
    async connectInside() {
      const path = await browserPath(options.browserSocket, "/");
      return connectDevtools(options.browserSocket, path ?? "/");
    },
    async close() {
      clearInterval(pings);
      for (const pair of pairs) pair.end();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
}

/** The browser's end of a WebSocket, after the handshake. */
function openBrowserEnd(socketPath: string, path: string): Promise<Duplex> {
  const headers = {
    host: "localhost",
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
  };
  return new Promise((done, fail) => {
    const asked = get({ socketPath, path, headers, timeout: answerMs });
    asked.once("upgrade", (_answer, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      done(socket);
    });
    asked.once("response", (from) => {
      from.resume();
      fail(new Error("the browser has no such end"));
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", fail);
  });
}

const readablePaths = new Set(["/json", "/json/list", "/json/version", "/json/protocol"]);

function answer(browserSocket: string, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? "").replace(/\/$/, "");
  if (request.method !== "GET" || !readablePaths.has(path)) {
    response.writeHead(404).end();
    return;
  }
  const piped = ask(browserSocket, path).then((from) => {
    response.writeHead(from.statusCode ?? 502, { "content-type": "application/json; charset=utf-8" });
    return pipeline(from, response);
  });
  piped.catch(() => response.destroy());
}

/** The path of the browser's own end; "/" is the browser as a whole, whose name there changes with every start. */
async function browserPath(browserSocket: string, asked: string): Promise<string | null> {
  const path = asked.split("?", 1)[0] ?? "";
  if (/^\/devtools\/(browser|page)\/[\w-]+$/.test(path)) return path;
  if (path !== "/" && path !== "/devtools/browser") return null;
  const { webSocketDebuggerUrl } = JSON.parse(await read(browserSocket, "/json/version"));
  return new URL(webSocketDebuggerUrl).pathname;
}

/** Resolves when the browser answers. */
async function answers({ browserSocket, signal }: DevtoolsGatewayOptions): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await read(browserSocket, "/json/version");
      return;
    } catch {
      await setTimeout(startPollMs, undefined, { signal });
    }
  }
}

const maxVersionBytes = 64 * 1024;

async function read(socketPath: string, path: string): Promise<string> {
  let text = "";
  for await (const piece of (await ask(socketPath, path)).setEncoding("utf8")) {
    text += piece;
    if (text.length > maxVersionBytes) throw new Error("too long an answer");
  }
  return text;
}

/** The head of the browser's answer; the body fails when it takes too long. */
function ask(socketPath: string, path: string): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const asked = get({ socketPath, path, headers: { host: "localhost" }, timeout: answerMs }, done);
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", fail);
  });
}
