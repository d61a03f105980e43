// Which servers of this installation live, as the store knows: each notes every few seconds that it does. A store that no
// other process can share has no such rows, and nothing runs for it.
import { type Clock, type Repetition, repeat, secondMs } from "../base/index.ts";
import type { NodeRow, Store } from "../store/index.ts";

/** "all" does everything; "browser" renders pages and holds sessions for the others. */
export type Role = "all" | "api" | "worker" | "browser";

interface DirectoryDeps {
  store: Pick<Store, "nodes">;
  clock: Clock;
  id: string;
  role: Role;
  onError(error: unknown): void;
}

/** What a server notes of itself. `load`: pages and sessions in its browsers. */
type NodeFacts = Pick<NodeRow, "hasBrowser" | "hasSessions" | "load">;

const beatMs = 3 * secondMs;
const silentMs = 12 * secondMs;

export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory({ store, clock, id, role, onError }: DirectoryDeps) {
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

  /** Reads the store now, for servers that have only just started. */
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
    look,

    /** The other servers that live. */
    others: (): readonly NodeRow[] => rows.filter(isThere),

    /** Also one that has only just started. */
    async find(other: string): Promise<NodeRow | null> {
      const known = () => rows.find((row) => row.id === other && isThere(row)) ?? null;
      if (known() === null) await look();
      return known();
    },

    /** It does not answer: it is left out until it has noted again that it lives. */
    doubt: ({ id: other, seenAt }: NodeRow) => void doubted.set(other, seenAt),

    /** `facts`: what this server notes of itself, asked each time. */
    async start(url: string, facts: () => NodeFacts): Promise<void> {
      await beat(url, facts()).catch(onError);
      beats = repeat(beatMs, () => beat(url, facts()), onError);
    },

    async stop(): Promise<void> {
      if (beats === null) return;
      await beats.stop();
      beats = null;
      await store.nodes.remove(id).catch(onError);
    },
  };
}
