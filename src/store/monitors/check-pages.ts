// What a check found on each page, in the order in which it was found.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import { compressText, decompressText, type Packed } from "../schema/compression.ts";
import type { CheckPageStatus } from "../schema/monitor-tables.ts";
import type { RowOf } from "../schema/tables.ts";

export interface CheckPage extends Omit<RowOf<"monitor_check_pages">, "pageKey" | "encoding" | "sizeBytes" | "data"> {
  key: string;
  /** JSON text. */
  details: string;
}

export type PackedCheckPage = Packed<Omit<CheckPage, "details" | "seq">>;

export async function packCheckPage({ details, ...page }: Omit<CheckPage, "seq">): Promise<PackedCheckPage> {
  return { ...page, ...(await compressText(details)) };
}

export function createCheckPageStatements({ db }: Executor) {
  return {
    /** False when the check has this page already: then nothing is changed. */
    async add({ key, ...page }: PackedCheckPage, seq: number): Promise<boolean> {
      const added = await db
        .insertInto("monitor_check_pages")
        .values({ pageKey: key, seq, ...page })
        .onConflict((conflict) => conflict.columns(["checkId", "targetId", "pageKey"]).doNothing())
        .returning("seq")
        .executeTakeFirst();
      return added !== undefined;
    },

    /** In the order in which they were found, from a place on. */
    async list(
      checkId: string,
      { skip, limit, statuses }: { skip: number; limit: number; statuses?: readonly CheckPageStatus[] },
    ): Promise<CheckPage[]> {
      const rows = await db
        .selectFrom("monitor_check_pages")
        .selectAll()
        .where("checkId", "=", checkId)
        .$if(statuses !== undefined, (query) => query.where("status", "in", statuses as readonly CheckPageStatus[]))
        .orderBy("seq")
        .limit(limit)
        .offset(skip)
        .execute();
      return Promise.all(rows.map(fromRow));
    },

    async readOne(checkId: string, seq: number): Promise<CheckPage | null> {
      const row = await db
        .selectFrom("monitor_check_pages")
        .selectAll()
        .where((build) => build.and({ checkId, seq }))
        .executeTakeFirst();
      return row ? fromRow(row) : null;
    },

    /** Of one target, which of these pages the check has. */
    async known(checkId: string, targetId: string): Promise<Set<string>> {
      const rows = await db
        .selectFrom("monitor_check_pages")
        .select("pageKey as key")
        .where((build) => build.and({ checkId, targetId }))
        .execute();
      return new Set(rows.map(({ key }) => key));
    },

    /** Of all checks of a monitor, the latest first: what a reader of its feed should see. */
    async listNews(monitorId: string, limit: number): Promise<CheckPage[]> {
      const { rows } = await sql<RowOf<"monitor_check_pages">>`select monitor_check_pages.* from monitor_check_pages
        inner join monitor_checks on monitor_checks.id = monitor_check_pages.check_id
        where monitor_checks.monitor_id = ${monitorId}
          and monitor_check_pages.status in ('new', 'changed', 'removed')
        order by monitor_check_pages.created_at desc, monitor_check_pages.seq desc limit ${limit}`.execute(db);
      return Promise.all(rows.map(fromRow));
    },
  };
}

async function fromRow(row: RowOf<"monitor_check_pages">): Promise<CheckPage> {
  const { pageKey: key, encoding: _, sizeBytes: _size, data: _data, ...page } = row;
  return { key, details: await decompressText(row), ...page };
}
