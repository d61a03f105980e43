// The WebSocket face: every WS row of the table, on the path of its GET row. It is a second fastify that never listens
// and is made at the first handshake, so that a server nobody watches carries neither its code (3 MB) nor its hooks.
import { EventEmitter } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type Logger, secondMs } from "../base/index.ts";
import { type Endpoint, endpoints } from "../contract/index.ts";
import type { DevtoolsTunnels } from "./devtools.ts";
import { addLiveViewSocket, type LiveViewDeps } from "./live-view.ts";
import { type RouteDeps, routerPath } from "./routes.ts";
import { startWatch, type Watch } from "./watch.ts";

export interface SocketDeps extends RouteDeps, Partial<LiveViewDeps> {
  log: Logger;
  /** Takes the handshakes that are for the browser of a session. */
  devtools: DevtoolsTunnels | null;
  /** A fastify with our headers, guards and errors, and without routes. */
  createApp(): FastifyInstance;
}

export interface SocketFace {
  /** Takes the handshakes that arrive at a server. */
  attach(server: Server): void;
  /** Says goodbye to all watchers; resolves when they and the work for them have ended, or at `cut()`. */
  close(): Promise<void>;
  /** Ends at once what has not ended. */
  cut(): void;
}

const socketOptions = {
  /** Watchers have nothing to say. */
  maxPayload: 16 * 1024,
  /** A peer that does not answer our close frame in this time is cut. */
  closeTimeout: 2 * secondMs,
  /** We answer pings ourselves: a peer that pings and never reads would fill our memory with the answers. */
  autoPong: false,
};

/** Of every other request that names an Upgrade the name is ignored: many HTTP clients offer `h2c` with each request. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

export function createSocketFace(deps: SocketDeps, pingIntervalMs: number): SocketFace {
  const watches = new Set<Watch>();
  const handshakes = new EventEmitter();
  let app: Promise<FastifyInstance> | null = null;
  let isClosing = false;
  let markCut = () => {};
  const isCut = new Promise<void>((done) => {
    markCut = done;
  });
  let pings: NodeJS.Timeout | undefined;

  async function createApp(): Promise<FastifyInstance> {
    const { default: websocket } = await import("@fastify/websocket");
    const created = deps.createApp();
    await created.register(websocket, {
      options: { ...socketOptions, server: handshakes as Server },
      // The peer broke the protocol or the connection; the socket closes itself.
      errorHandler: (error, _socket, request) =>
        request.log.debug({ requestId: request.id, err: error }, "socket failed"),
      preClose: (done: () => void) => done(),
    });
    created.decorateRequest("holder", null);
    for (const row of (endpoints as readonly Endpoint[]).filter(({ method }) => method === "WS")) {
      created.get(routerPath(row.path), { websocket: true }, (socket, request) => {
        take(startWatch(socket, request, row, deps));
      });
    }
    if (deps.openLiveView) addLiveViewSocket(created, { openLiveView: deps.openLiveView }, take);
    await created.ready();
    pings ??= setInterval(() => {
      for (const watch of watches) watch.ping();
    }, pingIntervalMs).unref();
    return created;
  }

  function take(watch: Watch): void {
    watches.add(watch);
    void watch.ended.then(() => watches.delete(watch));
    if (isClosing) watch.stop();
  }

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Node has let go of the connection: its reset while the face is being made must not end the process.
    const drop = () => void socket.destroy();
    socket.on("error", drop);
    if (isClosing) return drop();
    try {
      app ??= createApp();
      await app;
    } catch (error) {
      app = null;
      deps.log.error({ err: error }, "sockets cannot be served");
      return drop();
    }
    if (isClosing || socket.destroyed) return drop();
    handshakes.emit("upgrade", request, socket, head);
    socket.off("error", drop);
  }

  return {
    attach(server) {
      server.on("upgrade", (request, socket, head) => {
        if (!isHandshake(request)) ignoreUpgrade(server, request, socket, head);
        else if (deps.devtools?.isFor(request)) void deps.devtools.accept(request, socket, head);
        else void accept(request, socket, head);
      });
    },
    async close() {
      isClosing = true;
      for (const watch of watches) watch.stop();
      await Promise.race([Promise.all([...watches].map(({ ended }) => ended)), isCut]);
      // One that could not be made has said so when it was asked for.
      await (await app?.catch(() => null))?.close();
      clearInterval(pings);
    },
    cut() {
      for (const watch of watches) watch.cut();
      deps.devtools?.cut();
      markCut();
    },
  };
}

/**
 * Hands the connection back with the request as it would be without its Upgrade header, as RFC 9110 (7.8) allows.
 * Node 20 gives up reading every such request once somebody listens for upgrades; later versions ask
 * `shouldUpgradeCallback` first and never come here.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = "", value] = request.rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
