import { sql } from "kysely";
import { changesRow } from "../engine/changes.ts";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import { countAll } from "../engine/totals.ts";
import { inBatches } from "../schema/batches.ts";
import type { KeyLimitColumns } from "../schema/policy-tables.ts";
import type { RowOf } from "../schema/tables.ts";

type Limits = Pick<RowOf<"api_keys">, "requestsPerMinute" | "creditsPerMonth" | keyof KeyLimitColumns>;

export type KeyChange = Partial<Limits>;
export type NewKey = Omit<RowOf<"api_keys">, "lastUsedAt" | "revokedAt" | keyof Limits> & KeyChange;

const noLimits: Limits = {
  requestsPerMinute: null,
  creditsPerMonth: null,
  allowedGroups: null,
  allowedFormats: null,
  allowedIps: null,
  expiresAt: null,
};

/** What authentication needs to know about a key, in one row. */
export interface KeyWithTeam {
  keyId: string;
  keyName: string;
  teamId: string;
  teamName: string;
  requestsPerMinute: number | null;
  /** The key's own limits. */
  keyRequestsPerMinute: number | null;
  keyCreditsPerMonth: number | null;
  revokedAt: number | null;
  expiresAt: number | null;
  /** JSON texts of lists; null: not limited. */
  groups: string | null;
  formats: string | null;
  ips: string | null;
}

export interface ListedKey extends RowOf<"api_keys"> {
  teamName: string;
}

export interface KeyUse {
  id: string;
  at: number;
}

/** In place of a key's hash, in the row under which an app is counted: no key has it. */
export function appHash(grantId: string): string {
  return `app:${grantId}`;
}

const findByHash: FixedStatement<[hash: string], KeyWithTeam> = (db, [hash]) =>
  db
    .selectFrom("api_keys")
    .innerJoin("teams", "teams.id", "api_keys.teamId")
    .select([
      "api_keys.id as keyId",
      "api_keys.name as keyName",
      "teams.id as teamId",
      "teams.name as teamName",
      "teams.requestsPerMinute",
      "api_keys.requestsPerMinute as keyRequestsPerMinute",
      "api_keys.creditsPerMonth as keyCreditsPerMonth",
      "api_keys.revokedAt",
      "api_keys.expiresAt",
      "api_keys.allowedGroups as groups",
      "api_keys.allowedFormats as formats",
      "api_keys.allowedIps as ips",
    ])
    .where("api_keys.hash", "=", hash);

export function createKeyStatements({ db, run }: Executor) {
  return {
    /** False when this very key exists already, in any team; nothing is changed then. */
    async insert(key: NewKey): Promise<boolean> {
      return changesRow(
        db
          .insertInto("api_keys")
          .values({ ...noLimits, lastUsedAt: null, revokedAt: null, ...key })
          .onConflict((conflict) => conflict.column("hash").doNothing()),
      );
    },

    /** Finds revoked keys, too: the caller decides what a revoked key means. */
    async findByHash(hash: string): Promise<KeyWithTeam | null> {
      return (await run(findByHash, [hash]))[0] ?? null;
    },

    /** Oldest first; of all teams unless one is named. Apps are no keys. */
    list(teamId?: string): Promise<ListedKey[]> {
      const query = db
        .selectFrom("api_keys")
        .innerJoin("teams", "teams.id", "api_keys.teamId")
        .selectAll("api_keys")
        .select("teams.name as teamName")
        .where("api_keys.hash", "not like", `${appHash("")}%`)
        .orderBy("api_keys.createdAt")
        .orderBy("api_keys.id");
      return (teamId === undefined ? query : query.where("api_keys.teamId", "=", teamId)).execute();
    },

    /** False when there is no such key or it was revoked before: the first revocation's time stays. */
    async revoke(id: string, now: number): Promise<boolean> {
      return changesRow(
        db.updateTable("api_keys").set({ revokedAt: now }).where("id", "=", id).where("revokedAt", "is", null),
      );
    },

    /** False when the team has no such key. */
    async change(teamId: string, id: string, change: KeyChange): Promise<boolean> {
      return changesRow(db.updateTable("api_keys").set(change).where("id", "=", id).where("teamId", "=", teamId));
    },

    /** Notes the latest use of many keys in one statement; a time never moves backwards, unknown ids are skipped. */
    async markUsed(uses: readonly KeyUse[]): Promise<void> {
      const latest = new Map<string, number>();
      for (const { id, at } of uses) latest.set(id, Math.max(at, latest.get(id) ?? at));
      // Sorted, so that two processes that mark the same keys take their row locks in the same order.
      const rows = [...latest].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const batch of inBatches(rows)) {
        const values = sql.join(batch.map(([id, at]) => sql`(${id}, cast(${at} as bigint))`));
        await sql`with uses (id, at) as (values ${values})
          update api_keys set last_used_at = uses.at from uses
          where api_keys.id = uses.id and (api_keys.last_used_at is null or api_keys.last_used_at < uses.at)`.execute(
          db,
        );
      }
    },

    /** How many keys there are, revoked ones included. */
    count: (): Promise<number> => countAll(db.selectFrom("api_keys")),
  };
}
