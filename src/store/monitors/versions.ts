// The last version of each page that a monitor saw. It outlives the checks, so that the next change is found however late.
import { type Executor, largestBatch } from "../engine/executor.ts";
import { compressText, decompressText, type Packed } from "../schema/compression.ts";
import type { RowOf } from "../schema/tables.ts";

export interface PageVersion extends Omit<RowOf<"monitor_versions">, "pageKey" | "encoding" | "sizeBytes" | "data"> {
  key: string;
  /** JSON text. */
  content: string;
}

export type PackedVersion = Packed<Omit<PageVersion, "content">>;

export async function packVersion({ content, ...version }: PageVersion): Promise<PackedVersion> {
  return { ...version, ...(await compressText(content)) };
}

export function createVersionStatements({ db }: Executor) {
  async function change(
    monitorId: string,
    targetId: string,
    keys: readonly string[],
    changes: Partial<Pick<PageVersion, "checkId" | "state">>,
  ): Promise<void> {
    for (let from = 0; from < keys.length; from += largestBatch) {
      await db
        .updateTable("monitor_versions")
        .set(changes)
        .where((build) => build.and({ monitorId, targetId }))
        .where("pageKey", "in", keys.slice(from, from + largestBatch))
        .execute();
    }
  }

  return {
    /** Each takes the place of the one before it. */
    async put(versions: readonly PackedVersion[]): Promise<void> {
      for (const { key, ...version } of versions) {
        const row = { pageKey: key, ...version };
        await db
          .insertInto("monitor_versions")
          .values(row)
          .onConflict((conflict) => conflict.columns(["monitorId", "targetId", "pageKey"]).doUpdateSet(row))
          .execute();
      }
    },

    /** By their keys; those that are unknown are missing. */
    async find(monitorId: string, targetId: string, keys: readonly string[]): Promise<Map<string, PageVersion>> {
      const found = new Map<string, PageVersion>();
      for (let from = 0; from < keys.length; from += largestBatch) {
        const rows = await db
          .selectFrom("monitor_versions")
          .selectAll()
          .where((build) => build.and({ monitorId, targetId }))
          .where("pageKey", "in", keys.slice(from, from + largestBatch))
          .execute();
        for (const row of rows) found.set(row.pageKey, await fromRow(row));
      }
      return found;
    },

    /** Notes that a check has found the pages again. */
    note: (monitorId: string, targetId: string, keys: readonly string[], checkId: string) =>
      change(monitorId, targetId, keys, { checkId }),

    setState: (monitorId: string, targetId: string, keys: readonly string[], state: PageVersion["state"]) =>
      change(monitorId, targetId, keys, { state }),

    /** Pages that are there as far as is known, and that a check has not found; by URL. */
    listMissed(
      monitorId: string,
      targetId: string,
      checkId: string,
      limit: number,
    ): Promise<Pick<PageVersion, "key" | "url" | "depth" | "scrapeId">[]> {
      return db
        .selectFrom("monitor_versions")
        .select(["pageKey as key", "url", "depth", "scrapeId"])
        .where((build) => build.and({ monitorId, targetId, state: "present" }))
        .where("checkId", "<>", checkId)
        .orderBy("url")
        .limit(limit)
        .execute();
    },

    /** What targets saw that the monitor no longer has. */
    async keepTargets(monitorId: string, targetIds: readonly string[]): Promise<void> {
      await db
        .deleteFrom("monitor_versions")
        .where("monitorId", "=", monitorId)
        .where("targetId", "not in", targetIds)
        .execute();
    },
  };
}

async function fromRow(row: RowOf<"monitor_versions">): Promise<PageVersion> {
  const { pageKey: key, encoding: _, sizeBytes: _size, data: _data, ...version } = row;
  return { key, content: await decompressText(row), ...version };
}
