// Keeps connections warm: one pool per origin and kind. The kind is part of the key because a socket that was opened
// without verification, to an origin only the operator may use, or through one proxy, must never carry another kind of request.
import { setMaxListeners } from "node:events";
import { Pool } from "undici";
import type { Connect } from "./connector.ts";
import { NetError } from "./outcome.ts";
import type { Upstream } from "./upstream.ts";

export interface PoolKind {
  skipTlsVerification: boolean;
  isTrusted: boolean;
  /** The proxy that its connections go through; null: none. */
  upstream: Upstream | null;
}

export interface PoolEntry {
  pool: Pool;
  /** Connections begun so far: unchanged since a request began means that it rode on an old one. */
  dials: number;
  /** A connection led into private space; kept ones may still, so it stays true for the life of the pool. */
  isPrivate: boolean;
}

export interface Pools {
  get(origin: string, kind: PoolKind): PoolEntry;
  /** Nothing more will be asked through this proxy: its connections end with their last request. */
  forget(upstream: Upstream): void;
  close(): Promise<void>;
}

export interface PoolsOptions {
  idleMs: number;
  headBytes: number;
}

const maxPools = 512;
const maxConnections = 64;
const keepAliveMs = 4000;

export function createPools(
  createConnector: (kind: PoolKind, closing: AbortSignal) => Connect,
  options: PoolsOptions,
): Pools {
  const closer = new AbortController();
  // Every dial listens while it lasts, and many may last at once.
  setMaxListeners(0, closer.signal);
  const connectors = new Map<string, Connect>();
  const entries = new Map<string, PoolEntry>();
  const proxyIds = new Map<Upstream, number>();
  let proxyCount = 0;
  /** Pushed out by newer ones; they end with their last request. */
  const leaving = new Set<Pool>();

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

  function create(origin: string, connector: Connect): PoolEntry {
    const pool = new Pool(origin, {
      connections: maxConnections,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      bodyTimeout: options.idleMs,
      // The whole request's deadline is its signal.
      headersTimeout: 0,
      maxHeaderSize: options.headBytes,
      connect: (target, callback) => {
        entry.dials += 1;
        connector(target, callback, () => {
          entry.isPrivate = true;
        });
      },
    });
    const entry: PoolEntry = { pool, dials: 0, isPrivate: false };
    return entry;
  }

  function retire(pool: Pool): void {
    leaving.add(pool);
    const forget = () => leaving.delete(pool);
    pool.close().then(forget, forget);
  }

  return {
    get(origin, kind) {
      if (closer.signal.aborted) throw new NetError("ABORTED", "This server is stopping");
      const kindKey = kindKeyOf(kind);
      const key = `${kindKey} ${origin}`;
      const entry = entries.get(key) ?? create(origin, connectorOf(kind, kindKey));
      // The map's order is the order of use: the first is the one that rested longest.
      entries.delete(key);
      entries.set(key, entry);
      const oldest = entries.size > maxPools ? entries.entries().next().value : undefined;
      if (oldest !== undefined) {
        entries.delete(oldest[0]);
        retire(oldest[1].pool);
      }
      return entry;
    },
    forget(upstream) {
      const id = proxyIds.get(upstream);
      if (id === undefined) return;
      proxyIds.delete(upstream);
      const isIts = (key: string) => key.split(" ")[2] === String(id);
      for (const key of [...connectors.keys()].filter(isIts)) connectors.delete(key);
      for (const [key, entry] of entries) {
        // Of a pool without a proxy, the third word is its origin.
        if (!isIts(key)) continue;
        entries.delete(key);
        retire(entry.pool);
      }
    },
    async close() {
      closer.abort();
      const all = [...[...entries.values()].map((entry) => entry.pool), ...leaving];
      entries.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}
