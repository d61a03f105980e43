// API keys. Only the hash is stored: a key has full entropy, so a plain hash cannot be reversed.
import { type Clock, newId, newKey, sha256 } from "../base/index.ts";
import type { ListedKey, NewKey, Store } from "../store/index.ts";
import type { KeyHolder } from "./caller.ts";
import { defaultTeamName, type Teams } from "./teams.ts";

export interface ConfiguredKey {
  team: string;
  key: string;
  requestsPerMinute: number | null;
}

/** Null or absent: only the limits of its team apply. */
export type KeyLimits = Pick<NewKey, "requestsPerMinute" | "creditsPerMonth">;

/** Generated keys have 35 characters; keys that an operator sets may have any length. */
const shortKeyLength = 16;

/** Shown in listings; nothing for a short key, because four characters would reveal too much of it. */
function lastFourOf(key: string): string {
  return key.length < shortKeyLength ? "" : key.slice(-4);
}

export type Keys = ReturnType<typeof createKeys>;

export function createKeys({ store, clock, teams }: { store: Store; clock: Clock; teams: Teams }) {
  /** Times of last use are collected here and written together: a write per request would cost more than the request. */
  const lastUsed = new Map<string, number>();
  const recent = createRecentHolders(clock);

  /** null when the key already exists. */
  async function insert(teamId: string, name: string, key: string, limits: KeyLimits = {}): Promise<NewKey | null> {
    const now = clock.now();
    const hash = sha256(key);
    const record = { id: newId(now), teamId, name, hash, lastFour: lastFourOf(key), createdAt: now, ...limits };
    return (await store.keys.insert(record)) ? record : null;
  }

  async function findHolder(hash: string): Promise<RememberedHolder | null> {
    const found = await store.keys.findByHash(hash);
    if (!found || found.revokedAt !== null) return null;
    const { revokedAt: _, ...holder } = found;
    recent.keep(hash, holder);
    return holder;
  }

  return {
    list: (teamId?: string) => store.keys.list(teamId),

    /** The key itself is in this result and nowhere else. */
    async create(teamId: string, name: string, limits: KeyLimits = {}): Promise<{ key: string; id: string }> {
      const key = newKey();
      const record = await insert(teamId, name, key, limits);
      if (!record) throw new Error("a new key collided with an old one");
      return { key, id: record.id };
    },

    /**
     * Creates the missing keys of TRAWL_API_KEYS and sets the limits of their teams; the last entry of a team wins.
     * Returns warnings about entries that do not do what they seem to.
     */
    async createConfigured(entries: readonly ConfiguredKey[]): Promise<string[]> {
      const limits = new Map<string, number | null>();
      const warnings: string[] = [];
      for (const [index, entry] of entries.entries()) {
        const team = await teams.findOrCreate(entry.team);
        await insert(team.id, `env-${index + 1}`, entry.key);
        limits.set(team.id, entry.requestsPerMinute);
        const place = `Entry ${index + 1} of TRAWL_API_KEYS`;
        const stored = await store.keys.findByHash(sha256(entry.key));
        if (stored && stored.teamId !== team.id)
          warnings.push(`${place} is already a key of the team ${stored.teamName}.`);
        if (stored && stored.revokedAt !== null) warnings.push(`${place} is a revoked key and stays revoked.`);
        if (entry.key.length < shortKeyLength) warnings.push(`${place} is too short to be secure.`);
      }
      for (const [teamId, limit] of limits) await teams.setRequestsPerMinute(teamId, limit);
      return warnings;
    },

    /** Creates and returns the first key of a database without keys. */
    async createFirst(): Promise<string | null> {
      if ((await store.keys.count()) > 0) return null;
      const team = await teams.findOrCreate(defaultTeamName);
      return (await this.create(team.id, "Default")).key;
    },

    /** By id, by the key itself, or by its last four characters if they are unique. */
    async revoke(which: string): Promise<ListedKey | null> {
      const active = (await store.keys.list()).filter((key) => key.revokedAt === null);
      const hash = sha256(which);
      const exact = active.find((key) => key.id === which || key.hash === hash);
      const ending = active.filter((key) => which !== "" && key.lastFour === which);
      const key = exact ?? (ending.length === 1 ? ending[0] : undefined);
      if (!key) return null;
      await store.keys.revoke(key.id, clock.now());
      recent.forget();
      return key;
    },

    /** A key of this team; false when it has no such key, or it was revoked before. */
    async revokeOfTeam(teamId: string, id: string): Promise<boolean> {
      const key = (await store.keys.list(teamId)).find((each) => each.id === id);
      const isRevoked = key !== undefined && (await store.keys.revoke(id, clock.now()));
      recent.forget();
      return isRevoked;
    },

    /** null: unknown or revoked. */
    async identify(token: string): Promise<KeyHolder | null> {
      const hash = sha256(token);
      const known = recent.find(hash) ?? (await findHolder(hash));
      if (known) lastUsed.set(known.keyId, clock.now());
      return known;
    },

    /** Writes the times of last use collected since the last call. */
    async flushLastUsed(): Promise<void> {
      if (lastUsed.size === 0) return;
      const uses = Array.from(lastUsed, ([id, at]) => ({ id, at }));
      await store.keys.markUsed(uses);
      for (const { id, at } of uses) if (lastUsed.get(id) === at) lastUsed.delete(id);
    },
  };
}

/** A key is looked up once in this time, however many requests use it; a key revoked by another process stays valid as long. */
const rememberedMs = 100;

type RememberedHolder = KeyHolder & { keyId: string };

function createRecentHolders(clock: Clock) {
  let since = 0;
  const holders = new Map<string, RememberedHolder>();
  return {
    find(hash: string): RememberedHolder | null {
      if (Math.abs(clock.now() - since) > rememberedMs) holders.clear();
      return holders.get(hash) ?? null;
    },
    keep(hash: string, holder: RememberedHolder): void {
      if (holders.size === 0) since = clock.now();
      holders.set(hash, holder);
    },
    forget(): void {
      holders.clear();
    },
  };
}
