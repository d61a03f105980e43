// Encrypted connections through the browser's proxy: a tunnel to one host, whose bytes are only counted.
import type { Socket } from "node:net";
import type { ProxyChannel, ProxyNotes } from "./browser-channels.ts";
import { proxiedTarget } from "./company-proxy.ts";
import type { Connect } from "./connector.ts";
import { bareHost, portOf } from "./guard.ts";
import { NetError } from "./outcome.ts";
import { refusedTarget } from "./proxy-forward.ts";
import { tooLarge } from "./response-body.ts";
import type { Upstream } from "./upstreams.ts";

export interface TunnelDeps {
  connectThrough(upstream: Upstream | null): Connect;
  /** Of one answer. */
  maxBytes: number;
  /** Open connections, closed with the proxy. */
  sockets: Set<Socket>;
  /** Throws when the URL is not allowed. */
  requireAllowed(url: string): URL;
}

/** A tunnel carries many answers of one host, and web sockets that may be silent for long. */
const answersPerTunnel = 4;
const tunnelIdleMs = 120_000;

interface TunnelRequest {
  authority: string;
  client: Socket;
  head: Buffer;
}

export function tunnel(deps: TunnelDeps, channel: ProxyChannel, { authority, client, head }: TunnelRequest): void {
  const text = `https://${authority}/`;
  const { notes } = channel;
  const refuse = (error: unknown) => {
    notes.failed(text, error);
    client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  };
  let url: URL;
  try {
    url = deps.requireAllowed(text);
  } catch (error) {
    refuse(error);
    return;
  }
  const target = { hostname: bareHost(url.hostname), port: String(portOf(url)), protocol: "http:" };
  const route = channel.route(proxiedTarget(url));
  const open = () => {
    let connect: Connect;
    try {
      connect = deps.connectThrough(route.upstream(proxiedTarget(url)));
    } catch (error) {
      refuse(error);
      return;
    }
    connect(
      target,
      (error, upstream) => {
        if (upstream === null && route.canPassOn(error) && !client.destroyed) open();
        else if (upstream === null) refuse(error);
        else if (client.destroyed) upstream.destroy();
        else join({ ...deps, notes }, text, client, upstream, head);
      },
      () => notes.wentPrivate(text),
    );
  };
  const { permits } = channel;
  if (permits === undefined) {
    open();
    return;
  }
  const decide = (isPermitted: boolean) => {
    if (isPermitted) open();
    else refuse(new NetError("URL_NOT_ALLOWED", refusedTarget));
  };
  permits(text).then(decide, refuse);
}

interface JoinDeps extends Pick<TunnelDeps, "maxBytes" | "sockets"> {
  notes: ProxyNotes;
}

function join({ notes, maxBytes, sockets }: JoinDeps, text: string, client: Socket, upstream: Socket, head: Buffer) {
  const maxTunnelBytes = answersPerTunnel * maxBytes;
  sockets.add(upstream);
  notes.connected(text);
  const end = () => {
    client.destroy();
    upstream.destroy();
  };
  for (const socket of [client, upstream]) {
    socket.on("error", end);
    socket.on("close", end);
    socket.setTimeout(tunnelIdleMs, end);
  }
  upstream.on("close", () => sockets.delete(upstream));
  let bytes = 0;
  upstream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxTunnelBytes) return;
    notes.failed(text, tooLarge(maxTunnelBytes));
    end();
  });
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) upstream.write(head);
  upstream.pipe(client);
  client.pipe(upstream);
}
