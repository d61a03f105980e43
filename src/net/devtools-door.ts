// The door to one browser's debugging port: a unix socket of ours that speaks the same HTTP and WebSocket. Every command is
// read and judged before it goes on; nothing waits in memory without a bound.
import { chmodSync } from "node:fs";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { WebSocket, WebSocketServer } from "ws";
import { connectDevtools, type DevtoolsClient } from "./devtools-client.ts";
import { type DevtoolsCommand, judgeCommand } from "./devtools-rules.ts";

export interface DevtoolsDoorOptions {
  /** Where the door is made: for this user only. */
  socketPath: string;
  /** Where the browser's own debugging port is reached. */
  browserSocket: string;
  /** Something went through. */
  onTraffic(): void;
  /** Ends the wait for a browser that does not answer yet. */
  signal: AbortSignal;
}

export interface DevtoolsDoor {
  /** A way past the rules, for ourselves; it counts as no traffic. */
  connectInside(): Promise<DevtoolsClient>;
  /** Says goodbye to everybody who is connected. */
  close(): Promise<void>;
}

const maxClients = 16;
const maxCommandBytes = 8 * 1024 * 1024;
/** Pictures of long pages come as one message. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** A side that has so much to read yet is sent nothing more until it has. */
const maxWaitingBytes = 4 * 1024 * 1024;
const pingMs = 30_000;
const closeMs = 1000;
const answerMs = 10_000;
const startPollMs = 50;
const goingAway = 1001;
const serverError = -32000;

export async function openDevtoolsDoor(options: DevtoolsDoorOptions): Promise<DevtoolsDoor> {
  const pairs = new Set<{ end(code: number): void; ping(): void }>();
  const acceptor = new WebSocketServer({
    noServer: true,
    maxPayload: maxCommandBytes,
    perMessageDeflate: false,
    // We answer pings ourselves: a peer that pings and never reads would fill our memory with the answers.
    autoPong: false,
  });
  const server = createServer({ requestTimeout: answerMs }, (request, response) => {
    answer(options.browserSocket, request, response);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    join(request, socket, head).catch(() => socket.destroy());
  });

  async function join(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = await browserPath(options.browserSocket, request.url ?? "/");
    if (path === null || pairs.size >= maxClients) {
      socket.end(`HTTP/1.1 ${path === null ? "404 Not Found" : "429 Too Many Requests"}\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    acceptor.handleUpgrade(request, socket, head, (client) => {
      const pair = carry(client, path);
      pairs.add(pair);
      void pair.ended.then(() => pairs.delete(pair));
    });
  }

  function carry(client: WebSocket, path: string) {
    const browser = new WebSocket(`ws+unix:${options.browserSocket}:${path}`, {
      maxPayload: maxAnswerBytes,
      perMessageDeflate: false,
    });
    let isAlive = true;
    const end = (code: number) => {
      for (const side of [client, browser]) {
        if (side.readyState === WebSocket.OPEN) side.close(code);
        else if (side.readyState === WebSocket.CONNECTING) side.terminate();
        void setTimeout(closeMs, undefined, { ref: false }).then(() => side.terminate());
      }
    };
    const ended = new Promise<void>((done) => client.once("close", () => done()));
    // Commands that come before the browser answers wait where they are: unread.
    client.pause();
    browser.once("open", () => client.resume());
    client.on("message", (data) => {
      isAlive = true;
      options.onTraffic();
      const refusal = passOn(String(data), browser, client);
      if (refusal !== null) send(refusal, client, client);
    });
    browser.on("message", (data: Buffer, isBinary) => {
      options.onTraffic();
      send(isBinary ? data : String(data), client, browser);
    });
    client.on("ping", (data) => {
      if (client.bufferedAmount <= maxWaitingBytes) client.pong(data);
    });
    client.on("pong", () => {
      isAlive = true;
    });
    for (const side of [client, browser]) {
      side.on("error", () => end(goingAway));
      side.on("close", () => end(goingAway));
    }
    return {
      ended,
      end,
      ping() {
        if (!isAlive) return client.terminate();
        isAlive = false;
        if (client.readyState === WebSocket.OPEN) client.ping();
      },
    };
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
    async connectInside() {
      const path = await browserPath(options.browserSocket, "/");
      return connectDevtools(options.browserSocket, path ?? "/");
    },
    async close() {
      clearInterval(pings);
      for (const pair of pairs) pair.end(goingAway);
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends a judged command to the browser; the answer to the client when it may not go there. */
function passOn(text: string, browser: WebSocket, client: WebSocket): string | null {
  let command: DevtoolsCommand;
  try {
    command = JSON.parse(text);
  } catch {
    return JSON.stringify({ error: { code: -32700, message: "A command must be JSON." } });
  }
  const judgement = judgeCommand(command ?? {});
  if ("refusal" in judgement) {
    const { id, sessionId } = command ?? {};
    return JSON.stringify({ id, sessionId, error: { code: serverError, message: judgement.refusal } });
  }
  // Written anew: what was judged is what the browser reads, whatever it makes of repeated names.
  send(JSON.stringify(judgement.command), browser, client);
  return null;
}

/** The side it came from is not read on while the other has much to read. */
function send(message: string | Buffer, to: WebSocket, from: WebSocket): void {
  if (to.readyState !== WebSocket.OPEN) return;
  to.send(message, () => {
    if (from.isPaused && to.bufferedAmount <= maxWaitingBytes) from.resume();
  });
  if (to.bufferedAmount > maxWaitingBytes) from.pause();
}

const readablePaths = new Set(["/json", "/json/list", "/json/version", "/json/protocol"]);

function answer(browserSocket: string, request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? "").replace(/\/$/, "");
  if (request.method !== "GET" || !readablePaths.has(path)) {
    response.writeHead(404).end();
    return;
  }
  const asked = get({ socketPath: browserSocket, path, headers: { host: "localhost" }, timeout: answerMs }, (from) => {
    response.writeHead(from.statusCode ?? 502, { "content-type": "application/json; charset=utf-8" });
    from.pipe(response);
  });
  asked.on("timeout", () => asked.destroy());
  asked.on("error", () => response.destroy());
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
async function answers({ browserSocket, signal }: DevtoolsDoorOptions): Promise<void> {
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

function read(socketPath: string, path: string): Promise<string> {
  return new Promise((done, fail) => {
    const asked = get({ socketPath, path, headers: { host: "localhost" }, timeout: answerMs }, (from) => {
      let text = "";
      from.setEncoding("utf8");
      from.on("data", (piece: string) => {
        text += piece;
        if (text.length > maxVersionBytes) asked.destroy(new Error("too long an answer"));
      });
      from.on("end", () => done(text));
      from.on("error", fail);
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", fail);
  });
}
