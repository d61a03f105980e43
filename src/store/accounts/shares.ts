// How much of a limit each process holds: a team's slots, or the places at a host. A share ends with its lease.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../schema/tables.ts";

export interface Share {
  key: string;
  owner: string;
  /** As many as it could use. */
  wanted: number;
  held: number;
  leaseUntil: number;
}

export type ShareStatements = ReturnType<typeof createShareStatements>;

/** The tables differ in what their keys name. */
interface ShareTable {
  table: "team_slots" | "host_slots";
  key: "teamId" | "host";
}

export function createShareStatements(db: Kysely<Tables>, names: ShareTable) {
  const [table, keyColumn] = [sql.table(names.table), sql.ref(names.key)];
  return {
    /** What the other processes hold. */
    async listOthers(key: string, owner: string, now: number): Promise<Pick<Share, "wanted" | "held">[]> {
      const { rows } = await sql<Pick<Share, "wanted" | "held">>`
        select wanted, held from ${table} where ${keyColumn} = ${key} and owner <> ${owner} and lease_until > ${now}
      `.execute(db);
      return rows;
    },

    async put({ key, owner, wanted, held, leaseUntil }: Share): Promise<void> {
      await sql`
        insert into ${table} (${keyColumn}, owner, wanted, held, lease_until)
        values (${key}, ${owner}, ${wanted}, ${held}, ${leaseUntil})
        on conflict (${keyColumn}, owner)
        do update set wanted = excluded.wanted, held = excluded.held, lease_until = excluded.lease_until
      `.execute(db);
    },

    async remove(key: string, owner: string): Promise<void> {
      await sql`delete from ${table} where ${keyColumn} = ${key} and owner = ${owner}`.execute(db);
    },

    /** Rows of processes that crashed. */
    async removeEnded(key: string, now: number): Promise<void> {
      await sql`delete from ${table} where ${keyColumn} = ${key} and lease_until <= ${now}`.execute(db);
    },

    /** The same for all keys. */
    async forget(before: number): Promise<void> {
      await sql`delete from ${table} where lease_until <= ${before}`.execute(db);
    },
  };
}
