// Keeps connections warm: one client per origin and kind. The kind is part of the key because a socket that was opened
// without verification, to an origin only the operator may use, or through one proxy, must never carry another kind of request.
import { setMaxListeners } from "node:events";
import type { Connect } from "./connector.ts";
import { OriginClient } from "./origin-client.ts";
import { NetError } from "./outcome.ts";
import type { Upstream } from "./upstreams.ts";

export interface PoolKind {
  skipTlsVerification: boolean;
  isTrusted: boolean;
  /** The proxy that its connections go through; null: none. */
  upstream: Upstream | null;
}

export type Pools = ReturnType<typeof createPools>;

export interface PoolsOptions {
  idleMs: number;
  headBytes: number;
}

const maxPools = 512;

export function createPools(createConnector: (kind: PoolKind, closing: AbortSignal) => Connect, options: PoolsOptions) {
  const closer = new AbortController();
  // Every dial listens while it lasts, and many may last at once.
  setMaxListeners(0, closer.signal);
  const connectors = new Map<string, Connect>();
  const clients = new Map<string, OriginClient>();
  const proxyIds = new Map<Upstream, number>();
  let proxyCount = 0;
  /** Pushed out by newer ones; they end with their last request. */
  const leaving = new Set<OriginClient>();

  function connectorOf(kind: PoolKind, key: string): Connect {
    const connector = connectors.get(key) ?? createConnector(kind, closer.signal);
    connectors.set(key, connector);
    return connector;
  }

  function kindKeyOf({ skipTlsVerification, isTrusted, upstream }: PoolKind): string {
    const how = `${skipTlsVerification ? "lax" : "strict"} ${isTrusted ? "trusted" : "guarded"}`;
    if (upstream === null) return how;
    const id = proxyIds.get(upstream) ?? ++proxyCount;
    proxyIds.set(upstream, id);
    return `${how} ${id}`;
  }

  function create(origin: string, kind: PoolKind, kindKey: string): OriginClient {
    // Services of the operator get HTTP/1.1, as ever.
    return new OriginClient(origin, connectorOf(kind, kindKey), { ...options, offersHttp2: !kind.isTrusted });
  }

  function retire(client: OriginClient): void {
    leaving.add(client);
    const forget = () => leaving.delete(client);
    client.close().then(forget, forget);
  }

  return {
    get(origin: string, kind: PoolKind): OriginClient {
      if (closer.signal.aborted) throw new NetError("ABORTED", "This server is stopping");
      const kindKey = kindKeyOf(kind);
      const key = `${kindKey} ${origin}`;
      const client = clients.get(key) ?? create(origin, kind, kindKey);
      // The map's order is the order of use: the first is the one that rested longest.
      clients.delete(key);
      clients.set(key, client);
      const oldest = clients.size > maxPools ? clients.entries().next().value : undefined;
      if (oldest !== undefined) {
        clients.delete(oldest[0]);
        retire(oldest[1]);
      }
      return client;
    },
    /** No more requests go through this proxy: its connections end with their last one. */
    forget(upstream: Upstream): void {
      const id = proxyIds.get(upstream);
      if (id === undefined) return;
      proxyIds.delete(upstream);
      const isIts = (key: string) => key.split(" ")[2] === String(id);
      for (const key of [...connectors.keys()].filter(isIts)) connectors.delete(key);
      for (const [key, client] of clients) {
        // Of a pool without a proxy, the third word is its origin.
        if (!isIts(key)) continue;
        clients.delete(key);
        retire(client);
      }
    },
    async close(): Promise<void> {
      closer.abort();
      const all = [...clients.values(), ...leaving];
      clients.clear();
      await Promise.all(all.map((client) => client.destroy()));
    },
  };
}
