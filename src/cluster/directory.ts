// Which servers of this installation live, as the store knows: each says every few seconds that it does. A store that no
// other process can share has no such rows, and nothing runs for it.
import { type Clock, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { NodeRow, Store } from "../store/index.ts";

/** "all" does everything; "browser" renders pages and holds sessions for the others. */
export type Role = "all" | "api" | "worker" | "browser";

/** What a server says of itself. */
export interface NodeFacts {
  hasBrowser: boolean;
  hasSessions: boolean;
  /** Pages and sessions in its browsers. */
  load: number;
}

export interface Directory {
  /** The other servers that live. */
  others(): readonly NodeRow[];
  /** Also one that has only just come. */
  find(id: string): Promise<NodeRow | null>;
  /** Reads the store now, for what has only just come. */
  look(): Promise<void>;
  /** It does not answer: it is left out until it has said again that it lives. */
  doubt(node: NodeRow): void;
  /** `facts`: what this server says of itself, asked each time. */
  start(url: string, facts: () => NodeFacts): Promise<void>;
  stop(): Promise<void>;
}

export interface DirectoryDeps {
  store: Pick<Store, "nodes">;
  clock: Clock;
  id: string;
  role: Role;
  onError(error: unknown): void;
}

const beatMs = 3 * secondMs;
const silentMs = 12 * secondMs;

export function createDirectory({ store, clock, id, role, onError }: DirectoryDeps): Directory {
  let rows: NodeRow[] = [];
  let beats: Repetition | null = null;
  let looking: Promise<void> | null = null;
  const doubted = new Map<string, number>();

  const isThere = ({ id: other, seenAt }: NodeRow) =>
    other !== id && seenAt > clock.now() - silentMs && seenAt > (doubted.get(other) ?? 0);

  async function read(): Promise<void> {
    rows = await store.nodes.listSince(clock.now() - silentMs);
    for (const [other, at] of doubted) if (at < clock.now() - silentMs) doubted.delete(other);
  }

  function look(): Promise<void> {
    looking ??= read().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function beat(url: string, facts: NodeFacts): Promise<void> {
    const now = clock.now();
    await store.nodes.note({ id, role, url, ...facts, seenAt: now }, now - silentMs);
    await look();
  }

  return {
    others: () => rows.filter(isThere),
    async find(other) {
      const known = () => rows.find((row) => row.id === other && isThere(row)) ?? null;
      if (known() === null) await look();
      return known();
    },
    look,
    doubt: ({ id: other, seenAt }) => void doubted.set(other, seenAt),
    async start(url, facts) {
      await beat(url, facts()).catch(onError);
      beats = repeat(beatMs, () => beat(url, facts()), onError);
    },
    async stop() {
      if (beats === null) return;
      await beats.stop();
      beats = null;
      await store.nodes.remove(id).catch(onError);
    },
  };
}
