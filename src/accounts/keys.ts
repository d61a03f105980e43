// API keys. Only the hash is stored: a key has full entropy, so a plain hash cannot be reversed.
import { type Clock, newId, newKey, ServiceError, sha256 } from "../base/index.ts";
import type { KeyChange, KeyWithTeam, ListedKey, NewKey, Store } from "../store/index.ts";
import { type Actor, auditRow, systemActor } from "./audit.ts";
import type { KeyHolder } from "./caller.ts";
import { type KeyLimits, packLimits, readLimits, shownLimits } from "./key-limits.ts";
import { defaultTeamName, type Teams } from "./teams.ts";

export interface ConfiguredKey {
  team: string;
  key: string;
  requestsPerMinute: number | null;
}

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
  const { insert, revoke, change } = createKeyActs({ store, clock, recent });

  async function findHolder(hash: string): Promise<RememberedHolder | null> {
    const found = await store.keys.findByHash(hash);
    if (!found || found.revokedAt !== null) return null;
    const holder = holderOf(found);
    recent.keep(hash, holder);
    return holder;
  }

  return {
    list: (teamId?: string) => store.keys.list(teamId),

    change,

    /** The key itself is in this result and nowhere else. */
    async create(
      teamId: string,
      name: string,
      actor: Actor = systemActor,
      limits: KeyLimits = {},
    ): Promise<{ key: string; id: string }> {
      const key = newKey();
      const record = await insert({ teamId, name, actor }, key, limits);
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
        const owner = { teamId: team.id, name: `env-${index + 1}`, actor: systemActor };
        if (!(await store.keys.findByHash(sha256(entry.key)))) await insert(owner, entry.key);
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
      return (await this.create(team.id, "Default", systemActor)).key;
    },

    /** By id, by the key itself, or by its last four characters if they are unique. */
    async revoke(which: string, actor: Actor = systemActor): Promise<ListedKey | null> {
      const active = (await store.keys.list()).filter((key) => key.revokedAt === null);
      const hash = sha256(which);
      const exact = active.find((key) => key.id === which || key.hash === hash);
      const ending = active.filter((key) => which !== "" && key.lastFour === which);
      const key = exact ?? (ending.length === 1 ? ending[0] : undefined);
      if (!key) return null;
      await revoke(key, actor);
      return key;
    },

    /** A key of this team; false when it has no such key, or it was revoked before. */
    async revokeOfTeam(teamId: string, id: string, actor: Actor): Promise<boolean> {
      const key = (await store.keys.list(teamId)).find((each) => each.id === id);
      return key !== undefined && revoke(key, actor);
    },

    /** null: unknown or revoked. Throws for one that has expired. */
    async identify(token: string): Promise<KeyHolder | null> {
      const hash = sha256(token);
      const known = recent.find(hash) ?? (await findHolder(hash));
      if (!known) return null;
      const now = clock.now();
      if (known.expiresAt !== null && known.expiresAt <= now) throw new ServiceError("TOKEN_EXPIRED");
      lastUsed.set(known.keyId, now);
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

interface ActDeps {
  store: Store;
  clock: Clock;
  recent: Pick<ReturnType<typeof createRecentHolders>, "forget">;
}

/** What is done to keys, each with its row in the log. */
function createKeyActs({ store, clock, recent }: ActDeps) {
  /** null when the key already exists. */
  async function insert(
    owner: { teamId: string; name: string; actor: Actor },
    key: string,
    limits: KeyLimits = {},
  ): Promise<NewKey | null> {
    const { teamId, name, actor } = owner;
    const now = clock.now();
    const about = { id: newId(now), teamId, name, hash: sha256(key), lastFour: lastFourOf(key), createdAt: now };
    const record = { ...about, ...packLimits(limits) };
    const target = { type: "key", id: record.id, name };
    return store.transaction(async ({ keys, audit }) => {
      if (!(await keys.insert(record))) return null;
      const details = { after: shownLimits(record) };
      await audit.add([auditRow(teamId, actor, now, { action: "key.created", target, details })]);
      return record;
    });
  }

  /** False when it was revoked before. */
  async function revoke({ id, teamId, name }: ListedKey, actor: Actor): Promise<boolean> {
    const now = clock.now();
    const act = { action: "key.revoked", target: { type: "key", id, name } };
    const isRevoked = await store.transaction(async ({ keys, audit }) => {
      if (!(await keys.revoke(id, now))) return false;
      await audit.add([auditRow(teamId, actor, now, act)]);
      return true;
    });
    recent.forget();
    return isRevoked;
  }

  /** Replaces the limits that are given; false when the team has no such key. */
  async function change(teamId: string, id: string, limits: KeyLimits, actor: Actor): Promise<boolean> {
    const now = clock.now();
    const isChanged = await store.transaction(async ({ keys, audit }) => {
      const key = (await keys.list(teamId)).find((each) => each.id === id);
      if (!key) return false;
      const change: KeyChange = packLimits(limits);
      if (Object.keys(change).length === 0) return true;
      await keys.change(teamId, id, change);
      const details = { before: shownLimits(key), after: shownLimits({ ...key, ...change }) };
      const target = { type: "key", id, name: key.name };
      await audit.add([auditRow(teamId, actor, now, { action: "key.changed", target, details })]);
      return true;
    });
    recent.forget();
    return isChanged;
  }

  return { insert, revoke, change };
}

/** A key is looked up once in this time, however many requests use it; a key revoked by another process stays valid as long. */
const rememberedMs = 100;

type RememberedHolder = KeyHolder & { keyId: string; expiresAt: number | null };

function holderOf({ revokedAt: _, groups, formats, ips, ...key }: KeyWithTeam): RememberedHolder {
  return { ...key, ...readLimits({ groups, formats, ips }) };
}

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
