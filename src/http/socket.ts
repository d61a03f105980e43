// WebSockets: every WS row of the table, on the path of its GET row. It is a second fastify that never listens
// and is created at the first handshake, so that a server without WebSocket clients loads neither its code (3 MB) nor its hooks.
import { EventEmitter } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { type Logger, secondMs } from "../base/index.ts";
import { type Endpoint, endpoints } from "../contract/index.ts";
import type { createBrowserAddress } from "./browser-address.ts";
import type { DevtoolsTunnels } from "./devtools.ts";
import { addLiveViewSocket, type LiveViewDeps } from "./live-view-route.ts";
import { headOf, type NodeFace } from "./node-face.ts";
import { type RouteDeps, routerPath } from "./routes.ts";
import { startWatch, type Watch } from "./watch.ts";

type BrowserAddress = ReturnType<typeof createBrowserAddress>;

export interface SocketDeps extends RouteDeps, Partial<LiveViewDeps> {
  log: Logger;
  /** Accepts the handshakes that are for the browser of a session. */
  devtools: DevtoolsTunnels | null;
  /** Admits tools that come with one URL and no session; null where that is off. */
  address: BrowserAddress | null;
  /** Absent where no other server shares the store. */
  nodes: NodeFace | null;
  /** False: the sockets of sessions only. */
  hasApi?: boolean;
  /** A fastify with our headers, guards and errors, and without routes. */
  createApp(): FastifyInstance;
}

export interface SocketFace {
  /** Accepts the handshakes that arrive at a server. */
  attach(server: Server): void;
  /** Closes all connections; resolves when they and the work for them have ended, or at `cut()`. */
  close(): Promise<void>;
  /** Drops all connections at once. */
  cut(): void;
}

const socketOptions = {
  /** Clients have nothing to send. */
  maxPayload: 16 * 1024,
  /** A peer that does not answer our close frame in this time is dropped. */
  closeTimeout: 2 * secondMs,
  /** We answer pings ourselves: a peer that pings and never reads would fill our memory with the answers. */
  autoPong: false,
};

/** Any other Upgrade header is ignored: many HTTP clients offer `h2c` with each request. */
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
    // A worker has no sockets and does without the package.
    const { default: websocket } = await import("@fastify/websocket");
    const created = deps.createApp();
    await created.register(websocket, {
      options: { ...socketOptions, server: handshakes as Server },
      // The peer broke the protocol or the connection; the socket closes itself.
      errorHandler: (error, _socket, request) =>
        request.log.debug({ requestId: request.id, err: error }, "WebSocket failed"),
      preClose: (done: () => void) => done(),
    });
    const rows = deps.hasApi === false ? [] : (endpoints as readonly Endpoint[]);
    for (const row of rows.filter(({ method }) => method === "WS")) {
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
    // Node no longer handles the connection: a reset while the app is being created must not end the process.
    const drop = () => void socket.destroy();
    socket.on("error", drop);
    if (isClosing) return drop();
    try {
      app ??= createApp();
      await app;
    } catch (error) {
      app = null;
      deps.log.error({ err: error }, "cannot serve WebSockets");
      return drop();
    }
    if (isClosing || socket.destroyed) return drop();
    handshakes.emit("upgrade", request, socket, head);
    socket.off("error", drop);
  }

  async function shake(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (deps.address?.isFor(request)) {
      const admitted = await deps.address.admit(request, socket);
      if (admitted) await shake(admitted, socket, head);
      return;
    }
    if (await deps.nodes?.carry(request, socket, head)) return;
    if (deps.devtools?.isFor(request)) await deps.devtools.accept(request, socket, head);
    else await accept(request, socket, head);
  }

  return {
    attach(server) {
      server.on("upgrade", (request, socket, head) => {
        if (deps.nodes?.isFor(request)) void deps.nodes.accept(server, request, socket, head);
        else if (!isHandshake(request)) ignoreUpgrade(server, request, socket, head);
        else void shake(request, socket, head);
      });
    },
    async close() {
      isClosing = true;
      for (const watch of watches) watch.stop();
      await Promise.race([Promise.all([...watches].map(({ ended }) => ended)), isCut]);
      // A failure to create it was logged when it was needed.
      await (await app?.catch(() => null))?.close();
      clearInterval(pings);
    },
    cut() {
      for (const watch of watches) watch.cut();
      deps.devtools?.cut();
      deps.nodes?.cut();
      markCut();
    },
  };
}

/**
 * Hands the connection back with the request as it would be without its Upgrade header, as RFC 9110 (7.8) allows.
 * Node 20 stops reading every such request once there is an upgrade listener; later versions ask
 * `shouldUpgradeCallback` first and never get here.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.unshift(Buffer.concat([headOf(request, { upgrade: null }), head]));
  server.emit("connection", socket);
}
