// API keys. Only the hash is kept: a key has full entropy, so a plain hash cannot be guessed back.
import { type Clock, newId, newKey, sha256 } from "../base/index.ts";
import type { ListedKey, NewKey, Store } from "../store/index.ts";
import type { KeyHolder } from "./caller.ts";
import { defaultTeamName, type Teams } from "./teams.ts";

export interface ConfiguredKey {
  team: string;
  key: string;
  requestsPerMinute: number | null;
}

/** Keys that we make have 35 characters; what an operator sets may have any number. */
const shortKeyLength = 16;

/** Shown in listings; a short key shows nothing, because four characters would be too much of it. */
function lastFourOf(key: string): string {
  return key.length < shortKeyLength ? "" : key.slice(-4);
}

export type Keys = ReturnType<typeof createKeys>;

export function createKeys({ store, clock, teams }: { store: Store; clock: Clock; teams: Teams }) {
  /** Times of last use wait here and are written together: a write per request would cost more than the request. */
  const lastUsed = new Map<string, number>();
  const recent = createRecentHolders(clock);

  /** null when the key exists already. */
  async function insert(teamId: string, name: string, key: string): Promise<NewKey | null> {
    const now = clock.now();
    const record = { id: newId(now), teamId, name, hash: sha256(key), lastFour: lastFourOf(key), createdAt: now };
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

    /** The key's text is in this answer and nowhere else. */
    async create(teamId: string, name: string): Promise<{ key: string; id: string }> {
      const key = newKey();
      const record = await insert(teamId, name, key);
      if (!record) throw new Error("a new key collided with an old one");
      return { key, id: record.id };
    },

    /**
     * Makes the keys of TRAWL_API_KEYS that are missing and sets their teams' limits; the last entry of a team wins.
     * Returns what the operator should know about entries that do not do what they seem to.
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
          warnings.push(`${place} is a key of the team ${stored.teamName} already.`);
        if (stored && stored.revokedAt !== null) warnings.push(`${place} is a revoked key and stays refused.`);
        if (entry.key.length < shortKeyLength) warnings.push(`${place} is short enough to be guessed.`);
      }
      for (const [teamId, limit] of limits) await teams.setRequestsPerMinute(teamId, limit);
      return warnings;
    },

    /** On a store without any key: makes the first one and tells it. */
    async createFirst(): Promise<string | null> {
      if ((await store.keys.count()) > 0) return null;
      const team = await teams.findOrCreate(defaultTeamName);
      return (await this.create(team.id, "Default")).key;
    },

    /** By id, by the key itself, or by its last four characters where only one active key ends so. */
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

    /** null: nobody's key, or a revoked one. */
    async identify(token: string): Promise<KeyHolder | null> {
      const hash = sha256(token);
      const known = recent.find(hash) ?? (await findHolder(hash));
      if (known) lastUsed.set(known.keyId, clock.now());
      return known;
    },

    /** Writes the times of last use noted since the last call. */
    async flushLastUsed(): Promise<void> {
      if (lastUsed.size === 0) return;
      const uses = Array.from(lastUsed, ([id, at]) => ({ id, at }));
      await store.keys.markUsed(uses);
      for (const { id, at } of uses) if (lastUsed.get(id) === at) lastUsed.delete(id);
    },
  };
}

/** A key is looked up once in this time, however many requests it sends; a key that another process revokes lives on as long. */
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
