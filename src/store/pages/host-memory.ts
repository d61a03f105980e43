// What is known of the hosts that a team has asked. Notes about pages and the attempt that worked are written apart: neither
// overwrites the other.
import type { Executor, FixedStatement } from "../engine/executor.ts";
import { upsertRows } from "../engine/inserts.ts";
import { oncePerKey } from "../engine/once-per-key.ts";
import type { RowOf } from "../schema/tables.ts";

/** What pages of a host told, the latest first. */
export interface HostNotes extends Omit<NoteRow, "verdicts"> {
  verdicts: string[];
}

/** What got past the block page of a host. */
export interface HostAttempt {
  attempt: string;
  since: number;
  /** How long the page took that way. */
  ms: number;
  sealedCookies: string | null;
}

export type HostRow = Omit<HostNotes, "teamId"> & { attempt: string | null; attemptSince: number | null };

type NoteRow = Pick<
  RowOf<"host_memory">,
  "teamId" | "host" | "seenAt" | "delayMs" | "last429At" | "robots" | "verdicts"
>;

const upsertNotes = upsertRows<NoteRow>("host_memory", ["teamId", "host"], {
  set: ["seenAt", "delayMs", "last429At", "robots", "verdicts"],
});

const findNotes: FixedStatement<
  [teamId: string, host: string],
  Pick<RowOf<"host_memory">, "delayMs" | "last429At" | "robots" | "verdicts">
> = (db, [teamId, host]) =>
  db
    .selectFrom("host_memory")
    .select(["delayMs", "last429At", "robots", "verdicts"])
    .where((build) => build.and({ teamId, host }));

const findAttempt: FixedStatement<[teamId: string, host: string], HostAttempt> = (db, [teamId, host]) =>
  db
    .selectFrom("host_memory")
    .select(["attempt", "attemptSince as since", "attemptMs as ms", "sealedCookies"])
    .where((build) => build.and({ teamId, host }))
    .where("attempt", "is not", null)
    .$castTo<HostAttempt>();

export function createHostStatements({ db, run, insert }: Executor) {
  return {
    /** Null for a host that the team has not asked. */
    async findNotes(teamId: string, host: string): Promise<Omit<HostNotes, "teamId" | "host" | "seenAt"> | null> {
      const [row] = await run(findNotes, [teamId, host]);
      if (!row) return null;
      return { ...row, verdicts: JSON.parse(row.verdicts) };
    },

    async note(notes: readonly HostNotes[]): Promise<void> {
      await insert(
        upsertNotes,
        oncePerKey(notes.map(noteRow), (row) => `${row.teamId} ${row.host}`),
      );
    },

    /** The attempt that worked, however long ago. */
    async findAttempt(teamId: string, host: string): Promise<HostAttempt | null> {
      const [row] = await run(findAttempt, [teamId, host]);
      return row ?? null;
    },

    async putAttempt(teamId: string, host: string, { attempt, since, ms, sealedCookies }: HostAttempt): Promise<void> {
      const set = { attempt, attemptSince: since, attemptMs: ms, sealedCookies };
      await db
        .insertInto("host_memory")
        .values({ teamId, host, seenAt: since, delayMs: 0, verdicts: "[]", ...set })
        .onConflict((conflict) => conflict.columns(["teamId", "host"]).doUpdateSet(set))
        .execute();
    },

    async forgetAttempt(teamId: string, host: string): Promise<void> {
      await db
        .updateTable("host_memory")
        .set({ attempt: null, attemptSince: null, attemptMs: null, sealedCookies: null })
        .where((build) => build.and({ teamId, host }))
        .execute();
    },

    /** Hosts that were asked since then, the latest first. */
    async list(teamId: string, since: number, limit: number): Promise<HostRow[]> {
      const rows = await db
        .selectFrom("host_memory")
        .select(["host", "seenAt", "delayMs", "last429At", "robots", "verdicts", "attempt", "attemptSince"])
        .where("teamId", "=", teamId)
        .where("seenAt", ">=", since)
        .orderBy("seenAt", "desc")
        .orderBy("host")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, verdicts: JSON.parse(row.verdicts) }));
    },
  };
}

function noteRow(notes: HostNotes): NoteRow {
  return { ...notes, verdicts: JSON.stringify(notes.verdicts) };
}
